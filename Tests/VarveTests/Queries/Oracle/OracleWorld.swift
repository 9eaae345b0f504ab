import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

/// The same objects in a store and in plain Swift.
final class OracleWorld {
  static let itemCount = 36

  private(set) var items: [String: [OracleObject]] = [:]
  private(set) var parts: [OracleObject] = []
  private(set) var strangers: [OracleObject] = []
  /// Objects that were stored, linked to, and deleted.
  private(set) var deleted: [OracleObject] = []
  private var stored: [ObjectIdentifier: Object] = [:]
  private var random: SeededRandom
  private let samples = Dictionary(
    uniqueKeysWithValues: OracleType.allCases.map { ($0, OracleSamples.values(of: $0)) })
  private let summable = Dictionary(
    uniqueKeysWithValues: OracleType.allCases.map { ($0, OracleSamples.summable(of: $0)) })

  var oracle: QueryOracle {
    QueryOracle(items.values.flatMap { $0 } + parts + strangers, deleted: deleted)
  }

  /// The stored object.
  func object(_ plain: OracleObject) -> Object? { stored[ObjectIdentifier(plain)] }

  /// Creates the objects, inside a write.
  init(in realm: Realm, _ random: SeededRandom) throws {
    self.random = random
    for id in 0..<9 { parts.append(add(realm.create(OraclePart.self, value: ["id": id]), id)) }
    strangers.append(add(realm.create(OracleStranger.self, value: ["id": 0]), 0))
    for id in 0..<OracleWorld.itemCount {
      items["OracleItem", default: []].append(
        add(realm.create(OracleItem.self, value: ["id": id]), id))
      items["OracleIndexedItem", default: []].append(
        add(realm.create(OracleIndexedItem.self, value: ["id": id]), id))
    }
    try fill(turn: 0)
    try deleteOne(in: realm)
  }

  private func add(_ object: Object, _ id: Int) -> OracleObject {
    let plain = OracleObject("\(type(of: object))", id)
    plain.storedID = object.handle.id
    plain.reference = ObjectReference(object.handle)
    plain.properties["id"] = .int(Int64(id))
    stored[ObjectIdentifier(plain)] = object
    return plain
  }

  /// Sets every property to another value, inside a write.
  func fill(turn: Int) throws {
    for part in parts { try fill(part: part, turn) }
    for id in 0..<OracleWorld.itemCount {
      // Both classes have the same content.
      let random = random
      for items in items.values {
        self.random = random
        try fill(items[id], among: items, turn)
      }
    }
  }

  private func fill(part: OracleObject, _ turn: Int) throws {
    let id = part.id + turn
    try set(part, "name", id % 4 == 0 ? .null : .string(OracleSamples.strings[id % 17]))
    try set(part, "number", id % 3 == 0 ? .null : .int(OracleSamples.integers[id % 12]))
    try set(part, "ratio", id % 5 == 0 ? .null : .double(OracleSamples.doubles[id % 16]))
    try set(part, "value", mixedValue(random.below(40)))
    try set(part, "tags", list(of: .string, count: id % 4))
    let scores = (0..<id % 3).map { random.oneIn(3) ? OracleValue.null : .int(Int64($0 * id)) }
    let keys = ["k", "other", "third"].prefix(scores.count)
    try set(part, "scores", .collection(OracleCollection(.dictionary, scores, keys: Array(keys))))
    try set(part, "other", id % 3 == 1 ? .null : .object(random.pick(parts)))
  }

  private func fill(_ item: OracleObject, among items: [OracleObject], _ turn: Int) throws {
    for (typeIndex, type) in OracleType.allCases.enumerated() {
      let samples = self.samples[type, default: []]
      // A different stride for each type, so that pairs of properties have many combinations of
      // values.
      let index = item.id * (typeIndex % 4 * 2 + 1) + item.id / samples.count * typeIndex + turn * 5
      if type == .mixed {
        try set(item, "mixed", mixedValue(item.id + turn))
      } else {
        try set(item, type.rawValue, samples[index % samples.count])
        let isNull = (item.id + typeIndex + turn) % 5 == 0
        try set(
          item, type.rawValue + "OrNull",
          isNull ? .null : samples[(index + item.id) % samples.count])
      }
      try set(item, type.rawValue + "List", list(of: type, count: (item.id + typeIndex) % 6))
      let set = distinct(of: type, count: (item.id + typeIndex) % 5)
      try self.set(item, type.rawValue + "Set", .collection(OracleCollection(.set, set)))
      let map = distinct(of: type, count: (item.id + typeIndex + 2) % 4)
      let keys = ["", "k", "Ä", "b"].shuffled(using: &random).prefix(map.count).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      try self.set(
        item, type.rawValue + "Map", .collection(OracleCollection(.dictionary, map, keys: keys)))
    }
    try set(item, "next", random.oneIn(3) ? .null : .object(random.pick(items)))
    try set(item, "part", random.oneIn(4) ? .null : .object(random.pick(parts)))
    let linked = (0..<item.id % 4).map { _ in OracleValue.object(random.pick(parts)) }
    try set(item, "partList", .collection(OracleCollection(.list, linked)))
    let some = parts.shuffled(using: &random).prefix(random.below(4))
    try set(item, "partSet", .collection(OracleCollection(.set, some.map { .object($0) })))
    let ends = (0..<random.below(3)).map { _ in
      random.oneIn(3) ? OracleValue.null : .object(random.pick(parts))
    }
    try set(
      item, "partMap",
      .collection(OracleCollection(.dictionary, ends, keys: Array(["k", "l"].prefix(ends.count)))))
  }

  private func list(of type: OracleType, count: Int) -> OracleValue {
    let samples = self.samples[type, default: []]
    var elements = (0..<count).map { _ in
      random.oneIn(5) ? OracleValue.null : random.pick(samples)
    }
    if type == .mixed, random.chance(30) { elements.append(nested) }
    return .collection(OracleCollection(.list, elements))
  }

  private func distinct(of type: OracleType, count: Int) -> [OracleValue] {
    let samples = summable[type, default: []].shuffled(using: &random)
    return random.chance(40) ? [.null] + samples.prefix(count) : Array(samples.prefix(count))
  }

  private func mixedValue(_ index: Int) -> OracleValue {
    let samples = self.samples[.mixed, default: []]
    let remainder = index % (samples.count + 5)
    if remainder < samples.count { return samples[remainder] }
    return switch remainder - samples.count {
    case 0: .null
    case 1: .object(random.pick(parts))
    case 2: strangers.first.map { .object($0) } ?? .null
    default: nested
    }
  }

  /// A list or a dictionary that contains another collection.
  private var nested: OracleValue {
    let inner = OracleCollection(.list, [.int(Int64(random.below(3))), .null, .string("a")])
    let elements: [OracleValue] = [.int(Int64(random.below(3))), .collection(inner)]
    return .collection(
      random.chance(50)
        ? OracleCollection(.list, elements)
        : OracleCollection(.dictionary, elements, keys: ["a", "k"]))
  }

  private func set(_ object: OracleObject, _ name: String, _ value: OracleValue) throws {
    object.properties[name] = value
    try stored[ObjectIdentifier(object)]?.setValue(any(value), forKey: name)
  }

  /// The value as an argument of the dynamic API.
  private func any(_ value: OracleValue) -> Any? {
    switch value {
    case .null: return nil
    case .bool(let value): return value
    case .number(let number):
      switch number.kind {
      case .int: return Int(number.integer)
      case .float: return Float(number.double)
      case .double: return number.double
      case .decimal: return Decimal128(Decimal128Bits(number.text) ?? .nan)
      }
    case .string(let value): return value
    case .data(let bytes): return Data(bytes)
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .uuid(let bytes): return UUID(bytes: bytes)
    case .objectId(let bytes): return ObjectId(ObjectIdBytes(bytes) ?? .zero)
    case .object(let object): return stored[ObjectIdentifier(object)]
    case .collection(let collection):
      let elements = collection.elements.map { any($0) ?? NSNull() }
      if collection.kind != .dictionary { return elements }
      return Dictionary(zip(collection.keys, elements)) { first, _ in first }
    }
  }

  /// Links to a deleted object are null; lists and sets drop it.
  private func deleteOne(in realm: Realm) throws {
    let gone = parts.removeLast()
    deleted.append(gone)
    if let object = stored.removeValue(forKey: ObjectIdentifier(gone)) { realm.delete(object) }
    for object in items.values.flatMap({ $0 }) + parts {
      for (name, value) in object.properties {
        object.properties[name] = value.without(gone)
      }
    }
  }
}

extension OracleValue {
  fileprivate func without(_ gone: OracleObject) -> OracleValue {
    if object === gone { return .null }
    if let collection {
      if collection.kind == .dictionary {
        collection.elements = collection.elements.map { $0.without(gone) }
      } else {
        collection.elements.removeAll { $0.object === gone }
      }
    }
    return self
  }
}

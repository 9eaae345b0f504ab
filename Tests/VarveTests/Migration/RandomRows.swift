import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

/// A property value in comparable form; a link is represented by the object's tag.
indirect enum RandomValue: Hashable {
  case null
  case text(String)
  case link(Int)
  case list([RandomValue])
  case set(Set<RandomValue>)
  case map([String: RandomValue])

  init(_ value: Any?) {
    self =
      switch value {
      case nil: .null
      case let object as DynamicObject: .link(object["tag"] as? Int ?? -1)
      case let value?: .text(exactText(value))
      }
  }

  init(_ value: Value) { self = value.isNull ? .null : .text(exactText(value.plain)) }
}

extension Value {
  fileprivate var plain: Any {
    switch self {
    case .bool(let value): value
    case .int(let value): Int(value)
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .decimal(let value): Decimal128(value)
    default: NSNull()
    }
  }
}

/// The objects of a class, keyed by tag, with their property values.
typealias RandomRows = [Int: [String: RandomValue]]

extension RandomSchema {
  /// The complete content of the file.
  func rows(in realm: Realm) throws -> [String: RandomRows] {
    var all: [String: RandomRows] = [:]
    for random in classes {
      var rows: RandomRows = [:]
      for object in try realm.dynamicObjects(random.name) {
        var row: [String: RandomValue] = ["code": RandomValue(object["code"])]
        for property in random.properties {
          row[property.name] = try property.value(of: object)
        }
        rows[object["tag"] as? Int ?? -1] = row
      }
      all[random.name] = rows
    }
    return all
  }

  /// Creates, changes and deletes random objects.
  func write(_ realm: Realm, nextTag: inout Int, _ random: inout SeededRandom) throws {
    for _ in 0..<random.int(5...30) {
      nextTag += random.int(1...3)
      let tag = random.oneIn(4) ? -nextTag : nextTag
      realm.dynamicCreate(random.pick(classes).name, value: ["tag": tag, "code": "c\(tag)"])
    }
    for random_ in classes {
      let objects = Array(try realm.dynamicObjects(random_.name))
      for object in objects {
        if random.oneIn(9) {
          realm.delete(object)
          continue
        }
        for property in random_.properties where random.chance(60) {
          object[property.name] = try property.randomValue(realm, &random)
        }
      }
    }
  }
}

extension RandomProperty {
  func value(of object: DynamicObject) throws -> RandomValue {
    switch (kind.collection, kind.type, kind.isNullable) {
    case (.list, .link, _): .list(try object.dynamicList(name).map { RandomValue($0) })
    case (.list, .int64, false): .list(try list(object, Int.self))
    case (.list, .int64, true): .list(try list(object, Int?.self))
    case (.list, _, false): .list(try list(object, String.self))
    case (.list, _, true): .list(try list(object, String?.self))
    case (.set, .link, _): .set(Set(try object.dynamicSet(name).map { RandomValue($0) }))
    case (.set, _, false): .set(Set(try object.dynamicSet(name, of: Int.self).map { plain($0) }))
    case (.set, _, true):
      .set(Set(try object.dynamicSet(name, of: Int?.self).map { plain($0 as Any) }))
    case (.dictionary, .link, _):
      .map(
        try object.dynamicMap(name).reduce(into: [:]) { $0[$1.key] = RandomValue($1.value as Any?) }
      )
    case (.dictionary, _, false): .map(try map(object, Int.self))
    case (.dictionary, _, true): .map(try map(object, Int?.self))
    default: RandomValue(object[name])
    }
  }

  private func list<E: RealmCollectionValue>(_ object: DynamicObject, _ type: E.Type) throws
    -> [RandomValue]
  {
    try object.dynamicList(name, of: type).map { plain($0) }
  }

  private func map<V: RealmCollectionValue>(_ object: DynamicObject, _ type: V.Type) throws
    -> [String: RandomValue]
  {
    try object.dynamicMap(name, of: type).reduce(into: [:]) { $0[$1.key] = plain($1.value) }
  }

  private func plain(_ element: Any) -> RandomValue {
    switch element {
    case let int as Int: RandomValue(int)
    case let text as String: RandomValue(text)
    default: .null
    }
  }

  /// A random value for the property.
  func randomValue(_ realm: Realm, _ random: inout SeededRandom) throws -> Any? {
    switch kind.collection {
    case .none: return try element(realm, &random)
    case .list, .set:
      return try (0..<random.below(6)).compactMap { _ -> Any? in
        let element = try element(realm, &random)
        return element ?? (kind.type == .link ? nil : NSNull() as Any)
      }
    case .dictionary:
      var map: [String: Any] = [:]
      for _ in 0..<random.below(5) {
        map["k\(random.below(9))"] = try element(realm, &random) ?? NSNull()
      }
      return map
    }
  }

  private func element(_ realm: Realm, _ random: inout SeededRandom) throws -> Any? {
    if kind.isNullable, random.oneIn(4) { return nil }
    switch kind.type {
    case .int64: return random.int(-50...50)
    case .mixed where random.oneIn(2): return random.oneIn(2) ? "mixed" : random.below(9) as Any
    case .decimal128: return Decimal128(random.int(-50...50))
    case .double: return Double(random.int(-50...50)) / 4
    case .bool: return random.oneIn(2)
    case .string: return String(repeating: "s", count: random.pick([0, 3, 40, 600, 2000]))
    case .data: return Data(random.bytes(random.pick([0, 3, 40, 600, 2000])))
    default:
      // A mixed value may link to any class.
      let name = target ?? realm.schema.objectSchema.first?.className ?? ""
      let objects = try realm.dynamicObjects(name)
      return objects.isEmpty ? nil : objects[random.below(objects.count)]
    }
  }

  /// The expected value of the property after a migration.
  func migrated(_ row: [String: RandomValue]) -> RandomValue {
    switch fate {
    case .kept: return row[name] ?? .null
    case .renamed(let old): return row[old] ?? .null
    case .converted: return converted(row[name] ?? .null)
    case .replaced, .added:
      return kind.collection == .none
        ? RandomValue(constant)
        : kind.collection == .list ? .list([]) : kind.collection == .set ? .set([]) : .map([:])
    }
  }

  private func converted(_ value: RandomValue) -> RandomValue {
    let zero = kind.isNullable ? RandomValue.null : RandomValue(kind.type.zeroValue)
    return switch value {
    case .null: RandomValue(constant)
    case .list(let elements): .list(elements.map { $0 == .null ? zero : $0 })
    case .set(let elements): .set(Set(elements.map { $0 == .null ? zero : $0 }))
    case .map(let entries): .map(entries.mapValues { $0 == .null ? zero : $0 })
    default: value
    }
  }
}

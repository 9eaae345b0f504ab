import Foundation
import Testing
import Varve
import VarveTestSupport

/// The properties of a crate that the model tracks.
enum NestedRoot: String, CaseIterable {
  case value, tag, items, fields

  /// The property of a crate, as a mixed value.
  func read(_ crate: MixedBox) -> AnyRealmValue {
    switch self {
    case .value: crate.value
    case .tag: crate.tag
    case .items: .list(crate.items)
    case .fields: .dictionary(crate.fields)
    }
  }
}

/// A random history of a crate with nested collections, and its expected content.
struct NestedHistory {
  typealias Model = [NestedRoot: MixedContent]

  static let empty: Model = [
    .value: .none, .tag: .none, .items: .list([]), .fields: .dictionary([:]),
  ]
  private static let keys = ["a", "b", "c", "", "long " + String(repeating: "k", count: 500)]

  private(set) var random: SeededRandom
  private(set) var model = NestedHistory.empty
  /// The properties whose content the last write changed, at any depth.
  private(set) var touched: Set<NestedRoot> = []

  init(_ random: SeededRandom) { self.random = random }

  /// Performs one write; some writes are rolled back.
  mutating func write(_ realm: Realm) throws {
    touched = []
    let before = model
    let isCancelled = random.oneIn(5)
    do {
      try realm.write {
        for _ in 0..<random.int(1...6) { try step(realm) }
        if isCancelled { throw Cancelled() }
      }
    } catch is Cancelled {
      model = before
      touched = []
    }
  }

  private mutating func step(_ realm: Realm) throws {
    guard let crate = realm.objects(MixedBox.self).first else {
      realm.add(MixedBox(id: 1))
      model = NestedHistory.empty
      return
    }
    if random.oneIn(60) {
      realm.delete(crate)
      model = NestedHistory.empty
      touched = Set(NestedRoot.allCases)
      return
    }
    let root = random.pick(NestedRoot.allCases)
    touched.insert(root)
    if random.oneIn(6), root == .value || root == .tag {
      let content = random.content()
      if root == .value { crate.value = content.value } else { crate.tag = content.value }
      model[root] = content
      return
    }
    model[root] = try changed(model[root] ?? .none, root.read(crate))
  }

  /// Changes a collection nested in a value, or nothing.
  private mutating func changed(
    _ plain: MixedContent, _ value: AnyRealmValue
  ) throws -> MixedContent {
    switch plain {
    case .none, .scalar: return plain
    case .list(var elements):
      let list = try #require(value.listValue)
      if random.chance(60), let index = random.element(elements.indices) {
        elements[index] = try changed(elements[index], list[index])
      } else {
        change(&elements, list)
      }
      return .list(elements)
    case .dictionary(var entries):
      let map = try #require(value.dictionaryValue)
      if random.chance(60), let key = random.element(entries.keys.sorted()) {
        entries[key] = try changed(entries[key] ?? .none, try #require(map[key]))
      } else {
        change(&entries, map)
      }
      return .dictionary(entries)
    }
  }

  private mutating func change(_ elements: inout [MixedContent], _ list: List<AnyRealmValue>) {
    let content = random.content()
    guard let index = random.element(elements.indices) else {
      list.append(content.value)
      return elements.append(content)
    }
    let other = random.below(elements.count)
    switch random.below(9) {
    case 0:
      list.append(content.value)
      elements.append(content)
    case 1:
      list.insert(content.value, at: index)
      elements.insert(content, at: index)
    case 2:
      list[index] = content.value
      elements[index] = content
    case 3:
      list.remove(at: index)
      elements.remove(at: index)
    case 4:
      list.move(from: index, to: other)
      elements.insert(elements.remove(at: index), at: other)
    case 5:
      list.swapAt(index, other)
      elements.swapAt(index, other)
    case 6:
      list.replaceSubrange(index..<elements.count, with: [content.value, 1])
      elements.replaceSubrange(index..<elements.count, with: [content, .scalar("int 1")])
    case 7 where elements.count < 6 && MixedContent.list(elements).depth < 6:
      list.append(.list(list))
      elements.append(.list(elements))
    default:
      if random.oneIn(6) {
        list.removeAll()
        elements.removeAll()
      } else {
        list.append(objectsIn: [content.value, nil, content.value])
        elements += [content, .none, content]
      }
    }
  }

  private mutating func change(
    _ entries: inout [String: MixedContent], _ map: Map<String, AnyRealmValue>
  ) {
    let (key, content) = (random.pick(Self.keys), random.content())
    switch random.below(8) {
    case 0:
      map[key] = nil
      entries[key] = nil
    case 1 where random.oneIn(3):
      map.removeAll()
      entries.removeAll()
    case 2 where MixedContent.dictionary(entries).depth < 6 && entries.count < 4:
      map[key] = .dictionary(map)
      entries[key] = .dictionary(entries)
    case 3:
      let others: [(key: String, value: AnyRealmValue)] = [(key, content.value), ("m", 1)]
      map.merge(others) { $1 }
      entries[key] = content
      entries["m"] = .scalar("int 1")
    default:
      map[key] = content.value
      entries[key] = content
    }
  }
}

extension SeededRandom {
  /// A value with at most three levels of nested collections.
  fileprivate mutating func content(_ depth: Int = 0) -> MixedContent {
    switch below(depth < 3 ? 5 : 3) {
    case 0: .none
    case 1: .scalar("text \(below(100))")
    case 2: .scalar(String(repeating: "long", count: oneIn(4) ? 300 : 1))
    case 3: .list((0..<below(4)).map { _ in content(depth + 1) })
    default:
      .dictionary(
        Dictionary(
          (0..<below(4)).map { ("\($0)", content(depth + 1)) }, uniquingKeysWith: { $1 }))
    }
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct MapTests {
  @Test func mapIsSetToEqualMap() throws {
    let (first, second) = (Map<String, Int>(), Map<String, Int>())
    first["x"] = 1
    second["x"] = 1
    first.set(second)
    #expect(first == second && first["x"] == 1)
  }

  /// Keys of every kind: empty, with NUL characters, in two normal forms, and longer than LMDB's
  /// maximum key size with a common prefix.
  private static let keys: [String] = {
    let long = String(repeating: "k", count: 430)
    return ["", "a", "b", "\u{0}", "\u{0}\u{0}", "a\u{0}", "\u{e9}", "e\u{301}", "€", "a$", "👍"]
      + [0, 7, 8, 9, 10, 11, 57, 58, 3_000].flatMap { count in
        ["x", "y", "\u{0}"].map { long + String(repeating: "l", count: count) + $0 }
      }
  }()

  @Test func mapAggregatesItsObjects() throws {
    let club = ClubFixture.make()
    func check() throws {
      #expect(club.byName.min(of: \.score) == 0 && club.byName.max(of: \.score) == 2)
      #expect(club.byName.sum(of: \.id) == 15 && club.byName.average(of: \.id) == 3)
      #expect(club.byName.max(of: \.rank) == 9)
      #expect(try club.byName.sum(ofProperty: "id") as Int == 15)
      let none = Club().byName
      #expect(none.min(of: \.id) == nil && none.sum(of: \.id) == 0)
    }
    try check()
    try withTemporaryRealm { realm, _ in
      try realm.write {
        try check()
        realm.add(club)
        try check()
      }
      try check()
    }
  }

  private func sorted(_ keys: some Sequence<String>) -> [String] {
    keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A dictionary whose keys are bytes: Swift strings compare two normal forms as equal.
  private typealias Model = [[UInt8]: String]

  private func step(_ map: Map<String, String>, _ model: inout Model, _ random: inout SeededRandom)
  {
    let key = random.element(Self.keys) ?? ""
    let bytes = Array(key.utf8)
    switch random.below(10) {
    case ..<5:
      let value = String(repeating: "v", count: random.chance(10) ? 700 : 3) + "\(random.below(9))"
      map[key] = value
      model[bytes] = value
    case 5, 6:
      map[key] = nil
      model[bytes] = nil
    case 7:
      map.merge([(key, "m"), ("a", "n")], uniquingKeysWith: { $0 + $1 })
      for (key, value) in [(bytes, "m"), (Array("a".utf8), "n")] {
        model[key] = model[key].map { $0 + value } ?? value
      }
    case 8:
      let removed = [key, "absent"]
      map.removeObjects(forKeys: removed)
      model[bytes] = nil
    default:
      if random.chance(10) {
        map.removeAll()
        model = [:]
      } else {
        map.updateValue("u", forKey: key)
        model[bytes] = "u"
      }
    }
  }

  private func compare(
    _ map: Map<String, String>, _ model: Model, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let keys = sorted(model.keys.map { String(decoding: $0, as: UTF8.self) })
    let isSame =
      map.keys.map { Array($0.utf8) } == keys.map { Array($0.utf8) } && map.count == keys.count
      && map.values == keys.map { model[Array($0.utf8)] ?? "" }
      && map.map(\.value) == map.values
      && Self.keys.allSatisfy { map[$0] == model[Array($0.utf8)] }
      && Self.keys.allSatisfy { map.contains(key: $0) == (model[Array($0.utf8)] != nil) }
    #expect(isSame, comment, sourceLocation: sourceLocation)
  }

  @Test func randomStepsMatchDictionary() throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var first = random
      let unmanaged = Map<String, String>()
      var expected: Model = [:]
      for _ in 0..<600 { step(unmanaged, &expected, &first) }
      compare(unmanaged, expected, "\(random)")

      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      let map = object.stringMap
      var model: Model = [:]
      var second = random
      for _ in 0..<20 {
        let (frozen, before) = (map.freeze(), model)
        try realm.write {
          for _ in 0..<30 { step(map, &model, &second) }
          compare(map, model, "\(random)")
        }
        compare(map, model, "\(random)")
        compare(frozen, before, "\(random)")
        try store.check("\(random)")
      }
      compare(map, expected, "\(random)")
      try store.close()
      let again = try #require(try store.open().objects(AllTypes.self).first)
      compare(again.stringMap, expected, "\(random)")
    }
  }

  @Test func invalidKeysFailWriteAndChangeNothing() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      try realm.write { object.intMap["a"] = 1 }
      for key in ["$", "$a", "a.b", "."] {
        expectError(.invalidKey) { try realm.write { object.intMap[key] = 1 } }
        expectError(.invalidKey) { try realm.write { object.intMap.set([("b", 1), (key, 2)]) } }
        expectError(.invalidKey) {
          try realm.write { object.intMap.merge([("b", 1), (key, 2)]) { $1 } }
        }
        #expect(object.intMap[key] == nil && object.intMap.keys == ["a"])
        let unmanaged = AllTypes(value: ["id": 2])
        unmanaged.intMap[key] = 3
        expectError(.invalidKey) { try realm.write { realm.add(unmanaged) } }
      }
      try realm.write {
        object.intMap["a$"] = 2
        object.intMap[""] = 3
      }
      #expect(object.intMap.keys == ["", "a", "a$"])
      try store.check()
    }
  }

  @Test func mapSetToItselfBecomesEmpty() throws {
    try withTemporaryRealm { realm, _ in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      try realm.write {
        object.intMap["a"] = 1
        object.intMap.merge(object.intMap) { $1 }
        #expect(object.intMap["a"] == 1 && object.intMap.count == 1)
        object.intMap.set(object.intMap)
      }
      #expect(object.intMap.isEmpty)
      let map = Map<String, Int>()
      map["a"] = 1
      map.set(map)
      #expect(map.isEmpty)
    }
  }

  @Test func assigningMapReplacesEntries() throws {
    try withTemporaryRealm { realm, store in
      let first = AllTypes(value: ["id": 1])
      first.intMap["a"] = 1
      let second = AllTypes(value: ["id": 2])
      second.intMap["b"] = 2
      try realm.write { realm.add([first, second]) }
      try realm.write { first.intMap = second.intMap }
      #expect(first.intMap.keys == ["b"] && second.intMap.keys == ["b"])
      try realm.write { first.intMap = Map() }
      #expect(first.intMap.isEmpty && second.intMap.count == 1)
      try store.check()
    }
  }

  @Test func nullValueIsAnEntry() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      try realm.write {
        object.optionalIntMap["a"] = .some(nil)
        object.optionalIntMap["b"] = 1
        object.linkMap["me"] = .some(object)
      }
      #expect(object.optionalIntMap["a"] == .some(nil) && object.optionalIntMap["c"] == nil)
      #expect(object.optionalIntMap.count == 2 && object.optionalIntMap.values == [nil, 1])
      try realm.write { object.optionalIntMap["a"] = nil as Int?? }
      #expect(object.optionalIntMap.keys == ["b"])
      try store.check()
    }
  }
}

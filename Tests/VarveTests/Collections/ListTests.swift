import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

@Suite struct ListTests {
  /// Runs the same random steps on an unmanaged list, a managed list and an array.
  private func compare<Element: RealmCollectionValue>(
    _ path: KeyPath<AllTypes, List<Element>>, steps: Int = 400,
    _ make: @escaping (inout SeededRandom) -> Element
  ) throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, store in
      let unmanaged = List<Element>()
      var array: [Element] = []
      var first = random
      for _ in 0..<steps { ListSteps.run(unmanaged, &array, &first, make) }
      #expect(Array(unmanaged) == array, "\(random)")

      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      let list = object[keyPath: path]
      var expected: [Element] = []
      var second = random
      for block in 0..<8 {
        let frozen = list.freeze()
        let before = expected
        try realm.write {
          for _ in 0..<steps / 8 { ListSteps.run(list, &expected, &second, make) }
          #expect(Array(list) == expected && list.count == expected.count, "\(random)")
        }
        #expect(Array(list) == expected, "block \(block), \("\(random)")")
        #expect(list.indices.map { list[$0] } == expected, "\(random)")
        #expect(list.reversed() == expected.reversed() && list.last == expected.last)
        #expect(Array(frozen) == before && frozen.count == before.count, "\(random)")
        for element in expected.prefix(3) {
          #expect(list.index(of: element) == expected.firstIndex(of: element))
        }
        try store.check("\(random)")
      }
      #expect(expected == array, "the steps are the same")
    }
  }

  @Test func integers() throws { try compare(\.ints) { $0.below(1_000) - 500 } }
  @Test func smallIntegers() throws { try compare(\.int8s) { Int8($0.below(256) - 128) } }
  @Test func optionalIntegers() throws {
    try compare(\.optionalInt16s) { $0.chance(30) ? nil : Int16($0.below(99) - 50) }
  }
  @Test func booleans() throws { try compare(\.bools) { $0.chance(50) } }
  @Test func doubles() throws { try compare(\.doubles) { Double($0.below(9)) / 2 } }
  @Test func optionalDates() throws {
    try compare(\.optionalDates) {
      $0.chance(30) ? nil : Date(timeIntervalSinceReferenceDate: Double($0.below(9)))
    }
  }
  @Test func identifiers() throws {
    try compare(\.uuids) { random in
      UUID(uuid: (UInt8(random.below(9)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }
  }
  @Test func strings() throws {
    try compare(\.strings) { random in
      String(repeating: "s", count: random.chance(10) ? 600 : random.below(30))
        + "\(random.below(9))"
    }
  }
  @Test func optionalDatas() throws {
    try compare(\.optionalDatas) { random in
      random.chance(20)
        ? nil : Data(repeating: 1, count: random.chance(10) ? 700 : random.below(9))
    }
  }
  @Test func enumerations() throws {
    try compare(\.colors) { Color.allCases[$0.below(3)] }
  }

  /// Few targets, so that each occurs many times in the list and a single wrong backlink count is
  /// found.
  @Test func links() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var leaves: [Leaf] = (0..<40).map { Leaf(value: ["id": $0]) }
      let node = Node(value: ["key": "owner"])
      try realm.write {
        realm.add(leaves)
        realm.add(node)
      }
      var expected: [Leaf] = []
      // Many short writes: at the beginning of each write the list's leaves belong to the snapshot.
      for block in 0..<25 {
        try realm.write {
          let more = (0..<200).map { _ in random.pick(leaves) }
          node.leaves.append(objectsIn: more)
          expected += more
        }
        try realm.write {
          for _ in 0..<16 {
            ListSteps.run(node.leaves, &expected, &random) { [leaves] in $0.pick(leaves) }
          }
        }
        #expect(node.leaves.map(\.id) == expected.map(\.id), "block \(block), \("\(random)")")
        try store.check("\(random)")
        let gone = leaves.removeFirst()
        expected.removeAll { $0 == gone }
        try realm.write { realm.delete(gone) }
        #expect(node.leaves.map(\.id) == expected.map(\.id), "block \(block), \("\(random)")")
        try store.check("\(random)")
      }
    }
  }

  @Test func linkReadBeforeEarlierChangeIsReleased() throws {
    try withTemporaryRealm { realm, store in
      let leaves = (0..<1000).map { Leaf(value: ["id": $0]) }
      let node = Node(value: ["key": "owner"])
      try realm.write {
        realm.add(leaves)
        realm.add(node)
        node.leaves.append(objectsIn: leaves)
      }
      let list = node.leaves
      try realm.write {
        list.insert(leaves[0], at: 0)
        #expect(list[601] == leaves[600])
        list.insert(leaves[0], at: 0)
        list.remove(at: 602)
        list[601] = leaves[5]
        list[602] = leaves[6]
      }
      #expect(list[600...603].map(\.id) == [598, 5, 6, 602])
      try store.check()
      try realm.write { realm.delete(leaves[601]) }
      #expect(!list.contains { $0.isInvalidated })
      try store.check()
    }
  }

  @Test func listOfHundredThousandElementsIsChanged() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      try realm.write {
        object.ints.append(objectsIn: 0..<100_000)
        for index in stride(from: 99_999, through: 0, by: -1_000) { object.ints.remove(at: index) }
      }
      var expected = Array(0..<100_000)
      for index in stride(from: 99_999, through: 0, by: -1_000) { expected.remove(at: index) }
      #expect(Array(object.ints) == expected)
      #expect(object.ints[50_000] == expected[50_000])
      try store.check()
      try realm.write { object.ints.removeAll() }
      #expect(object.ints.isEmpty)
      #expect(try store.count(.lists) == 0)
    }
  }

  @Test func listCanBeItsOwnSource() throws {
    try withTemporaryRealm { realm, _ in
      let object = try realm.write {
        realm.create(AllTypes.self, value: ["id": 1, "ints": [1, 2, 3]])
      }
      try realm.write {
        object.ints.append(objectsIn: object.ints)
        #expect(Array(object.ints) == [1, 2, 3, 1, 2, 3])
        object.ints = object.ints
        object.ints.insert(contentsOf: Array(object.ints), at: 3)
      }
      #expect(object.ints.count == 12)
      let list = List<Int>()
      list.append(objectsIn: [1, 2])
      list.append(objectsIn: list)
      #expect(Array(list) == [1, 2, 1, 2])
    }
  }

  @Test func emptyListCanBeReadBeforeFirstAppend() throws {
    try withTemporaryRealm { realm, store in
      let reads: [(Node) -> Bool] = [
        { Array($0.leaves).isEmpty },
        { $0.leaves.index(of: Leaf(value: ["id": 1])) == nil },
        { node in node.leaves.index(of: realm.objects(Leaf.self).first ?? Leaf()) == nil },
        { $0.leaves.where { $0.rank == 1 }.isEmpty },
        { $0.leaves.first == nil && $0.leaves.map(\.id) == [] },
      ]
      let leaf = Leaf(value: ["id": 0])
      try realm.write { realm.add(leaf) }
      for (number, read) in reads.enumerated() {
        let node = Node(value: ["key": "\(number)"])
        try realm.write { realm.add(node) }
        try realm.write {
          #expect(read(node), "read \(number)")
          node.leaves.append(leaf)
        }
        #expect(node.leaves.map(\.id) == [0], "read \(number)")
      }
      try store.check()
    }
  }

  @Test func assigningListReplacesElements() throws {
    try withTemporaryRealm { realm, store in
      let first = AllTypes(value: ["id": 1, "strings": ["a", "b"]])
      let second = AllTypes(value: ["id": 2, "strings": ["c"]])
      try realm.write { realm.add([first, second]) }
      let list = first.strings
      try realm.write { first.strings = second.strings }
      #expect(Array(list) == ["c"] && Array(second.strings) == ["c"])
      let other = List<String>()
      other.append(objectsIn: ["x", "y"])
      try realm.write { first.strings = other }
      #expect(Array(list) == ["x", "y"] && other.realm == nil)
      try realm.write { second.strings.append("d") }
      #expect(Array(first.strings) == ["x", "y"])
      try store.check()
    }
  }

  @Test func removeLastOfAnEmptyListDoesNothing() throws {
    try withTemporaryRealm { realm, _ in
      let object = try realm.write { realm.create(AllTypes.self, value: ["id": 1]) }
      try realm.write {
        object.ints.removeLast()
        object.ints.removeFirst()
        object.ints.append(1)
        object.ints.removeLast()
        object.ints.removeLast()
      }
      #expect(object.ints.isEmpty)
      let list = List<Int>()
      list.removeLast()
      list.removeFirst()
      #expect(list.isEmpty)
    }
  }

  @Test func equalElementsAreNotChanges() throws {
    try withTemporaryRealm { realm, store in
      let other = AllTypes(value: ["id": 2])
      let long = String(repeating: "l", count: 600)
      let object = AllTypes(
        value: [
          "id": 1, "strings": ["a", "b", "b", long], "doubles": [0.0, Double.nan],
          "optionalInts": [nil, 1], "stringMap": ["k": "v", "l": long],
          "optionalIntMap": ["n": nil],
        ])
      try realm.write {
        realm.add([object, other])
        object.links.append(other)
        object.linkMap["o"] = other
      }
      let handles: [any _AnyCollection] = [
        object.strings, object.doubles, object.optionalInts, object.links, object.stringMap,
        object.optionalIntMap, object.linkMap,
      ]
      let slots = { () throws -> [CollectionSlot?] in
        let snapshot = try store.configuration.store().newestSnapshot()
        return try handles.map { try $0.handle.content(in: snapshot)?.slot }
      }
      let setEqualOnes = {
        object.strings[1] = "b"
        object.strings.swapAt(1, 2)
        object.strings.swapAt(3, 3)
        object.strings[3] = long
        object.doubles[0] = 0.0
        object.doubles[1] = .nan
        object.optionalInts[0] = nil
        object.optionalInts[1] = 1
        object.links[0] = other
        object.stringMap["k"] = "v"
        object.stringMap["l"] = long
        object.stringMap["absent"] = nil
        object.optionalIntMap["n"] = .some(nil)
        object.linkMap["o"] = other
        object.strings.removeSubrange(2..<2)
        object.strings.append(objectsIn: [])
      }
      let version = realm.version
      let before = try slots()
      try realm.write(setEqualOnes)
      #expect(realm.version == version, "nothing was changed")
      try realm.write {
        object.int = 5
        setEqualOnes()
      }
      #expect(realm.version != version)
      let after = try slots()
      #expect(after == before, "the revisions are those of before")
      try realm.write { object.strings[1] = "c" }
      #expect(try slots().first != before.first)
    }
  }
}

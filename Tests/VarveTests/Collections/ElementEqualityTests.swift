import Foundation
import Testing
import Varve

/// Which elements are found in a list, managed or not: the elements that `==` of their type
/// considers equal, as in an array.
@Suite struct ElementEqualityTests {
  @Test func unmanagedCollectionsCompareByContents() throws {
    #expect(List<Int>() == List<Int>() && List([1, 2]) == List([1, 2]))
    #expect(List([1, 2]) != List([2, 1]) && List([1]) != List([1, 1]))
    #expect(Set([List([1, 2]), List([1, 2])]).count == 1)
    let map = Map<String, Int?>()
    let other = Map<String, Int?>()
    map["a"] = 1
    #expect(map != other)
    other["a"] = 1
    #expect(map == other && map.hashValue == other.hashValue)
    other["b"] = .some(nil)
    #expect(map != other)
    let set = MutableSet<String>()
    let same = MutableSet<String>()
    set.insert(objectsIn: ["a", "b"])
    same.insert(objectsIn: ["b", "a"])
    #expect(set == same && set.hashValue == same.hashValue)
    same.remove("a")
    #expect(set != same)
    #expect(AnyRealmValue.list(List([.int(1)])) == .list(List([.int(1)])))
    try withTemporaryRealm { realm, _ in
      let first = AllTypes(value: ["id": 1, "ints": [1, 2]])
      let second = AllTypes(value: ["id": 2, "ints": [1, 2]])
      #expect(first.ints == second.ints)
      try realm.write { realm.add([first, second]) }
      // A managed list is equal only to the same list property of the same object.
      #expect(first.ints != second.ints && first.ints != List([1, 2]) && first.ints == first.ints)
    }
  }

  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  /// Calls a closure with an unmanaged list, a managed list, the same list inside a write, and a
  /// frozen list.
  private func forms<Element: RealmCollectionValue>(
    _ path: KeyPath<AllTypes, List<Element>>, _ elements: [Element],
    _ body: (List<Element>, String) -> Void
  ) throws {
    try withTemporaryRealm { realm, _ in
      let object = AllTypes(value: ["id": 1])
      object[keyPath: path].append(objectsIn: elements)
      body(object[keyPath: path], "unmanaged")
      try realm.write { realm.add(object) }
      body(object[keyPath: path], "managed")
      #expect(Array(object[keyPath: path]).count == elements.count)
      body(object[keyPath: path].freeze(), "frozen")
      try realm.write {
        body(object[keyPath: path], "in a write, unchanged")
        object[keyPath: path].append(objectsIn: elements)
        object[keyPath: path].removeSubrange(0..<elements.count)
        body(object[keyPath: path], "in a write, changed")
      }
    }
  }

  private func expect<Element>(
    _ list: List<Element>, _ element: Element, at index: Int?, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(list.index(of: element) == index, "\(what)", sourceLocation: sourceLocation)
    #expect(list.firstIndex(of: element) == index, "\(what)", sourceLocation: sourceLocation)
    #expect(list.contains(element) == (index != nil), "\(what)", sourceLocation: sourceLocation)
  }

  @Test func stringsAreFoundInAnyNormalForm() throws {
    let long = String(repeating: "l", count: 700)
    try forms(\.strings, [long + "1", decomposed, composed, "x", long + "2"]) { list, what in
      expect(list, composed, at: 1, what)
      expect(list, decomposed, at: 1, what)
      expect(list, "X", at: nil, what)
      expect(list, long + "2", at: 4, what)
      expect(list, long, at: nil, what)
    }
  }

  @Test func numbersAreFoundByEquality() throws {
    try forms(\.doubles, [1, .nan, -0.0, .infinity]) { list, what in
      expect(list, .nan, at: nil, what)
      expect(list, 0.0, at: 2, what)
      expect(list, 2, at: nil, what)
    }
    try forms(\.optionalFloats, [nil, .nan, 0.0]) { list, what in
      expect(list, Float.nan, at: nil, what)
      expect(list, -0.0, at: 2, what)
      expect(list, nil, at: 0, what)
    }
    try forms(\.int8s, [5, -5, 0]) { list, what in
      expect(list, -5, at: 1, what)
      expect(list, 7, at: nil, what)
    }
    try forms(\.optionalBools, [true, nil, false]) { list, what in
      expect(list, nil, at: 1, what)
      expect(list, false, at: 2, what)
    }
  }

  @Test func otherValuesAreFound() throws {
    let (one, two) = (UUID(), UUID())
    try forms(\.optionalUUIDs, [nil, one, two]) { list, what in
      expect(list, two, at: 2, what)
      expect(list, nil, at: 0, what)
      expect(list, UUID(), at: nil, what)
    }
    let date = Date(timeIntervalSinceReferenceDate: 5)
    try forms(\.dates, [.distantPast, date]) { list, what in
      expect(list, date, at: 1, what)
      expect(list, date.addingTimeInterval(1e-6), at: nil, what)
    }
    try forms(\.colors, [.red, .blue]) { list, what in
      expect(list, .blue, at: 1, what)
      expect(list, .green, at: nil, what)
    }
    let long = Data(repeating: 1, count: 900)
    try forms(\.optionalDatas, [Data(), nil, long]) { list, what in
      expect(list, long, at: 2, what)
      expect(list, nil, at: 1, what)
      expect(list, Data(), at: 0, what)
    }
  }

  @Test func objectsAreFoundByRow() throws {
    try withTemporaryRealm { realm, store in
      let sheep = (0..<600).map { Sheep($0) }
      try realm.write {
        realm.add(sheep)
        sheep[0].friends.append(objectsIn: sheep)
      }
      let friends = sheep[0].friends
      let again = try #require(store.open().object(ofType: Sheep.self, forPrimaryKey: 500))
      expect(friends, again, at: 500, "another view's handle")
      expect(friends, Sheep(500), at: nil, "an unmanaged object")
      let frozen = friends.freeze()
      expect(frozen, frozen[500], at: 500, "frozen")
      expect(frozen, again, at: 500, "a live object in a frozen list")
      expect(friends, frozen[500], at: 500, "a frozen object in a live list")
      try realm.write {
        friends.remove(at: 3)
        expect(friends, again, at: 499, "in a write")
        expect(frozen, again, at: 500, "a frozen list in a write")
        expect(friends, sheep[3], at: nil, "in a write")
        realm.delete(sheep[9])
        expect(friends, sheep[9], at: nil, "a deleted object")
      }
      let list = List<Sheep>()
      let lamb = Sheep(1)
      list.append(objectsIn: [Sheep(1), lamb, again])
      expect(list, lamb, at: 1, "unmanaged objects are found by identity")
      expect(list, sheep[500], at: 2, "a managed object in an unmanaged list")
      try withTemporaryRealm { other, _ in
        let stranger = Sheep(500)
        try other.write { other.add(stranger) }
        expect(friends, stranger, at: nil, "an object of another store")
      }
    }
  }
}

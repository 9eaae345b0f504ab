import Testing
import Varve

@Suite struct ListRangeTests {
  /// Calls a closure with an unmanaged list and, inside a write, with a managed list.
  private func lists(_ body: (List<Int>) -> Void) throws {
    body(List(0..<10))
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let object = realm.create(AllTypes.self, value: ["id": 1, "ints": Array(0..<10)])
        body(object.ints)
      }
    }
  }

  @Test func rangesOfEveryKindAreAccepted() throws {
    try lists { list in
      list.removeSubrange(8...)
      #expect(Array(list) == Array(0..<8))
      list.removeSubrange(1...2)
      #expect(Array(list) == [0, 3, 4, 5, 6, 7])
      list.replaceSubrange(...1, with: [10, 11, 12])
      #expect(Array(list) == [10, 11, 12, 4, 5, 6, 7])
      list.removeFirst(2)
      list.removeFirst(0)
      #expect(Array(list) == [12, 4, 5, 6, 7])
      list += [1, 2]
      #expect(Array(list) == [12, 4, 5, 6, 7, 1, 2])
    }
  }

  @Test func rangeIsReplacedByAnyNumberOfElements() throws {
    try lists { list in
      list[1..<4] = list[8..<10]
      #expect(Array(list) == [0, 8, 9, 4, 5, 6, 7, 8, 9])
      list[0..<2] = List([1, 2])[0..<2]
      list[2..<9] = List<Int>()[0..<0]
      #expect(Array(list) == [1, 2])
      list[2..<2] = List([3, 4, 5])[0..<3]
      #expect(Array(list) == [1, 2, 3, 4, 5])
      list[1..<4].reverse()
      #expect(Array(list) == [1, 4, 3, 2, 5])
    }
  }

  @Test func assigningAppendsToAProperty() throws {
    try withTemporaryRealm { realm, _ in
      let object = AllTypes(value: ["id": 1])
      object.ints += [1]
      try realm.write {
        realm.add(object)
        object.ints += [2, 3]
      }
      #expect(Array(object.ints) == [1, 2, 3])
    }
  }

  @Test func removingTooManyElementsFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let object = AllTypes(value: ["id": 1, "ints": [1, 2]])
      try realm.write { realm.add(object) }
      for number in [3, -1] {
        let error = thrownError { try realm.write { object.ints.removeFirst(number) } }
        #expect(error?.code == .indexOutOfBounds)
        #expect(error?.className == "AllTypes" && error?.propertyName == "ints")
      }
      expectError(.indexOutOfBounds) { try realm.write { object.ints.removeSubrange(1...2) } }
      expectError(.indexOutOfBounds) {
        try realm.write { object.ints.replaceSubrange(1...2, with: []) }
      }
      #expect(Array(object.ints) == [1, 2])
    }
  }

  @Test func collectionsAreCreatedFromElements() {
    #expect(Array(List([1, 2, 2])) == [1, 2, 2])
    #expect(Array(MutableSet([2, 1, 2])) == [1, 2])
    #expect(List<Int>([]).isEmpty)
  }
}

import Testing
import Varve

@Model final class SortedShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var books: List<SortedBook>
  @Persisted var linked: List<SortedShelf>
}

@Model final class SortedBook: EmbeddedObject {
  @Persisted var title: String
}

/// Lists that are sorted in place.
@Suite struct ListSortingTests {
  private struct Refused: Error {}

  private func withShelf(_ body: (Realm, SortedShelf) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let shelf = try realm.write {
        realm.create(
          SortedShelf.self,
          value: [
            "id": 1, "numbers": [3, 1, 2],
            "books": [["title": "c"], ["title": "a"], ["title": "b"]],
            "linked": [["id": 3], ["id": 2]],
          ])
      }
      try body(realm, shelf)
      try store.check("sorted")
    }
  }

  @Test func elementsExchangeTheirPlaces() throws {
    try withShelf { realm, shelf in
      let first = shelf.books[1]
      try realm.write {
        shelf.numbers.sort()
        shelf.books.sort { $0.title < $1.title }
        shelf.linked.sort { $0.id < $1.id }
      }
      #expect(Array(shelf.numbers) == [1, 2, 3])
      #expect(shelf.books.map(\.title) == ["a", "b", "c"])
      #expect(shelf.linked.map(\.id) == [2, 3])
      #expect(shelf.books[0].isSameObject(as: first) && !first.isInvalidated)
      try realm.write {
        shelf.numbers.sort(by: >)
        shelf.books.reverse()
        shelf.books.swapAt(0, 1)
      }
      #expect(Array(shelf.numbers) == [3, 2, 1])
      #expect(shelf.books.map(\.title) == ["b", "c", "a"])
    }
  }

  @Test func genericAlgorithmsSortEmbeddedObjects() throws {
    func sort<C: MutableCollection & RandomAccessCollection>(
      _ elements: inout C, by order: (C.Element, C.Element) -> Bool
    ) { elements.sort(by: order) }
    func isEarly<C: MutableCollection>(
      _ elements: inout C, _ belongsInSecond: (C.Element) -> Bool
    ) { _ = elements.partition(by: belongsInSecond) }
    try withShelf { realm, shelf in
      var books = shelf.books
      try realm.write { sort(&books) { $0.title < $1.title } }
      #expect(shelf.books.map(\.title) == ["a", "b", "c"])
      try realm.write { isEarly(&books) { $0.title == "a" } }
      #expect(shelf.books.last?.title == "a")
      try realm.write { books.shuffle() }
      #expect(shelf.books.map(\.title).sorted() == ["a", "b", "c"])
    }
  }

  @Test func unmanagedListIsSorted() {
    let list = List<Int>()
    list.append(objectsIn: [2, 3, 1])
    list.sort()
    #expect(Array(list) == [1, 2, 3])
  }

  @Test func throwingOrderChangesNothing() throws {
    try withShelf { realm, shelf in
      try realm.write {
        #expect(throws: Refused.self) { try shelf.books.sort { _, _ in throw Refused() } }
      }
      #expect(shelf.books.map(\.title) == ["c", "a", "b"])
    }
  }
}

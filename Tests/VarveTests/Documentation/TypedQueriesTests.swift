import Testing
import Varve

/// The examples of the article “Typed queries”.
@Suite struct TypedQueriesTests {
  enum Shelf {
    @Model final class Author: Object {
      @Persisted(primaryKey: true) var name: String
      @Persisted var age: Int
    }

    @Model final class Chapter: EmbeddedObject {
      @Persisted var title: String
      @Persisted var pages: Int
    }

    @Model final class Book: Object {
      @Persisted(primaryKey: true) var title: String
      @Persisted var pages: Int
      @Persisted var author: Author?
      @Persisted var chapters: List<Chapter>
      @Persisted var tags: List<String>
      @Persisted var scores: Map<String, Int>
    }
  }
  private typealias Book = Shelf.Book

  @Test func articleStepsRunInOrder() throws {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let ann = ["name": "Ann", "age": 60] as [String: Any]
        realm.create(
          Book.self,
          value: [
            "title": "Storm", "pages": 320, "author": ann, "tags": ["sea"],
            "scores": ["Leeds": 5, "York": 2],
            "chapters": [["title": "Start", "pages": 20], ["title": "End", "pages": 40]],
          ] as [String: Any])
        realm.create(
          Book.self,
          value: [
            "title": "Écluse", "pages": 120, "author": ["name": "Bob", "age": 30],
            "tags": ["river"], "chapters": [["title": "All", "pages": 120]],
          ] as [String: Any])
      }

      let shelf = realm.objects(Book.self)
      print(shelf.where { $0.pages > 300 && $0.author.name == "Ann" }.count)  // 1
      print(shelf.where { 100 < $0.pages && $0.pages < $0.author.age * 10 }.count)  // 2
      print(
        shelf.where {
          $0.title.starts(with: "é", options: [.caseInsensitive, .diacriticInsensitive])
        }.count)  // 1

      print(shelf.where { $0.chapters.pages > 30 }.count)  // 2
      print(shelf.where { $0.chapters.allSatisfy { $0.pages > 30 } }.count)  // 1
      let ends = shelf.where { ($0.chapters.pages > 30 && $0.chapters.title == "End").count == 1 }
      print(ends.count)  // 1
      print(shelf.where { $0.chapters.pages.sum > $0.pages / 2 || $0.tags.count == 0 }.count)  // 1
      print(shelf.where { $0.tags.contains("sea") && $0.scores["Leeds"] >= 4 }.count)  // 1
    }
    #expect(printed.lines == ["1", "2", "1", "2", "1", "1", "1", "1"])
  }
}

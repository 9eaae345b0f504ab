import Foundation
import Testing
import Varve

/// A model file written for the Realm Swift SDK, without `@Model`, in the language mode of such a
/// package.
@Suite struct LibraryModelTests {
  /// A separate realm in memory, with all classes.
  private func makeRealm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [
          Address.self, GeoLocation.self, Person.self, LibraryAuthor.self, LibraryBook.self,
          Loan.self,
        ]))
  }

  /// A book with two authors and a value in each of its properties.
  private func makeBook() -> LibraryBook {
    let author = LibraryAuthor(value: [
      "name": "Ana Luz", "penName": "Luz", "genres": ["poetry", "novel"],
    ])
    author.address = Address(value: [
      "street": "Rua Nova 1", "location": ["latitude": 38.7, "longitude": -9.1],
    ])
    let book = LibraryBook(
      isbn: "1", title: "Rivers", authors: [author, LibraryAuthor(value: ["name": "Rui Sá"])])
    book.subtitle = "A guide"
    book.genre = .science
    book.pages = 320
    book.printRun = 5_000
    book.rating = 4.5
    book.price = "19.90"
    book.cover = Data([1, 2, 3])
    book.related.insert(LibraryBook(isbn: "2", title: "Lakes"))
    book.keywords.insert(objectsIn: ["water", "maps"])
    book.chapterPages.append(objectsIn: [10, 20, 30])
    book.remarks.append(objectsIn: ["good", nil])
    book.translations["pt"] = LibraryBook(isbn: "3", title: "Rios")
    book.prices["EUR"] = Decimal128(floatLiteral: 19.5)
    book.stockByShelf["A"] = .some(nil)
    book.warehouses["north"] = Address(value: ["street": "Cais 7", "city": "Porto"])
    book.extra = .string("signed")
    book.attributes["shelf"] = .int(4)
    book.history.append(objectsIn: [.date(.distantPast), .none])
    book.formerISBN = ISBN("0-9")
    book.formerISBNs.append(ISBN("0-8"))
    return book
  }

  @Test func everyPropertyIsReadBack() throws {
    let realm = try makeRealm()
    try realm.write { realm.add(makeBook()) }
    let book = try #require(realm.object(ofType: LibraryBook.self, forPrimaryKey: "1"))
    #expect(book.title == "Rivers" && book.subtitle == "A guide" && book.genre == .science)
    #expect(book.pages == 320 && book.printRun == 5_000 && book.edition == 1 && book.rating == 4.5)
    #expect(book.price == 19.9 && book.weight == 0.5 && book.isAvailable)
    #expect(book.cover == Data([1, 2, 3]) && book.secondGenre == nil)
    #expect(book.authors.map(\.name) == ["Ana Luz", "Rui Sá"])
    #expect(Set(book.authors[0].genres) == [.poetry, .novel])
    #expect(book.related.first?.title == "Lakes" && book.keywords.contains("maps"))
    #expect(Array(book.chapterPages) == [10, 20, 30] && Array(book.remarks) == ["good", nil])
    #expect(book.translations["pt"]??.title == "Rios" && book.prices["EUR"] == 19.5)
    #expect(book.stockByShelf.keys == ["A"] && book.stockByShelf["A"] == .some(nil))
    #expect(book.warehouses["north"]??.city == "Porto")
    #expect(book.extra.stringValue == "signed" && book.attributes["shelf"] == .int(4))
    #expect(Array(book.history) == [.date(.distantPast), .none])
    #expect(book.formerISBN == ISBN("0-9") && book.formerISBNs.first == ISBN("0-8"))
    let address = try #require(book.authors[0].address)
    #expect(address.city == "Lisboa" && address.location?.latitude == 38.7)
    #expect(address.residents.isEmpty && book.authors[0].books.first == book)
  }

  @Test func classMethodsDefineKeysAndColumns() throws {
    let realm = try makeRealm()
    let loan = try #require(realm.schema["Loan"])
    #expect(loan.primaryKeyProperty?.name == "id")
    #expect(loan.properties.filter(\.isIndexed).map(\.name).contains("due"))
    let person = try #require(realm.schema["Person"])
    #expect(person["birthday"]?.columnName == "date_of_birth")
    #expect(person["isSelected"] == nil && person["initials"] == nil)
    try realm.write { realm.add(Person(name: "Eva Gil", birthday: Date(timeIntervalSince1970: 1))) }
    #expect(realm.objects(Person.self).where { $0.birthday != nil }.first?.initials == "EG")
    #expect(realm.objects(Person.self).filter("birthday != nil").count == 1)
  }

  @Test func objectsAreCreatedUpdatedAndDeleted() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.add(makeBook())
      realm.create(LibraryBook.self, value: ["isbn": "1", "pages": 330], update: .modified)
    }
    let book = try #require(realm.objects(LibraryBook.self).filter("isbn == %@", "1").first)
    #expect(book.pages == 330 && book.title == "Rivers")
    let loan = Loan()
    try realm.write {
      loan.book = book
      loan.reader = Person(name: "Eva Gil")
      loan.condition = .worn
      realm.add(loan)
      book.slug = "rivers"
    }
    #expect(book.slugChanges == 1 && book.loans.first?.condition == .worn)
    #expect(loan.isOverdue == false || loan.due < Date())
    try realm.write { book.warehouses["north"] = nil }
    #expect(book.warehouses.isEmpty)
    try realm.write { realm.delete(book) }
    #expect(book.isInvalidated && loan.book == nil)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @Test func queriesFindMatchingObjects() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.add(makeBook())
      realm.add(Loan(value: ["book": ["isbn": "1"], "renewals": 2]), update: .modified)
    }
    let books = realm.objects(LibraryBook.self)
    #expect(books.where { $0.pages > 300 && $0.genre == .science }.map(\.isbn) == ["1"])
    #expect(books.where { $0.title.starts(with: "L") || $0.isbn.in(["3"]) }.count == 2)
    #expect(
      try books.filter("title BEGINSWITH[c] 'r' AND pages >= %@", 0).sorted(byKeyPath: "isbn").map(
        \.isbn) == ["1", "3"])
    #expect(books.sorted(by: \.title, ascending: false).first?.title == "Rivers")
    let most: Int? = try books.max(ofProperty: "pages")
    #expect(books.sum(of: \.pages) == 320 && most == 320)
    #expect(realm.objects(Loan.self).where { $0.book.title == "Rivers" }.count == 1)
    let people = realm.objects(LibraryAuthor.self).sorted(byKeyPath: "name")
    #expect(people.first?.books.count == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func changesAreObserved() async throws {
    let realm = try makeRealm()
    let books = realm.objects(LibraryBook.self).sorted(byKeyPath: "isbn")
    let (calls, heard) = AsyncStream.makeStream(of: String.self)
    let token = try books.observe { changes in
      switch changes {
      case .initial(let books):
        heard.yield("initial \(books.count)")
      case .update(let books, let deletions, let insertions, let modifications):
        heard.yield("\(books.count) \(deletions) \(insertions) \(modifications)")
      case .error(let error):
        heard.yield("\(error)")
      }
    }
    var said = calls.makeAsyncIterator()
    #expect(await said.next() == "initial 0")
    try await realm.write { realm.add(LibraryBook(isbn: "1", title: "Rivers")) }
    #expect(await said.next() == "1 [] [0] []")
    let book = try #require(books.first)
    let bookToken = try book.observe(keyPaths: [\LibraryBook.pages]) { change in
      if case .change(_, let properties) = change { heard.yield("\(properties)") }
    }
    try await realm.write(withoutNotifying: [token]) { book.pages = 10 }
    #expect(await said.next() == "[pages: 0 -> 10]")
    bookToken.invalidate()
    token.invalidate()
  }
}

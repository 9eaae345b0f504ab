// swift-format-ignore-file
//
// The tests of an app, from a file written for the Realm Swift SDK, with the changes that
// Docs/Coming-from-Realm.md requires: the import, and `try` before calls that can throw. A comment
// marks each further change.

import Foundation
import Varve
import XCTest

final class LibraryAppTests: XCTestCase {
    private func makeRealm(_ name: String = #function) -> Realm {
        let identifier = "\(type(of: self)).\(name)"
        return try! Realm(configuration: Realm.Configuration(inMemoryIdentifier: identifier))
    }

    override func tearDown() {
        super.tearDown()
    }

    @discardableResult
    private func addBooks(to realm: Realm) -> [LibraryBook] {
        let books = (1...5).map { number -> LibraryBook in
            let book = LibraryBook(isbn: "isbn-\(number)", title: "Title \(number)")
            book.pages = number * 100
            book.genre = number % 2 == 0 ? .poetry : .science
            book.rating = number == 3 ? nil : Float(number)
            book.keywords.insert(objectsIn: ["k\(number)", "all"])
            book.chapterPages.append(objectsIn: (1...number).map { $0 * 10 })
            return book
        }
        try! realm.write {
            realm.add(books)
        }
        return books
    }

    // MARK: Objects

    func testCreateReadUpdateDelete() {
        let realm = makeRealm()
        let book = LibraryBook(value: ["isbn": "1", "title": "One", "pages": 12, "isAvailable": 0])
        XCTAssertNil(book.realm)
        try! realm.write {
            realm.add(book)
        }
        XCTAssertEqual(book.realm, realm)
        XCTAssertFalse(book.isAvailable)
        try! realm.write {
            realm.create(LibraryBook.self, value: ["isbn": "1", "pages": 13], update: .modified)
        }
        XCTAssertEqual(book.title, "One")
        XCTAssertEqual(book.pages, 13)
        XCTAssertTrue(realm.object(ofType: LibraryBook.self, forPrimaryKey: "1")!.isSameObject(as: book))
        try! realm.write {
            realm.delete(book)
        }
        XCTAssertTrue(book.isInvalidated)
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 0)
    }

    func testUnknownKeysOfJSONAreIgnored() {
        let realm = makeRealm()
        let json = #"{"isbn": "7", "title": "Seven", "pages": 70, "isAvailable": 1, "server_rev": 3, "authors": [{"name": "Ana", "age": 4}]}"#
        let value = try! JSONSerialization.jsonObject(with: Data(json.utf8))
        try! realm.write {
            realm.create(LibraryBook.self, value: value)
        }
        let book = realm.objects(LibraryBook.self).first!
        XCTAssertEqual(book.authors.first?.name, "Ana")
        XCTAssertEqual(book.authors.first?.books.count, 1)
        XCTAssertTrue(book.isAvailable)
    }

    func testCreateCopiesNestedObjects() {
        let realm = makeRealm()
        let author = LibraryAuthor(value: ["name": "Ana"])
        try! realm.write {
            realm.create(LibraryBook.self, value: ["isbn": "1", "authors": [author]])
        }
        XCTAssertNil(author.realm)
        XCTAssertEqual(realm.objects(LibraryAuthor.self).count, 1)
    }

    func testKeyValueCoding() {
        let realm = makeRealm()
        addBooks(to: realm)
        let books = realm.objects(LibraryBook.self)
        XCTAssertEqual(try books.value(forKey: "title") as! [String], (1...5).map { "Title \($0)" })
        XCTAssertEqual(try books[0].value(forKey: "edition") as! Int16, 1)
        XCTAssertEqual(books[0]["pages"] as! Int, 100)
        try! realm.write {
            try books.setValue(7, forKey: "edition")
            books[0]["subtitle"] = "sub"
        }
        XCTAssertEqual(books.last?.edition, 7)
        XCTAssertEqual(books.first?.subtitle, "sub")
    }

    func testPrimaryKeyIsUnique() {
        let realm = makeRealm()
        addBooks(to: realm)
        // Changed: the SDK throws an exception; Varve throws an error from the write.
        XCTAssertThrowsError(try realm.write {
            realm.add(LibraryBook(isbn: "isbn-1", title: "again"))
        })
        try! realm.write {
            realm.add(LibraryBook(isbn: "isbn-1", title: "again"), update: .all)
        }
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 5)
    }

    func testEmbeddedObjects() {
        let realm = makeRealm()
        let person = Person(name: "Rui Costa")
        person.address = Address(value: ["street": "Rua 1", "location": ["latitude": 1.5]])
        try! realm.write {
            realm.add(person)
        }
        XCTAssertEqual(person.address!.residents.first!.name, "Rui Costa")
        XCTAssertEqual(person.initials, "RC")
        let address = person.address!
        try! realm.write {
            person.address = nil
        }
        XCTAssertTrue(address.isInvalidated)
    }

    // MARK: Queries

    func testQueries() {
        let realm = makeRealm()
        addBooks(to: realm)
        let books = realm.objects(LibraryBook.self)
        XCTAssertEqual(books.filter("pages > 300").count, 2)
        XCTAssertEqual(try books.filter("pages > %@ AND genre == %@", 200, Genre.science).count, 2)
        XCTAssertEqual(try books.filter("title IN %@", ["Title 1", "Title 4"]).count, 2)
        XCTAssertEqual(books.filter("ANY keywords == 'k3'").first?.isbn, "isbn-3")
        XCTAssertEqual(books.filter("isAvailable = 1").count, 5)
        XCTAssertEqual(books.filter("rating == nil").count, 1)
        XCTAssertEqual(books.filter("chapterPages.@count > 3").count, 2)
        XCTAssertEqual(books.where { $0.pages > 300 && $0.genre == .science }.count, 1)
        XCTAssertEqual(books.where { $0.title.starts(with: "Title") }.count, 5)
        XCTAssertEqual(books.where { $0.keywords.contains("k2") }.count, 1)
        XCTAssertEqual(books.where { $0.chapterPages.contains(10...20) }.count, 2)
        XCTAssertEqual(books.where { $0.chapterPages == 50 }.count, 1)
        XCTAssertEqual(books.where { $0.chapterPages.sum >= 100 }.count, 2)
        XCTAssertEqual(books.where { $0.rating >= $0.rating }.count, 5)
        XCTAssertEqual(books.where { $0.pages.contains(100..<300) }.count, 2)
        XCTAssertEqual(books.where { $0.genre.in([.poetry]) }.count, 2)
        let sorted = books.sorted(byKeyPath: "pages", ascending: false)
        XCTAssertEqual(sorted.first?.pages, 500)
        XCTAssertEqual(books.sorted(by: [SortDescriptor(keyPath: "genre"), SortDescriptor(keyPath: \LibraryBook.pages, ascending: false)]).map(\.pages), [500, 300, 100, 400, 200])
        XCTAssertEqual(books.distinct(by: ["genre"]).count, 2)
        XCTAssertEqual(try books.max(ofProperty: "pages") as Int?, 500)
        XCTAssertEqual(try books.sum(ofProperty: "pages") as Int, 1500)
        XCTAssertEqual(try books.average(ofProperty: "pages") as Double?, 300)
        XCTAssertEqual(books.min(of: \.pages), 100)
        XCTAssertEqual(books.index(matching: "pages == 300"), 2)
        XCTAssertEqual(books.index(of: books[3]), 3)
        XCTAssertEqual(Array(books[1...2].map(\.pages)), [200, 300])
        XCTAssertEqual(books.objects(at: IndexSet([0, 4])).map(\.pages), [100, 500])
    }

    func testSubqueriesAndLinks() {
        let realm = makeRealm()
        let books = addBooks(to: realm)
        let author = LibraryAuthor(value: ["name": "Ana"])
        try! realm.write {
            realm.add(author)
            books[0].authors.append(author)
            books[1].authors.append(author)
            realm.add(Loan(value: ["book": books[0], "due": Date.distantFuture]))
        }
        let all = realm.objects(LibraryBook.self)
        XCTAssertEqual(author.books.count, 2)
        XCTAssertEqual(author.books.filter("pages == 200").first, books[1])
        XCTAssertEqual(all.filter("ANY authors.name == 'Ana'").count, 2)
        XCTAssertEqual(all.filter("SUBQUERY(authors, $a, $a.name == 'Ana').@count > 0").count, 2)
        XCTAssertEqual(all.where { ($0.authors.name == "Ana").count == 1 }.count, 2)
        XCTAssertEqual(realm.objects(Loan.self).where { $0.book.title == "Title 1" }.count, 1)
        XCTAssertEqual(try realm.objects(Loan.self).filter("book == %@", books[0]).count, 1)
        XCTAssertEqual(books[0].loans.count, 1)
    }

    // MARK: Collections

    func testLists() {
        let list = List<Int>()
        list.append(objectsIn: [1, 2, 3, 4])
        list[1..<3] = List<Int>()[0..<0]
        XCTAssertEqual(Array(list), [1, 4])
        let same = List<Int>()
        same.append(objectsIn: [1, 4])
        XCTAssertEqual(list, same)
        XCTAssertEqual(list.index(matching: { $0 > 3 }), 1)
        let realm = makeRealm()
        let book = addBooks(to: realm)[4]
        try! realm.write {
            book.chapterPages.move(from: 0, to: 4)
            book.chapterPages.swapAt(0, 1)
            book.chapterPages.remove(at: 2)
            book.chapterPages.insert(99, at: 0)
            book.chapterPages.replaceSubrange(1..<2, with: [7, 8])
        }
        XCTAssertEqual(Array(book.chapterPages), [99, 7, 8, 20, 50, 10])
        XCTAssertEqual(book.chapterPages.max(), 99)
        XCTAssertEqual(book.chapterPages.sum(), 194)
        XCTAssertEqual(Array(book.chapterPages.sorted()), [7, 8, 10, 20, 50, 99])
        XCTAssertEqual(book.chapterPages.filter("SELF > 20").count, 2)
        try! realm.write {
            book.chapterPages.removeAll()
        }
        XCTAssertTrue(book.chapterPages.isEmpty)
    }

    func testMapsAndSets() {
        let realm = makeRealm()
        let books = addBooks(to: realm)
        let book = books[0]
        try! realm.write {
            book.prices["EUR"] = 12.5
            book.prices["USD"] = "14"
            book.translations["pt"] = books[1]
            book.stockByShelf["A"] = 3
            book.keywords.remove("all")
            book.related.insert(objectsIn: [books[1], books[2], books[1]])
        }
        XCTAssertEqual(Set(book.prices.keys), ["EUR", "USD"])
        XCTAssertEqual(book.prices["USD"], 14)
        XCTAssertEqual(book.prices.sum(), 26.5)
        XCTAssertEqual(book.translations["pt"]??.title, "Title 2")
        XCTAssertEqual(realm.objects(LibraryBook.self).where { $0.prices["EUR"] > 12 }.count, 1)
        XCTAssertEqual(realm.objects(LibraryBook.self).filter("prices['EUR'] > 12").count, 1)
        XCTAssertEqual(book.related.count, 2)
        XCTAssertTrue(book.related.contains(books[2]))
        XCTAssertEqual(Array(book.keywords), ["k1"])
        for entry in book.prices {
            XCTAssertGreaterThan(entry.value, 12)
        }
        try! realm.write {
            book.prices.removeObject(for: "EUR")
            book.prices["USD"] = nil
        }
        XCTAssertEqual(book.prices.count, 0)
    }

    func testMixedValues() {
        let realm = makeRealm()
        let book = addBooks(to: realm)[0]
        try! realm.write {
            book.extra = .string("signed")
            book.attributes["shelf"] = .int(4)
            book.history.append(objectsIn: [.none, .double(1.5), .object(book)])
        }
        switch book.extra {
        case .string(let text): XCTAssertEqual(text, "signed")
        default: XCTFail()
        }
        XCTAssertEqual(book.attributes["shelf"]?.intValue, 4)
        XCTAssertEqual(book.history[2].object(LibraryBook.self), book)
        let nested = AnyRealmValue.fromDictionary(["tags": .fromArray(["a", "b"])])
        try! realm.write {
            book.extra = nested
        }
        XCTAssertEqual(book.extra.dictionaryValue?["tags"]?.listValue?.count, 2)
        XCTAssertEqual(realm.objects(LibraryBook.self).where { $0.extra == nested }.count, 1)
        XCTAssertEqual(realm.objects(LibraryBook.self).where { $0.extra["tags"][0] == "a" }.count, 1)
    }

    // MARK: Notifications

    func testCollectionNotifications() throws {
        let realm = makeRealm()
        addBooks(to: realm)
        let initial = expectation(description: "initial")
        let update = expectation(description: "update")
        let token = try realm.objects(LibraryBook.self).sorted(byKeyPath: "pages").observe { (changes: RealmCollectionChange) in
            switch changes {
            case .initial(let books):
                XCTAssertEqual(books.count, 5)
                initial.fulfill()
            case .update(let books, let deletions, let insertions, let modifications):
                XCTAssertEqual(books.count, 5)
                XCTAssertEqual(deletions, [0])
                XCTAssertEqual(insertions, [4])
                XCTAssertEqual(modifications, [2])
                update.fulfill()
            case .error(let error):
                XCTFail("\(error)")
            }
        }
        wait(for: [initial], timeout: 30)
        try! realm.write {
            let books = realm.objects(LibraryBook.self).sorted(byKeyPath: "pages")
            books[2].title = "changed"
            realm.delete(books[0])
            realm.create(LibraryBook.self, value: ["isbn": "new", "pages": 900])
        }
        wait(for: [update], timeout: 30)
        token.invalidate()
    }

    func testObjectNotifications() throws {
        let realm = makeRealm()
        let book = addBooks(to: realm)[0]
        let changed = expectation(description: "changed")
        let deleted = expectation(description: "deleted")
        let token = try book.observe(keyPaths: [\LibraryBook.title]) { change in
            switch change {
            case .change(let object, let properties):
                XCTAssertEqual(properties.map(\.name), ["title"])
                XCTAssertEqual(properties[0].newValue as? String, "new")
                XCTAssertEqual((object as? LibraryBook)?.title, "new")
                changed.fulfill()
            case .deleted: deleted.fulfill()
            case .error: XCTFail()
            }
        }
        try! realm.write {
            book.pages = 1
        }
        try! realm.write {
            book.title = "new"
        }
        wait(for: [changed], timeout: 30)
        try! realm.write {
            realm.delete(book)
        }
        wait(for: [deleted], timeout: 30)
        token.invalidate()
    }

    func testRealmNotifications() throws {
        let realm = makeRealm()
        let told = expectation(description: "told")
        let token = try realm.observe { notification, _ in
            if notification == .didChange { told.fulfill() }
        }
        try! realm.write {
            realm.add(LibraryBook(isbn: "1", title: "t"))
        }
        wait(for: [told], timeout: 30)
        token.invalidate()
    }

    func testWritesWithoutNotifying() throws {
        let realm = makeRealm()
        let books = realm.objects(LibraryBook.self)
        let initial = expectation(description: "initial")
        let update = expectation(description: "update")
        let token = try books.observe { changes in
            switch changes {
            case .initial: initial.fulfill()
            case .update(_, _, let insertions, _):
                XCTAssertEqual(insertions, [1])
                update.fulfill()
            case .error: XCTFail()
            }
        }
        wait(for: [initial], timeout: 30)
        try! realm.write(withoutNotifying: [token]) {
            realm.add(LibraryBook(isbn: "1", title: "silent"))
        }
        try! realm.write {
            realm.add(LibraryBook(isbn: "2", title: "told"))
        }
        wait(for: [update], timeout: 30)
        token.invalidate()
    }

    // MARK: Threads

    func testThreads() {
        let realm = makeRealm()
        let book = addBooks(to: realm)[0]
        let reference = ThreadSafeReference(to: book)
        let configuration = realm.configuration
        let done = expectation(description: "done")
        DispatchQueue.global().async {
            let realm = try! Realm(configuration: configuration)
            guard let book = realm.resolve(reference) else { return XCTFail() }
            try! realm.write {
                book.title = "elsewhere"
            }
            done.fulfill()
        }
        wait(for: [done], timeout: 30)
        // Changed: `try`.
        try! realm.refresh()
        XCTAssertEqual(book.title, "elsewhere")
    }

    func testFrozenObjects() {
        let realm = makeRealm()
        let book = addBooks(to: realm)[0]
        let frozen = book.freeze()
        let all = realm.objects(LibraryBook.self).freeze()
        try! realm.write {
            book.title = "later"
            realm.add(LibraryBook(isbn: "9", title: "nine"))
        }
        XCTAssertTrue(frozen.isFrozen)
        XCTAssertEqual(frozen.title, "Title 1")
        XCTAssertEqual(all.count, 5)
        XCTAssertEqual(frozen.thaw()!.title, "later")
    }

    func testAsyncWrites() {
        let realm = makeRealm()
        let done = expectation(description: "done")
        realm.writeAsync {
            realm.add(LibraryBook(isbn: "1", title: "async"))
        } onComplete: { error in
            XCTAssertNil(error)
            done.fulfill()
        }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 1)
    }

    // MARK: Writes

    func testBegunWrites() {
        let realm = makeRealm()
        let same = makeRealm()
        // Changed: `try` before `beginWrite`.
        try! realm.beginWrite()
        XCTAssertTrue(same.isInWriteTransaction)
        same.create(LibraryBook.self, value: ["isbn": "1"])
        try! same.commitWrite()
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 1)
        try! realm.beginWrite()
        realm.deleteAll()
        same.cancelWrite()
        XCTAssertFalse(realm.isInWriteTransaction)
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 1)
        try! realm.beginWrite()
        realm.deleteAll()
        realm.invalidate()
        XCTAssertEqual(realm.objects(LibraryBook.self).count, 1)
    }

    func testAThrowingWriteKeepsNothing() {
        struct Failure: Error {}
        let realm = makeRealm()
        XCTAssertThrowsError(try realm.write {
            realm.add(LibraryBook(isbn: "1", title: "t"))
            throw Failure()
        }) { XCTAssertTrue($0 is Failure) }
        XCTAssertTrue(realm.isEmpty)
        XCTAssertEqual(try! realm.write { 5 }, 5)
    }

    // MARK: Files

    func testMigration() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try! FileManager.default.removeItem(at: folder) }
        var configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("a.realm"), schemaVersion: 1, objectTypes: [LibraryBook.self, LibraryAuthor.self])
        addBooks(to: try! Realm(configuration: configuration))
        // Changed: a file stays open until it is closed.
        try! Realm.close(configuration)
        configuration.schemaVersion = 2
        configuration.migrationBlock = { migration, oldSchemaVersion in
            XCTAssertEqual(oldSchemaVersion, 1)
            // Changed: `try`.
            try migration.enumerateObjects(ofType: LibraryBook.className()) { oldObject, newObject in
                newObject!["pages"] = oldObject!["pages"] as! Int + 1
            }
            migration.create(LibraryBook.className(), value: ["isbn": "made"])
        }
        do {
            let migrated = try! Realm(configuration: configuration)
            XCTAssertEqual(migrated.objects(LibraryBook.self).sum(of: \.pages), 1505)
            XCTAssertEqual(migrated.objects(LibraryBook.self).count, 6)
        }
        XCTAssertEqual(try! schemaVersionAtURL(configuration.fileURL!), 2)
        try! Realm.close(configuration)
        XCTAssertTrue(try! Realm.deleteFiles(for: configuration))
    }

    func testErrors() {
        let missing = Realm.Configuration(fileURL: URL(fileURLWithPath: "/nowhere/a.realm"))
        do {
            _ = try Realm(configuration: missing)
            XCTFail()
        } catch Realm.Error.fileNotFound {
        } catch {
            XCTFail("\(error)")
        }
        do {
            _ = try Realm(configuration: missing)
        } catch {
            XCTAssertTrue(error.localizedDescription.contains("/nowhere/a.realm"))
            XCTAssertEqual((error as? Realm.Error)?.fileURL?.path, "/nowhere/a.realm")
        }
    }

    // MARK: Schema and dynamic access

    func testSchema() {
        let realm = makeRealm()
        XCTAssertEqual(LibraryBook.sharedSchema()!.primaryKeyProperty?.name, "isbn")
        addBooks(to: realm)
        XCTAssertEqual(realm.schema["LibraryBook"]?.properties.first?.name, "isbn")
        XCTAssertEqual(try realm.dynamicObjects("LibraryBook").count, 5)
        XCTAssertEqual(try realm.dynamicObject(ofType: "LibraryBook", forPrimaryKey: "isbn-2")?["title"] as? String, "Title 2")
    }

    func testSections() {
        let realm = makeRealm()
        addBooks(to: realm)
        let sections = realm.objects(LibraryBook.self).sectioned(by: \.genre, ascending: true)
        XCTAssertEqual(sections.allKeys, [.science, .poetry])
        XCTAssertEqual(sections[1].count, 2)
        XCTAssertEqual(sections[IndexPath(item: 0, section: 1)].genre, .poetry)
    }
}

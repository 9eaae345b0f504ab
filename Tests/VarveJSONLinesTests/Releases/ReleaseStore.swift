import Foundation
import Varve

/// Writes the store of version 0.1.0. Every value is fixed.
struct ReleaseStore0_1_0 {
  static let longText = String(repeating: "long text ", count: 60)
  static let longKey = String(repeating: "k", count: 600)
  static let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
  static let noteCount = 1300
  static let schemaVersion: UInt64 = 3

  let realm: Realm

  /// Writes all objects, in several transactions.
  ///
  /// - Parameter configuration: A store that does not exist.
  static func write(_ configuration: Realm.Configuration) throws {
    var configuration = configuration
    configuration.objectTypes = Release0_1_0.Early.types
    let early = try Realm(configuration: configuration)
    try early.write {
      early.create(Release0_1_0.Early.ArchivedNote.self, value: ["text": "early bird"])
      early.create(Release0_1_0.Early.ArchivedNote.self, value: ["text": "early worm"])
      early.create(
        Release0_1_0.Early.ArchivedGone.self, value: ["id": 1, "numbers": Array(0..<500)])
    }
    try Realm.close(configuration)
    configuration.objectTypes = Release0_1_0.types
    configuration.schemaVersion = schemaVersion
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "ArchivedNote", from: "level", to: "rank")
      _ = migration.deleteData(forType: "ArchivedGone")
    }
    let store = ReleaseStore0_1_0(realm: try Realm(configuration: configuration))
    try store.addNotes()
    try store.addBooks()
    try store.change()
    try Realm.close(configuration)
  }

  /// More notes than the pending entries of a full-text index.
  private func addNotes() throws {
    for start in stride(from: 0, to: Self.noteCount, by: 100) {
      try realm.write {
        for number in start..<start + 100 {
          realm.create(
            Release0_1_0.ArchivedNote.self,
            value: ["text": "note \(number % 10) of \(number / 10)", "rank": number % 3])
        }
      }
    }
  }

  private func addBooks() throws {
    let ann = Release0_1_0.ArchivedAuthor(value: ["name": "Ann"])
    let ben = Release0_1_0.ArchivedAuthor(value: ["name": "Ben"])
    try realm.write {
      realm.add([ann, ben])
      realm.create(Release0_1_0.ArchivedAuthor.self)
      realm.add(try book(0))
      let full = try book(1)
      realm.add(full)
      fill(full, ann, ben)
      for number in 0..<40 {
        let book = try book(2 + number)
        book.title = "Title \(number / 2)"
        book.year = 1990 + number % 4
        book.shelf = "S\(number % 5)"
        book.place = number
        book.code = "c\(number)"
        book.double = number % 3 == 0 ? nil : Double(number) / 4
        book.decimal = Decimal128(number) / 10
        book.int32 = Int32(number % 7)
        book.anything = number % 2 == 0 ? .int(number) : .string("\(number)")
        book.state = number % 3 == 0 ? .printed : .draft
        book.isSold = number % 3 == 0 ? nil : number % 3 == 1
        book.data = Data([UInt8(number)])
        book.author = number % 2 == 0 ? ann : ben
        realm.add(book)
      }
    }
  }

  /// Returns a book with an object id of its own, which would otherwise be generated.
  private func book(_ number: Int) throws -> Release0_1_0.ArchivedBook {
    let book = Release0_1_0.ArchivedBook()
    book.objectId = try ObjectId(string: String(format: "%024x", number))
    return book
  }

  private func fill(
    _ book: Release0_1_0.ArchivedBook, _ ann: Release0_1_0.ArchivedAuthor,
    _ ben: Release0_1_0.ArchivedAuthor
  ) {
    book.title = Self.longText
    book.year = -1
    book.code = "é\u{0}e\u{301}"
    book.text = "The quick fox, naïve und groß. " + Self.longText
    book.isOpen = true
    (book.int8, book.int16, book.int32, book.int64) = (.min, .max, .min, .min)
    (book.float, book.double) = (1.5, -0.0)
    book.decimal = Decimal128("1234567890123456789012345678901234E-10")
    book.date = Date(timeIntervalSinceReferenceDate: -1e9 - 0.125)
    book.uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
    book.state = .printed
    book.anything = ["list": [1, 2.5, nil], "name": "five", "author": .object(ann)]
    book.data = Self.bytes
    book.author = ann
    book.cover = page(3, ann)
    book.pages.append(objectsIn: (0..<5).map { page($0, $0 % 2 == 0 ? ben : nil) })
    book.pagesByName["first"] = page(1, nil)
    book.pagesByName["none"] = .some(nil)
    book.numbers.append(objectsIn: 0..<5000)
    book.words.append(objectsIn: [nil, "", "a", "\u{0}", "😀", Self.longText])
    book.small.append(objectsIn: [nil, -1, 5])
    book.dates.insert(Date(timeIntervalSinceReferenceDate: 0.5))
    book.dates.insert(Date(timeIntervalSinceReferenceDate: -1e9))
    book.ids.insert(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    for bytes in [Data(), Data([0]), Data([0, 255]), Self.bytes.prefix(600)] {
      book.blobs.insert(bytes)
    }
    let amounts: [Decimal128] = ["0.1", "0.10", "-3", "12345678901234567890.5"]
    for amount in amounts { book.amounts.insert(amount) }
    book.flags.insert(true)
    book.mixed.append(
      objectsIn: [
        .none, .int(.min), .bool(true), .float(0.5), .double(.nan), .string("s"),
        .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 0.5)), .object(ben),
        .decimal128(Decimal128("0.10")),
        .uuid(UUID(uuid: (UInt8(9), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
        .objectId(ObjectId("0102030405060708090a0b0c")), .int(9_007_199_254_740_993),
        ["a": ["b": [.object(ann)]]],
      ])
    book.authors.append(objectsIn: [ann, ben, ann])
    let decimals: [Decimal128] = ["0", "-0.00", "NaN", "Infinity", "1E+6000"]
    book.decimals.append(objectsIn: decimals)
    for number in 0..<200 { book.tags.insert("tag \(number * 37 % 200)") }
    // Cut keys with equal beginnings.
    for end in ["", "a", "b"] { book.tags.insert(Self.longKey + end) }
    let sizes: [Double?] = [nil, 0.5, -.infinity, .nan, 1e300]
    for size in sizes { book.sizes.insert(size) }
    let values: [AnyRealmValue] = [
      1, 1.5, "one", .none, .object(ann), .int(9_007_199_254_740_993),
      .double(9_007_199_254_740_992),
      .decimal128(Decimal128("0.1")), .bool(true), .string(Self.longKey),
      .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([1])),
    ]
    for value in values { book.mixedSet.insert(value) }
    for author in [ann, ben] { book.readers.insert(author) }
    for number in 0..<300 { book.counts["key \(number)"] = number % 9 == 0 ? .some(nil) : number }
    book.counts[""] = 0
    for (number, end) in ["", "a", "b"].enumerated() {
      book.counts[Self.longKey + end] = number + 1
    }
    book.byRole["editor"] = .some(ben)
    book.byRole["nobody"] = .some(nil)
    book.notes["list"] = [1, [2, "three"]]
    book.notes["text"] = .string(Self.longText)
  }

  private func page(_ width: Int, _ artist: Release0_1_0.ArchivedAuthor?)
    -> Release0_1_0.ArchivedPage
  {
    let page = Release0_1_0.ArchivedPage()
    page.width = width
    page.artist = artist
    if width > 2 {
      page.inner = self.page(width - 1, artist)
      page.lines.append(objectsIn: ["one", "two"])
    }
    return page
  }

  /// Deletes and changes objects, so that ids have gaps, keys have been used, and pages are free.
  private func change() throws {
    let books = realm.objects(Release0_1_0.ArchivedBook.self)
    try realm.write {
      realm.delete(books.where { $0.place == 39 || $0.place == 7 })
      realm.delete(
        realm.objects(Release0_1_0.ArchivedNote.self).where { $0.text.contains("note 3 of 5") })
    }
    try realm.write {
      let full = books.where { $0.year == -1 }.first
      full?.append(Data([1, 2, 3]), to: \.data)
      full?.numbers.insert(-1, at: 2500)
      full?.numbers.remove(at: 10)
      let notes = realm.objects(Release0_1_0.ArchivedNote.self)
      notes.last?.next = notes.first
      notes.first?.text = "early riser"
    }
    // Set to its own value, which the row records.
    try realm.write { books.last?.year = books.last?.year ?? 0 }
  }
}

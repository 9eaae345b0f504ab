import Foundation
import Testing
import Varve
import VarveJSONLines
import VarveTestSupport

/// A released version, whose store and text are in `Files`.
struct ReleasedVersion: Sendable, CustomTestStringConvertible {
  let name: String
  let types: [ObjectBase.Type]
  let schemaVersion: UInt64
  /// Writes the store with this build.
  let write: @Sendable (Realm.Configuration) throws -> Void

  static let all = [
    ReleasedVersion(
      name: "0.1.0", types: Release0_1_0.types, schemaVersion: ReleaseStore0_1_0.schemaVersion,
      write: ReleaseStore0_1_0.write)
  ]

  var testDescription: String { name }

  /// The path of the store without its extension. Its export is beside it.
  var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files/\(name)")
  }
}

/// Stores and texts written by released versions are read by all later ones.
///
/// `VARVE_RELEASE=0.1.0 swift test --filter ReleasedFilesTests` writes those of a new release, once.
/// The files of a release are never written again.
@Suite struct ReleasedFilesTests {
  private func withStore(
    _ release: ReleasedVersion, _ types: [ObjectBase.Type]? = nil,
    _ body: (TransferDirectory, Realm) throws -> Void
  ) throws {
    try TransferDirectory.with { directory in
      let copy = directory.path("copy.varve")
      try FileManager.default.copyItem(atPath: release.file.path + ".varve", toPath: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
      let realm = try directory.open(
        "copy.varve", types ?? release.types, schemaVersion: release.schemaVersion)
      try body(directory, realm)
    }
  }

  private func text(_ release: ReleasedVersion) throws -> String {
    try String(contentsOf: URL(filePath: release.file.path + ".jsonl"), encoding: .utf8)
  }

  /// Removes the default of object ids, which 0.1.0 did not know.
  private func withoutMarks(_ text: String) -> String {
    text.replacing(#","default":"9c3b71e2d84b06a59f1e2d70""#, with: "")
  }

  @Test(arguments: ReleasedVersion.all)
  func thisBuildWritesTheSameContent(release: ReleasedVersion) throws {
    try TransferDirectory.with { directory in
      let path = directory.path("new.varve")
      try release.write(.init(fileURL: URL(filePath: path), mapReservation: 1 << 30))
      let realm = try directory.open(
        "new.varve", release.types, schemaVersion: release.schemaVersion)
      let written = try directory.text(realm)
      if ProcessInfo.processInfo.environment["VARVE_RELEASE"] == release.name {
        try FileManager.default.copyItem(atPath: path, toPath: release.file.path + ".varve")
        try Data(written.utf8).write(
          to: URL(filePath: release.file.path + ".jsonl"), options: .withoutOverwriting)
      }
      let expected = try text(release)
      #expect(withoutMarks(written) == expected)
    }
  }

  @Test(arguments: ReleasedVersion.all)
  func storeContainsAllValues(release: ReleasedVersion) throws {
    try withStore(release) { directory, realm in
      let expected = try text(release)
      #expect(withoutMarks(try directory.text(realm)) == expected)
      #expect(try realm.check().isSound)
    }
  }

  @Test(arguments: ReleasedVersion.all)
  func storeIsReadWithoutClasses(release: ReleasedVersion) throws {
    try withStore(release, []) { directory, realm in
      let expected = try text(release)
      #expect(try directory.text(realm) == expected)
      let full = try realm.dynamicObjects("ArchivedBook").filter("year = -1").first
      #expect(full?["code"] as? String == "é\u{0}e\u{301}")
    }
  }

  @Test(arguments: ReleasedVersion.all)
  func textIsImported(release: ReleasedVersion) throws {
    try TransferDirectory.with { directory in
      let text = try text(release)
      #expect(
        try directory.text(try directory.importing(text, schemaVersion: release.schemaVersion))
          == text)
    }
  }

  /// The results of a query, which must not read all objects.
  private func byIndex<T: ObjectBase>(
    _ results: Results<T>, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Results<T> {
    #expect(!results.explain().scansClass, sourceLocation: sourceLocation)
    return results
  }

  @Test(arguments: ReleasedVersion.all)
  func indexesAnswerQueries(release: ReleasedVersion) throws {
    try withStore(release) { _, realm in
      let books = realm.objects(Release0_1_0.ArchivedBook.self)
      let notes = realm.objects(Release0_1_0.ArchivedNote.self)
      #expect(books.count == 40)
      #expect(byIndex(books.where { $0.title == "Title 4" }).map(\.place) == [8, 9])
      #expect(byIndex(books.where { $0.title == ReleaseStore0_1_0.longText }).count == 1)
      #expect(byIndex(books.where { $0.year == 1991 && $0.title == "Title 2" }).map(\.place) == [5])
      #expect(byIndex(books.where { $0.code == "é\u{0}e\u{301}" }).count == 1)
      #expect(byIndex(books.where { $0.double >= 9 }).map(\.place) == [37, 38])
      #expect(byIndex(books.where { $0.decimal == Decimal128("0.50") }).map(\.place) == [5])
      #expect(byIndex(books.where { $0.int32 == 6 }).map(\.place) == [6, 13, 20, 27, 34])
      #expect(byIndex(books.where { $0.anything == .int(12) }).map(\.place) == [12])
      #expect(byIndex(books.where { $0.state == .printed }).count == 14)
      #expect(byIndex(books.where { $0.isSold == true }).count == 12)
      #expect(byIndex(books.where { $0.data == Data([12]) }).map(\.place) == [12])
      #expect(
        byIndex(books.where { $0.date < Date(timeIntervalSinceReferenceDate: -1e9) }).count == 1)
      #expect(byIndex(books.where { $0.text.fullTextSearch("naive fox") }).count == 1)
      #expect(byIndex(notes.where { $0.text.fullTextSearch("7 129") }).count == 1)
      #expect(byIndex(notes.where { $0.text.fullTextSearch("early") }).count == 2)
      #expect(byIndex(notes.where { $0.text.fullTextSearch("bird") }).isEmpty)
    }
  }

  @Test(arguments: ReleasedVersion.all)
  func valuesOfEachTypeAreRead(release: ReleasedVersion) throws {
    try withStore(release) { _, realm in
      let found = realm.objects(Release0_1_0.ArchivedBook.self).where { $0.year == -1 }.first
      let book = try #require(found)
      #expect(book.int8 == .min && book.int16 == .max && book.int32 == .min && book.int64 == .min)
      #expect(book.float == 1.5 && book.double?.sign == .minus && book.isOpen)
      #expect("\(book.decimal)" == "123456789012345678901234.5678901234")
      #expect(book.date == Date(timeIntervalSinceReferenceDate: -1e9 - 0.125))
      #expect(book.objectId.stringValue == "000000000000000000000001" && book.state == .printed)
      #expect(book.data == ReleaseStore0_1_0.bytes + Data([1, 2, 3]))
      #expect(book.anything.dictionaryValue?["list"]?.listValue?.count == 3)
      #expect(book.author?.name == "Ann" && book.author?.books.count == 21)
      #expect(book.cover?.inner?.width == 2 && book.cover?.lines.count == 2)
      #expect(book.pages.map(\.width) == Array(0..<5) && book.pagesByName.count == 2)
      #expect(book.numbers.count == 5000 && book.numbers[2499] == -1 && book.numbers[10] == 11)
      #expect(book.words.count == 6 && book.words[4] == "😀" && book.mixed.count == 14)
      #expect(book.tags.count == 203 && book.tags.contains("tag 199") && book.sizes.count == 5)
      #expect(book.readers.count == 2 && book.mixedSet.count == 12)
      #expect(book.counts.count == 304 && book.counts[ReleaseStore0_1_0.longKey + "b"] == 3)
      #expect(book.byRole["editor"]??.name == "Ben" && book.notes.count == 2)
      let notes = realm.objects(Release0_1_0.ArchivedNote.self)
      #expect(notes.first?.text == "early riser" && notes.last?.next?.text == "early riser")
      #expect(notes.count == ReleaseStore0_1_0.noteCount + 2 - 11)
      #expect(notes[1].text == "early worm" && notes[1].rank == 7)
    }
  }

  @Test(arguments: ReleasedVersion.all)
  func storeIsWritten(release: ReleasedVersion) throws {
    try withStore(release) { _, realm in
      let books = realm.objects(Release0_1_0.ArchivedBook.self)
      let book = Release0_1_0.ArchivedBook()
      book.shelf = "new"
      book.code = "new"
      book.text = "fresh words"
      try realm.write {
        realm.add(book)
        for book in books {
          book.int8 = 1
          book.numbers.append(1)
          book.counts["new"] = 1
          book.tags.insert("new")
          book.text = "changed"
        }
      }
      // The key of the deleted last object is not generated again.
      #expect(book.id == 43 && books.last?.id == 43)
      #expect(books.where { $0.text.fullTextSearch("changed") }.count == 41)
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { books.first?.code = "c5" }
      }
      #expect(error?.code == .duplicateValue)
      try realm.write { realm.delete(realm.objects(Release0_1_0.ArchivedNote.self)) }
      #expect(try realm.check().isSound)
    }
  }
}

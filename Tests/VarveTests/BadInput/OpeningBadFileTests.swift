import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct OpeningBadFileTests {
  /// Expects an error that names the file, and expects that the file is unchanged.
  private func expect(
    _ code: Realm.Error.Code, opening configuration: Realm.Configuration,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let url = try #require(configuration.fileURL)
    let before = try? Data(contentsOf: url)
    let error = thrownError { try Realm(configuration: configuration) }
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.path?.hasPrefix(url.path) == true, sourceLocation: location)
    #expect((try? Data(contentsOf: url)) == before, sourceLocation: location)
  }

  private func withFile(
    _ content: Data, _ body: (Realm.Configuration) throws -> Void
  ) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try content.write(to: try #require(store.configuration.fileURL))
    try body(store.configuration)
  }

  /// The bytes of a closed store with some objects.
  private func storeBytes() throws -> Data {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write {
      for id in 0..<200 {
        realm.create(Crate.self, value: ["id": id, "label": "label \(id)", "numbers": [id]])
      }
    }
    try store.close()
    return try Data(contentsOf: try #require(store.configuration.fileURL))
  }

  @Test func fileOfAnotherKindIsRejected() throws {
    for content in [
      Data("this is a text file".utf8), Data(repeating: 0, count: 100_000),
      Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 8192), Data([0]),
      Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ] {
      try withFile(content) { try expect(.invalidDatabase, opening: $0) }
    }
  }

  @Test func emptyFileBecomesStore() throws {
    try withFile(Data()) { configuration in
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Sheep(1)) }
      #expect(realm.objects(Sheep.self).count == 1)
      try Realm.close(configuration)
    }
  }

  @Test func truncatedFileIsRejected() throws {
    let bytes = try storeBytes()
    for count in [5000, 8192, 20_000, bytes.count / 2, bytes.count - 4096] {
      try withFile(bytes.prefix(count)) { configuration in
        let code = errorCode { try Realm(configuration: configuration) }
        #expect(code == .corrupted || code == .invalidDatabase, "cut to \(count) bytes")
      }
    }
  }

  @Test func newerFormatVersionIsRejected() throws {
    var bytes = try storeBytes()
    // The root record begins with a magic number and the format version.
    let mark = Data("Vrve".utf8) + Data([1, 0, 0, 0])
    var from = bytes.startIndex
    var count = 0
    while let match = bytes.range(of: mark, in: from..<bytes.endIndex) {
      bytes[match.lowerBound + 4] = 2
      from = match.upperBound
      count += 1
    }
    #expect(count > 0)
    try withFile(bytes) { try expect(.unsupportedFileFormatVersion, opening: $0) }
  }

  /// Development builds before the first release used other marks with the same format version.
  @Test(arguments: ["VARV", "VRVE"])
  func fileOfEarlierDevelopmentBuildIsRejected(mark: String) throws {
    var bytes = try storeBytes()
    var from = bytes.startIndex
    while let match = bytes.range(of: Data("Vrve".utf8), in: from..<bytes.endIndex) {
      bytes.replaceSubrange(match, with: Data(mark.utf8))
      from = match.upperBound
    }
    try withFile(bytes) { configuration in
      let error = try #require(thrownError { try Realm(configuration: configuration) })
      #expect(error.code == .invalidDatabase)
      #expect(error.message.contains("earlier development build"), "\(error)")
    }
  }

  @Test func readOnlyOpeningDoesNotCreateStore() throws {
    let store = try TemporaryRealm { $0.readOnly = true }
    defer { store.remove() }
    try expect(.fileNotFound, opening: store.configuration)
    #expect(FileManager.default.fileExists(atPath: store.path) == false)
  }

  @Test func invalidPathIsRejected() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    var configuration = store.configuration
    configuration.fileURL = store.directory.appending(path: "no/such/directory/a.varve")
    try expect(.fileNotFound, opening: configuration)
    configuration.fileURL = store.directory
    #expect(thrownError { try Realm(configuration: configuration) } != nil)
    try Data("x".utf8).write(to: store.directory.appending(path: "plain"))
    configuration.fileURL = store.directory.appending(path: "plain/a.varve")
    let inFile = thrownError { try Realm(configuration: configuration) }
    #expect(inFile?.code == .fileAccess)
    #expect(inFile?.path == store.directory.appending(path: "plain").path)
    configuration.fileURL = store.directory.appending(path: String(repeating: "n", count: 300))
    try expect(.fileAccess, opening: configuration)
    configuration.fileURL = URL(filePath: "/proc/a.varve")
    let error = try #require(thrownError { try Realm(configuration: configuration) })
    #expect(error.path?.hasPrefix("/proc") == true)
  }

  @Test func unwritablePathIsRejected() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    try store.open().write { try store.open().add(Crate(1)) }
    try store.close()
    defer { setMode(0o600, store.path) }
    defer { setMode(0o700, store.directory.path) }
    setMode(0o444, store.path)
    setMode(0o555, store.directory.path)
    #expect(openingAsOrdinaryUser(store.path)?.hasPrefix("filePermissionDenied /") == true)
    #expect(openingAsOrdinaryUser(store.path + "2")?.hasPrefix("filePermissionDenied /") == true)
    setMode(0, store.directory.path)
    #expect(openingAsOrdinaryUser(store.path)?.hasPrefix("filePermissionDenied /") == true)
  }

  private func setMode(_ mode: mode_t, _ path: String) { #expect(chmod(path, mode) == 0) }

  /// The result of opening a store in another process. The process does not run as root, which
  /// could write everywhere.
  private func openingAsOrdinaryUser(_ path: String) -> String? {
    TestProcess((geteuid() == 0 ? ["asUser", "65534"] : []) + ["realmOpen", path]).line()
  }

  // MARK: Schema

  @Test func schemaMismatchListsEveryDifference() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    try store.open().write {
      try store.open().create(CaseOne.Case.self, value: ["id": 1, "name": "a", "size": 3])
    }
    try store.close()
    var configuration = store.configuration
    configuration.objectTypes = [CaseTwo.Case.self]
    let error = try #require(thrownError { try Realm(configuration: configuration) })
    #expect(error.code == .schemaMismatch)
    #expect(
      error.details == [
        "Property 'Case.name' has been changed from 'String' to 'Int'.",
        "Property 'Case.size' has been changed from 'Int' to 'Int?'.",
      ])
    // The error is the same when a write uses the class for the first time.
    let realm = try store.open()
    let late = thrownError { try realm.write { realm.create(CaseTwo.Case.self, value: ["id": 2]) } }
    #expect(late?.code == .schemaMismatch)
    #expect(late?.details == error.details)
    #expect(realm.objects(CaseOne.Case.self).map(\.name) == ["a"])
  }

  @Test func invalidSchemaIsRejected() throws {
    let store = try TemporaryRealm { $0.objectTypes = [BrokenCase.self] }
    defer { store.remove() }
    let error = try #require(thrownError { try store.open() })
    #expect(error.code == .invalidSchema)
    #expect(error.details.count == 1)
    #expect(error.details.first?.contains("BrokenCase.others") == true)
    try Realm.close(store.configuration)
  }

  @Test func differentOptionsForOpenFileAreRejected() throws {
    try withTemporaryRealm { realm, store in
      var configuration = store.configuration
      configuration.durability = .full
      let error = thrownError { try Realm(configuration: configuration) }
      #expect(error?.code == .alreadyOpen)
      #expect(error?.path == store.path)
      _ = realm
    }
  }
}

// Two declarations of one class.
enum CaseOne {
  @Model final class Case: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var size: Int
  }
}
enum CaseTwo {
  @Model final class Case: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: Int
    @Persisted var size: Int?
  }
}

@Model final class BrokenCase: Object {
  @Persisted var name: String
  @Persisted(originProperty: "nothing") var others: LinkingObjects<CaseOne.Case>
}

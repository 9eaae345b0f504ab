import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct OpeningBadFileTests {
  /// Expects an error that names the file, and that the file stays as it is.
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

  @Test func aFileThatIsNoStoreIsRefused() throws {
    for content in [
      Data("this is a text file".utf8), Data(repeating: 0, count: 100_000),
      Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 8192), Data([0]),
      Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ] {
      try withFile(content) { try expect(.invalidDatabase, opening: $0) }
    }
  }

  @Test func anEmptyFileBecomesAStore() throws {
    try withFile(Data()) { configuration in
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Sheep(1)) }
      #expect(realm.objects(Sheep.self).count == 1)
      try Realm.close(configuration)
    }
  }

  @Test func aTruncatedFileIsRefused() throws {
    let bytes = try storeBytes()
    for count in [5000, 8192, 20_000, bytes.count / 2, bytes.count - 4096] {
      try withFile(bytes.prefix(count)) { configuration in
        let code = errorCode { try Realm(configuration: configuration) }
        #expect(code == .corrupted || code == .invalidDatabase, "cut to \(count) bytes")
      }
    }
  }

  @Test func aFileOfALaterFormatIsRefused() throws {
    var bytes = try storeBytes()
    // The root record begins with a mark and the number of the format.
    let mark = Data("VARV".utf8) + Data([1, 0, 0, 0])
    var from = bytes.startIndex
    var count = 0
    while let place = bytes.range(of: mark, in: from..<bytes.endIndex) {
      bytes[place.lowerBound + 4] = 2
      from = place.upperBound
      count += 1
    }
    #expect(count > 0)
    try withFile(bytes) { try expect(.unsupportedFileFormatVersion, opening: $0) }
  }

  @Test func aStoreThatIsMissingIsNotMadeByAReader() throws {
    let store = try TemporaryRealm { $0.readOnly = true }
    defer { store.remove() }
    try expect(.fileNotFound, opening: store.configuration)
    #expect(FileManager.default.fileExists(atPath: store.path) == false)
  }

  @Test func aPathThatCannotBeAStoreIsRefused() throws {
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

  @Test func anUnwritablePathIsRefused() throws {
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

  /// How another process fares that opens a store; not as root, who may write everywhere.
  private func openingAsOrdinaryUser(_ path: String) -> String? {
    TestProcess((geteuid() == 0 ? ["asUser", "65534"] : []) + ["realmOpen", path]).line()
  }

  // MARK: Schema

  @Test func aSchemaThatDiffersIsRefusedWithEveryDifference() throws {
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
    // The same when a write meets the class first.
    let realm = try store.open()
    let late = thrownError { try realm.write { realm.create(CaseTwo.Case.self, value: ["id": 2]) } }
    #expect(late?.code == .schemaMismatch)
    #expect(late?.details == error.details)
    #expect(realm.objects(CaseOne.Case.self).map(\.name) == ["a"])
  }

  @Test func anUnsoundDeclarationIsRefused() throws {
    let store = try TemporaryRealm { $0.objectTypes = [BrokenCase.self] }
    defer { store.remove() }
    let error = try #require(thrownError { try store.open() })
    #expect(error.code == .invalidSchema)
    #expect(error.details.count == 1)
    #expect(error.details.first?.contains("BrokenCase.others") == true)
    try Realm.close(store.configuration)
  }

  @Test func otherOptionsForAnOpenFileAreRefused() throws {
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

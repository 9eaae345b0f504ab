import Foundation
import Testing
import Varve
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Copies, seeds, compaction and removal of files.
@Suite struct StoreFilesTests {
  private func url(_ store: TemporaryRealm, _ name: String) -> URL {
    store.directory.appending(path: name)
  }

  private func configuration(_ store: TemporaryRealm, _ name: String) -> Realm.Configuration {
    var configuration = store.configuration
    configuration.fileURL = url(store, name)
    return configuration
  }

  private func size(_ configuration: Realm.Configuration) throws -> Int {
    let path = try #require(configuration.fileURL?.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.size] as? Int ?? 0
  }

  @Test func copyContainsNewestVersionWithoutFreePages() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 50)
      try realm.write { realm.objects(Buoy.self).first?.padding = Data() }
      let copy = configuration(store, "copy.varve")
      try realm.writeCopy(configuration: copy)
      #expect(try size(copy) < size(store.configuration) / 2)
      let copied = try Realm(configuration: copy)
      #expect(copied.objects(Buoy.self).map(\.id) == [1])
      #expect(copied.version != realm.version && copied != realm)
      try copied.write { copied.add(Buoy(2)) }
      #expect(realm.objects(Buoy.self).count == 1)
      try Realm.close(copy)
    }
  }

  @Test func copyDoesNotReplaceExistingFile() throws {
    try withTemporaryRealm { realm, store in
      let target = url(store, "precious")
      try Data("precious".utf8).write(to: target)
      expectError(.fileExists) { try realm.writeCopy(toFile: target) }
      #expect(try Data(contentsOf: target) == Data("precious".utf8))
      let own = try #require(store.configuration.fileURL)
      expectError(.fileExists) { try realm.writeCopy(toFile: own) }
    }
  }

  @Test func invalidCopyThrows() throws {
    try withTemporaryRealm { realm, store in
      let target = url(store, "copy.varve")
      expectError(.invalidInput) {
        try realm.writeCopy(toFile: target, encryptionKey: Data(count: 64))
      }
      expectError(.invalidInput) {
        try realm.writeCopy(configuration: Realm.Configuration(inMemoryIdentifier: "copy"))
      }
      expectError(.alreadyInWriteTransaction) {
        try realm.write { try realm.writeCopy(toFile: target) }
      }
      try realm.beginWrite()
      expectError(.alreadyInWriteTransaction) { try realm.writeCopy(toFile: target) }
      try realm.cancelWrite()
      #expect(!FileManager.default.fileExists(atPath: target.path))
    }
  }

  @Test func inMemoryStoreIsCopiedToFile() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let memory = Realm.Configuration(inMemoryIdentifier: "copied", durability: .none)
    let realm = try Realm(configuration: memory)
    try realm.write { realm.add(Buoy(7)) }
    try realm.writeCopy(configuration: store.configuration)
    try Realm.close(memory)
    #expect(try store.open().objects(Buoy.self).map(\.id) == [7])
  }

  // MARK: Seeds

  @Test func newStoreStartsAsCopyOfSeed() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Buoy(1)) }
      var configuration = configuration(store, "new.varve")
      configuration.seedFilePath = store.configuration.fileURL
      // The seed is open, and has been written to.
      let new = try Realm(configuration: configuration)
      #expect(new.objects(Buoy.self).map(\.id) == [1])
      #expect(new.version != realm.version)
      try new.write { new.add(Buoy(2)) }
      #expect(realm.objects(Buoy.self).count == 1)
      try Realm.close(configuration)
      // The file exists now, so the seed is not read.
      configuration.seedFilePath = url(store, "missing")
      #expect(try Realm(configuration: configuration).objects(Buoy.self).count == 2)
      try Realm.close(configuration)
    }
  }

  @Test func invalidSeedLeavesNoFile() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let seed = url(store, "seed")
    var configuration = store.configuration
    configuration.seedFilePath = seed
    expectError(.fileNotFound) { try Realm(configuration: configuration) }
    try Data("no store at all".utf8).write(to: seed)
    let error = thrownError { try Realm(configuration: configuration) }
    #expect(error?.code == .invalidDatabase && error?.path == seed.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    #expect(names == ["seed"])
  }

  @Test func damagedSeedLeavesNoFile() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { for id in 0..<2000 { realm.add(Buoy(id)) } }
    try Realm.close(store.configuration)
    let path = try #require(store.configuration.fileURL)
    var bytes = try Data(contentsOf: path)
    for offset in stride(from: 2 * 4096, to: bytes.count, by: 4096) {
      for byte in 0..<24 { bytes[offset + byte] = 0xFF }
    }
    try bytes.write(to: path)
    var configuration = configuration(store, "new.varve")
    configuration.seedFilePath = path
    let error = thrownError { try Realm(configuration: configuration) }
    #expect(error?.code == .corrupted && error?.path == path.path)
    #expect(!Realm.fileExists(for: configuration))
  }

  // MARK: Compaction

  private final class CompactionCalls: Sendable {
    private let answers = Lock<[(Int, Int)]>([])
    var all: [(Int, Int)] { answers.withLock { $0 } }

    func note(_ total: Int, _ used: Int) -> Bool {
      answers.withLock { $0.append((total, used)) }
      return true
    }
  }

  /// A closed store whose file is mostly free pages.
  private func emptied() throws -> TemporaryRealm {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try grow(realm, versions: 20, bytes: 500_000)
    try realm.write { realm.objects(Buoy.self).first?.padding = Data() }
    try store.close()
    return store
  }

  @Test func fileIsCompactedAtFirstOpening() throws {
    let store = try emptied()
    defer { store.remove() }
    let before = try size(store.configuration)
    let version = try store.open().version
    try store.close()
    let calls = CompactionCalls()
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { calls.note($0, $1) }
    let realm = try Realm(configuration: configuration)
    #expect(calls.all.count == 1)
    #expect(calls.all.first?.0 == before)
    #expect(calls.all.first.map { $0.1 < before / 4 } == true)
    #expect(try size(configuration) < before / 4)
    #expect(realm.objects(Buoy.self).map(\.id) == [1])
    #expect(realm.version != version)
    try realm.write { realm.add(Buoy(2)) }
    // The store is already open, so the closure is not called.
    var other = store.configuration
    other.shouldCompactOnLaunch = { calls.note($0, $1) }
    #expect(try Realm(configuration: other).objects(Buoy.self).count == 2)
    #expect(calls.all.count == 1)
    try store.close()
    #expect(try store.open().objects(Buoy.self).count == 2)
    try store.close()
  }

  @Test func compactedFileKeepsModeAndGroup() throws {
    let store = try emptied()
    defer { store.remove() }
    let path = try #require(store.configuration.fileURL).path
    #expect(chmod(path, 0o660) == 0)
    // Only a privileged process may change a file's group.
    let group: gid_t = geteuid() == 0 ? 2000 : getegid()
    #expect(chown(path, geteuid(), group) == 0)
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    #expect(try Realm(configuration: configuration).objects(Buoy.self).map(\.id) == [1])
    var file = stat()
    #expect(stat(path, &file) == 0)
    #expect(file.st_mode & 0o777 == 0o660 && file.st_gid == group)
    try store.close()
  }

  @Test func fileOpenInAnotherProcessIsNotCompacted() throws {
    let store = try emptied()
    defer { store.remove() }
    let before = try size(store.configuration)
    let process = pinningProcess(store)
    let calls = CompactionCalls()
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { calls.note($0, $1) }
    #expect(try Realm(configuration: configuration).objects(Buoy.self).count == 1)
    #expect(calls.all.isEmpty)
    #expect(try size(configuration) == before)
    process.go()
    process.wait()
    try Realm.close(configuration)
  }

  @Test func refusedCompactionLeavesFileUnchanged() throws {
    let store = try emptied()
    defer { store.remove() }
    let path = try #require(store.configuration.fileURL)
    let before = try Data(contentsOf: path)
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { _, _ in false }
    let version = try Realm(configuration: configuration).version
    try Realm.close(configuration)
    #expect(try Data(contentsOf: path) == before)
    #expect(try store.open().version == version)
    try store.close()
  }

  @Test func failedCompactionLeavesFileUnchanged() throws {
    let store = try emptied()
    defer { store.remove() }
    // The other process has a file size limit below the size of the compacted file.
    let process = TestProcess(["realmCompact", store.path, "16384"])
    let lines = process.lines()
    process.wait()
    #expect(lines.contains("opened"))
    #expect(lines.contains { $0.contains("The file was not compacted.") })
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
    try store.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    #expect(names.allSatisfy { $0.hasPrefix("test.varve") })
  }

  private struct Waiting: @unchecked Sendable {
    // Safe because only one thread accesses it at a time.
    let process: TestProcess
  }

  @Test func processesOpeningDuringCompactionUseNewFile() throws {
    let store = try emptied()
    defer { store.remove() }
    let path = store.path
    let other = Lock<Waiting?>(nil)
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { _, _ in
      let process = TestProcess(["viewIncrement", path, "1", "1"])
      // The process blocks until this opening ends.
      waitUntilAsleep(process.pid, in: process.pid)
      other.withLock { $0 = Waiting(process: process) }
      return true
    }
    let realm = try Realm(configuration: configuration)
    let waiting = other.withLock { $0?.process }
    let process = try #require(waiting)
    #expect(process.line() == "missing")
    process.wait()
    try realm.write { realm.add(Buoy(2)) }
    try Realm.close(configuration)
  }

  // MARK: Removal

  @Test func deleteFilesRefusesOpenStore() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    #expect(!Realm.fileExists(for: store.configuration))
    #expect(try !Realm.deleteFiles(for: store.configuration))
    let realm = try store.open()
    try realm.write { realm.add(Buoy(1)) }
    #expect(Realm.fileExists(for: store.configuration))
    expectError(.alreadyOpen) { try Realm.deleteFiles(for: store.configuration) }
    #expect(realm.objects(Buoy.self).count == 1)
    try store.close()
    // The realm can still read.
    expectError(.alreadyOpen) { try Realm.deleteFiles(for: store.configuration) }
  }

  @Test func deleteFilesRemovesClosedStore() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try fillAndClose(store)
    #expect(try Realm.deleteFiles(for: store.configuration))
    #expect(!Realm.fileExists(for: store.configuration))
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path).isEmpty)
    #expect(try store.open().isEmpty)
    try store.close()
  }

  @Test func filesOpenInAnotherProcessAreNotRemoved() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try fillAndClose(store)
    let process = pinningProcess(store)
    let error = thrownError { try Realm.deleteFiles(for: store.configuration) }
    #expect(error?.code == .alreadyOpen && error?.path == store.path)
    #expect(error?.message == "Another process has the store open.")
    process.go()
    process.wait()
    #expect(try store.open().objects(Buoy.self).count == 1)
    try store.close()
    #expect(try Realm.deleteFiles(for: store.configuration))
  }

  @Test func inMemoryStoreHasNoFiles() throws {
    let memory = Realm.Configuration(inMemoryIdentifier: "no files", durability: .none)
    do {
      let realm = try Realm(configuration: memory)
      #expect(!Realm.fileExists(for: memory))
      expectError(.alreadyOpen) { try Realm.deleteFiles(for: memory) }
      try realm.write { realm.add(Buoy(1)) }
      // The identifier refers to the same store until it is closed.
      #expect(try Realm(configuration: memory).objects(Buoy.self).count == 1)
      try Realm.close(memory)
    }
    #expect(try !Realm.deleteFiles(for: memory))
    #expect(try Realm(configuration: memory).isEmpty)
    try Realm.close(memory)
  }

  @Test func closingInMemoryStoreDiscardsItDespiteFrozenValues() throws {
    let memory = Realm.Configuration(inMemoryIdentifier: "held", durability: .none)
    let realm = try Realm(configuration: memory)
    try realm.write { realm.add(Buoy(1)) }
    let frozen = realm.freeze()
    try Realm.close(memory)
    let again = try Realm(configuration: memory)
    #expect(again.isEmpty && frozen.objects(Buoy.self).map(\.id) == [1])
    try again.write { again.add(Buoy(2)) }
    #expect(try Realm(configuration: memory).objects(Buoy.self).map(\.id) == [2])
    try Realm.close(memory)
  }
}

import CVarve
import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Openings while other processes have the store open, and after they have ended.
@Suite struct SharedOpeningTests {
  private func options(_ path: String, _ durability: Durability) -> EnvironmentOptions {
    var options = testOptions(path)
    options.durability = durability
    return options
  }

  @Test(arguments: [(0, false), (1, true)])
  func incompatibleDurabilitiesAreRefused(_ first: Int, _ isNone: Bool) throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["pinVersion", directory.file(), "\(first)"])
    #expect(process.line()?.hasPrefix("pid ") == true)
    for durability in [Durability.full, .none] {
      let code = errorCode {
        try Environment.open(options(directory.file(), durability)).close()
      }
      #expect(code == ((durability == .none) == isNone ? nil : .alreadyOpen))
    }
    // Readers write nothing.
    var reader = options(directory.file(), isNone ? .full : .none)
    reader.isReadOnly = true
    try Environment.open(reader).close()
    process.kill()
    for durability in [Durability.none, .full] {
      try Environment.open(options(directory.file(), durability)).close()
    }
  }

  @Test func firstDurableProcessSyncsDirectory() throws {
    let directory = TemporaryDirectory()
    try Environment.open(options(directory.file(), .none)).close()
    func syncs(_ durability: Durability) throws -> Int {
      let before = StorePaths.directorySyncCount
      try Environment.open(options(directory.file(), durability)).close()
      return StorePaths.directorySyncCount - before
    }
    #expect(try syncs(.full) >= 1)
    let process = TestProcess(["pinVersion", directory.file(), "0"])
    #expect(process.line()?.hasPrefix("pid ") == true)
    try Environment.open(options(directory.file(), .full)).close()
    process.go()
    #expect(process.line() == "ok")
  }

  @Test(arguments: [false, true])
  func temporaryFilesOfDeadProcessesAreRemoved(_ exists: Bool) throws {
    let directory = TemporaryDirectory()
    if exists {
      // This process has not read the directory yet.
      let process = TestProcess(["open", directory.file()])
      process.go()
      #expect(process.line()?.hasPrefix("ok") == true)
    }
    let (dead, alive, young) = (
      ".store.varve.new-dead", ".store.varve.new-alive", ".store.varve.new-young"
    )
    var descriptors: [Int32] = []
    for name in [dead, alive, young] {
      let descriptor = varve_open(directory.file(name), O_RDWR | O_CREAT, 0o600)
      #expect(descriptor >= 0)
      if name == alive { #expect(varve_file_lock(descriptor, 0, 1) == 0) }
      descriptors.append(descriptor)
      guard name != young else { continue }
      let hourAgo = timespec(tv_sec: time(nil) - 3600, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, directory.file(name), [hourAgo, hourAgo], 0) == 0)
    }
    defer { for descriptor in descriptors { close(descriptor) } }
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(!directory.names.contains(dead))
    #expect(directory.names.isSuperset(of: [alive, young]))
    try environment.close()
  }

  @Test func directoryOfManyStoresIsReadOnce() throws {
    let directory = TemporaryDirectory()
    let other = TemporaryDirectory()
    let before = StoreCreation.directoryReadCount
    for number in 0..<5 {
      try Environment.open(testOptions(directory.file("\(number)"))).close()
      try Environment.open(testOptions(directory.file("\(number)"))).close()
    }
    #expect(StoreCreation.directoryReadCount - before == 1)
    try Environment.open(testOptions(other.file())).close()
    #expect(StoreCreation.directoryReadCount - before == 2)
  }

  @Test func replacedLockFileIsRefusedWhileStoreIsOpenElsewhere() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { try $0.put(.catalog, key: "a", "b") }
    let snapshot = try environment.snapshot()
    unlink(directory.file() + "-lock")
    let process = TestProcess(["open", directory.file()])
    process.go()
    #expect(process.line() == "lockFileReplaced ")
    #expect(!directory.names.contains("store.varve-lock"))
    #expect(snapshot.bytes(.catalog, key: Array("a".utf8)) == Array("b".utf8))
    expectError(.lockFileReplaced) {
      try environment.write { try $0.put(.catalog, key: "a", "c") }
    }
    expectError(.lockFileReplaced) { _ = try environment.separateSnapshot() }
    try environment.close()
  }

  @Test(arguments: [["-lock"], ["-signal"], ["-lock", "-signal"]])
  func removedFilesOfStoreInUseAreNotRecreated(_ removed: [String]) throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
    for suffix in removed { unlink(directory.file() + suffix) }
    let names = directory.names
    let process = TestProcess(["open", directory.file()])
    process.go()
    let code = removed.contains("-lock") ? "lockFileReplaced " : "signalFileReplaced "
    #expect(process.line() == code)
    #expect(directory.names == names)
    #expect(snapshot.text(.catalog, key: "a") == "b")
    try environment.close()
  }

  @Test func newSignalFileInUseElsewhereIsKept() throws {
    let directory = TemporaryDirectory()
    let paths = try StorePaths(path: directory.file())
    let access = FileAccess(ofDataFile: paths.data, otherwise: 0o600)
    func make() throws -> SignalFile {
      try SignalFile.open(paths, access: access, timeout: .seconds(10))
    }
    let unused = try make()
    #expect(unused.isNew)
    unused.discardIfNew()
    #expect(directory.names.isEmpty)
    let used = try make()
    used.endOpening()
    let process = TestProcess(["pinVersion", directory.file(), "1"])
    #expect(process.line()?.hasPrefix("pid ") == true)
    used.discardIfNew()
    #expect(directory.names.contains("store.varve-signal"))
    process.go()
    #expect(process.line() == "ok")
  }

  @Test func unmappableFileIsRefused() throws {
    let directory = TemporaryDirectory(in: "/dev/shm")
    try Environment.open(testOptions(directory.file())).close()
    try #require(truncate(directory.file(), 1 << 61) == 0)
    expectError(.addressSpaceExhausted) { try Environment.open(testOptions(directory.file())) }
  }

  @Test func refusedOpeningLeavesNoFile() throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["pinVersion", directory.file(), "1"])
    #expect(process.line()?.hasPrefix("pid ") == true)
    rename(directory.file(), directory.file("aside"))
    expectError(.dataFileReplaced) { try Environment.open(testOptions(directory.file())) }
    #expect(!directory.names.contains("store.varve"))
    process.go()
    #expect(process.line() == "ok")
    // No files are created next to a file that is not a store.
    let other = TemporaryDirectory()
    let descriptor = varve_open(other.file(), O_RDWR | O_CREAT, 0o600)
    #expect(Glibc.write(descriptor, "text", 4) == 4)
    close(descriptor)
    expectError(.notADatabase) { try Environment.open(testOptions(other.file())) }
    #expect(other.names == ["store.varve"])
  }

  /// The page headers of LMDB 1.0 have 24 bytes, the magic number and the data version follow.
  @Test func fileOfLaterLMDBIsNamedAndLeftAlone() throws {
    let directory = TemporaryDirectory()
    var bytes = [UInt8](repeating: 0, count: 8192)
    bytes[18] = 8
    bytes.replaceSubrange(24..<32, with: [0xDE, 0xC0, 0xEF, 0xBE, 3, 0, 0, 0])
    for name in ["store.varve", "store.varve-lock"] {
      let descriptor = varve_open(directory.file(name), O_RDWR | O_CREAT, 0o600)
      #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }
    do {
      _ = try Environment.open(testOptions(directory.file()))
      Issue.record("The file was opened.")
    } catch {
      #expect(error.code == .newerFormat)
      #expect(error.description.contains("written by LMDB 1.0 (data format 3)"))
    }
    #expect(directory.names == ["store.varve", "store.varve-lock"])
    #expect(try Array(readBytes(directory.file("store.varve-lock"))) == bytes)
  }

  @Test func descriptorsAreClosedInChildPrograms() throws {
    try withStore { environment, directory in
      var count = 0
      for descriptor in 3..<Int32(1024) {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard length > 0 else { continue }
        let path = String(
          decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard path.hasPrefix(directory.file()) else { continue }
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(path)")
        count += 1
      }
      #expect(count >= 3)
      withExtendedLifetime(environment) {}
    }
  }

  @Test func timedOutOpeningNamesStoppedProcess() throws {
    let directory = TemporaryDirectory()
    try Environment.open(testOptions(directory.file())).close()
    let process = TestProcess(["openSlowly", directory.file()])
    #expect(process.line() == "opening")
    var options = testOptions(directory.file())
    options.openTimeout = .milliseconds(100)
    do {
      try Environment.open(options).close()
      Issue.record("The store was opened.")
    } catch let error as StorageError {
      #expect(error.code == .busy && error.pid == process.pid)
    }
    process.go()
    #expect(process.line() == "ok")
    try Environment.open(options).close()
  }

  @Test func processesCreateAndRemoveOneStoreInTurn() throws {
    let directory = TemporaryDirectory()
    let processes = (0..<3).map { _ in
      TestProcess(["createAndRemove", directory.file(), "150"])
    }
    for process in processes {
      let codes = Set((process.line() ?? "none").split(separator: " "))
      #expect(codes.isSubset(of: ["ok", "alreadyOpen"]) && codes.contains("ok"), "\(codes)")
    }
  }

  /// F_OFD_SETLK and F_OFD_GETLK, which Glibc does not declare, and LMDB's F_SETLK, with the errors
  /// of a file system.
  @Test(arguments: [37, 36, F_SETLK], [ENOLCK, EIO])
  func failedLockCallThrowsIO(_ command: Int32, _ error: Int32) throws {
    func open(_ directory: TemporaryDirectory) -> String? {
      TestProcess(["openWithFailingLocks", directory.file(), "\(command)", "\(error)"]).line()
    }
    let directory = TemporaryDirectory()
    #expect(open(directory) == "io")
    try Environment.open(testOptions(directory.file())).close()
    #expect(open(directory) == "io")
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(open(directory) == "io")
    try environment.write { try $0.put(.catalog, key: "key", "value") }
    try environment.close()
  }

  @Test func fileSizeLimitIsNamedInError() throws {
    let directory = TemporaryDirectory()
    for limit in [4096, 9000] {
      let process = TestProcess(["openWithFileLimit", directory.file(), "\(limit)"])
      #expect(
        process.line() == "diskFull The file has reached the file size limit.")
    }
  }

  @Test func systemFileIsRefused() throws {
    #expect(
      errorCode { try Environment.open(testOptions("/proc/self/mem")) } != .diskFull)
  }

  @Test(.enabled(if: geteuid() == 0), arguments: ["-lock", "-signal"])
  func filesOfOtherUserInWorldWritableDirectoryAreRefused(_ suffix: String) throws {
    let directory = TemporaryDirectory()
    #expect(chmod(directory.path, 0o1777) == 0)
    let path = directory.file() + suffix
    let descriptor = varve_open(path, O_RDWR | O_CREAT, 0o666)
    #expect(fchmod(descriptor, 0o666) == 0 && fchown(descriptor, 12345, 12345) == 0)
    close(descriptor)
    let process = TestProcess(["asUser", "23456", "create", directory.file()])
    #expect(process.line() == "ready")
    process.go()
    #expect(process.line() == "directoryUnsafe")
    // A reader maps them as well.
    try Environment.open(testOptions(directory.path + "/sound")).close()
    #expect(rename(directory.path + "/sound", directory.file()) == 0)
    var reader = testOptions(directory.file())
    reader.isReadOnly = true
    expectError(.directoryUnsafe) { try Environment.open(reader) }
    #expect(unlink(path) == 0)
    try Environment.open(reader).close()
  }

  @Test(.enabled(if: geteuid() == 0))
  func dataFileOfOtherUserInWorldWritableDirectoryIsNotRead() throws {
    let directory = TemporaryDirectory()
    try Environment.open(testOptions(directory.file())).close()
    #expect(chmod(directory.path, 0o1777) == 0)
    #expect(chown(directory.file(), 12345, 12345) == 0)
    var reader = testOptions(directory.file())
    reader.isReadOnly = true
    expectError(.directoryUnsafe) { try Environment.open(reader) }
  }

  @Test func impossibleTransactionIDIsDamage() throws {
    for offset in [151, 4247] {
      let directory = TemporaryDirectory()
      try Environment.open(testOptions(directory.file())).close()
      let descriptor = varve_open(directory.file(), O_RDWR, 0)
      defer { close(descriptor) }
      var byte: UInt8 = 0
      #expect(pread(descriptor, &byte, 1, offset) == 1)
      byte ^= 0x80
      #expect(pwrite(descriptor, &byte, 1, offset) == 1)
      expectError(.corrupted) { try Environment.open(testOptions(directory.file())) }
      var reader = testOptions(directory.file())
      reader.isReadOnly = true
      expectError(.corrupted) { try Environment.open(reader) }
    }
  }
}

import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

@Suite struct OpeningTests {
  @Test func openingTwiceReturnsSameEnvironment() throws {
    try withStore { environment, directory in
      let again = try Environment.open(testOptions(directory.path + "/./store.varve"))
      #expect(again === environment)
      try again.close()
      _ = try environment.snapshot()
    }
  }

  @Test func committedEntriesExistAfterReopening() throws {
    let directory = TemporaryDirectory()
    let first = try Environment.open(testOptions(directory.file()))
    let version = try first.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      try transaction.put(dogs, id: 1, [1])
    }.version
    try first.close()
    #expect(first.isTornDown)
    let second = try Environment.open(testOptions(directory.file()))
    #expect(second !== first)
    #expect(try second.snapshot().version == version)
    #expect(try second.snapshot().bytes(dogs, id: 1) == [1])
    try second.close()
  }

  @Test func newFilesHaveRequestedMode() throws {
    let directory = TemporaryDirectory()
    let old = umask(0o077)
    defer { umask(old) }
    var options = testOptions(directory.file())
    options.fileMode = 0o640
    let environment = try Environment.open(options)
    for suffix in ["", "-lock", "-signal"] {
      var file = stat()
      #expect(lstat(directory.file() + suffix, &file) == 0)
      #expect(file.st_mode & 0o777 == 0o640)
    }
    try environment.close()
  }

  /// The members of the group that owns the file can open it as before.
  @Test func recreatedFilesHaveModeAndGroupOfDataFile() throws {
    let directory = TemporaryDirectory()
    try Environment.open(testOptions(directory.file())).close()
    #expect(chmod(directory.file(), 0o660) == 0)
    if geteuid() == 0 { #expect(chown(directory.file(), geteuid(), 2000) == 0) }
    for suffix in ["-lock", "-signal"] { #expect(unlink(directory.file() + suffix) == 0) }
    let old = umask(0o077)
    defer { umask(old) }
    let environment = try Environment.open(testOptions(directory.file()))
    for suffix in ["-lock", "-signal"] {
      var file = stat()
      #expect(lstat(directory.file() + suffix, &file) == 0)
      #expect(file.st_mode & 0o777 == 0o660)
      if geteuid() == 0 { #expect(file.st_gid == 2000) }
    }
    try environment.close()
  }

  @Test func lockFileHasAllBlocksAllocated() throws {
    try withStore { _, directory in
      var file = stat()
      #expect(lstat(directory.file() + "-lock", &file) == 0)
      #expect(file.st_size >= 127 * 64)
      #expect(Int(file.st_blocks) * 512 >= Int(file.st_size))
    }
  }

  @Test func fileOfAnotherKindIsRefused() throws {
    let directory = TemporaryDirectory()
    try write("This is no database, but a long enough text.", to: directory.file())
    #expect(openCode(directory.file()) == .notADatabase)
    try write(String(repeating: "x", count: 100_000), to: directory.file("long"))
    #expect(openCode(directory.file("long")) == .notADatabase)
    #expect(directory.names == ["store.varve", "long"])
  }

  @Test func emptyFileBecomesStore() throws {
    let directory = TemporaryDirectory()
    try write("", to: directory.file())
    #expect(chmod(directory.file(), 0o640) == 0)
    var options = testOptions(directory.file())
    options.isReadOnly = true
    expectError(.notADatabase) { try Environment.open(options) }
    let processes = (0..<4).map { _ in TestProcess(["create", directory.file()]) }
    for process in processes { #expect(process.line() == "ready") }
    for process in processes { process.go() }
    for process in processes { #expect(process.line() == "ok") }
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(try environment.snapshot().count(.catalog) == 4)
    var file = stat()
    #expect(stat(directory.file(), &file) == 0 && file.st_mode & 0o777 == 0o640)
    try environment.close()
  }

  @Test func wrongPathsAreRefused() throws {
    let directory = TemporaryDirectory()
    #expect(openCode("") == .invalidPath)
    #expect(openCode("/") == .invalidPath)
    #expect(openCode(directory.path + "/missing/store.varve") == .fileNotFound)
    #expect(openCode(directory.path + "/a\0b") == .invalidPath)
    #expect(openCode(directory.path) == .invalidPath)
    #expect(openCode(directory.file(String(repeating: "n", count: 300))) == .invalidPath)
    var options = testOptions(directory.file())
    options.isReadOnly = true
    expectError(.fileNotFound) { try Environment.open(options) }
  }

  @Test func symbolicAndHardLinksAreRefused() throws {
    let directory = TemporaryDirectory()
    try write("precious", to: directory.file("victim"))
    for suffix in ["", "-lock", "-signal"] {
      let path = directory.file("store\(suffix.count).varve")
      symlink(directory.file("victim"), path + suffix)
      #expect(openCode(path) == .directoryUnsafe)
      link(directory.file("victim"), directory.file("hard\(suffix.count).varve") + suffix)
      let code = openCode(directory.file("hard\(suffix.count).varve"))
      #expect(code == .directoryUnsafe)
      unlink(directory.file("hard\(suffix.count).varve") + suffix)
    }
    #expect(try read(directory.file("victim")) == "precious")
  }

  @Test func worldWritableDirectoryIsRefused() throws {
    let directory = TemporaryDirectory()
    chmod(directory.path, 0o777)
    #expect(openCode(directory.file()) == .directoryUnsafe)
    chmod(directory.path, 0o1777)
    #expect(openCode(directory.file()) == nil)
  }

  @Test func linkToDirectoryIsFollowed() throws {
    let directory = TemporaryDirectory()
    mkdir(directory.file("real"), 0o700)
    symlink(directory.file("real"), directory.file("link"))
    let first = try Environment.open(testOptions(directory.file("link") + "/store.varve"))
    let second = try Environment.open(testOptions(directory.file("real") + "/store.varve"))
    #expect(first === second)
    try first.close()
    try second.close()
    for suffix in ["", "-lock", "-signal"] {
      unlink(directory.file("real") + "/store.varve" + suffix)
    }
  }

  @Test func truncatedFileIsCorrupted() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in UInt64(0)..<2000 {
        try transaction.put(dogs, id: id, [UInt8](repeating: 1, count: 100))
      }
    }
    try environment.close()
    var file = stat()
    #expect(stat(directory.file(), &file) == 0)
    truncate(directory.file(), file.st_size / 2 & ~4095)
    #expect(openCode(directory.file()) == .corrupted)
    truncate(directory.file(), 4096)
    #expect(openCode(directory.file()) == .corrupted)
    truncate(directory.file(), 100)
    #expect(openCode(directory.file()) == .notADatabase)
  }

  @Test func laterFormatsAreRefused() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.close()
    // The version of the pages.
    try patch(directory.file(), at: 20, [2])
    try patch(directory.file(), at: 4096 + 20, [2])
    #expect(openCode(directory.file()) == .newerFormat)
    try patch(directory.file(), at: 20, [1])
    try patch(directory.file(), at: 4096 + 20, [1])
    #expect(openCode(directory.file()) == nil)
    // The version of the root record follows its mark.
    let bytes = Array(try readBytes(directory.file()))
    for offset in 0..<(bytes.count - 8)
    where Array(bytes[offset..<(offset + 8)]) == Array("Vrve".utf8) + [1, 0, 0, 0] {
      try patch(directory.file(), at: offset + 4, [2])
    }
    #expect(openCode(directory.file()) == .newerFormat)
  }

  @Test func pagesOfOtherLayoutAreRefused() throws {
    let directory = TemporaryDirectory()
    try Environment.open(testOptions(directory.file())).close()
    let bytes = try readBytes(directory.file())
    // The second page of a file with pages of 64 KiB.
    try patch(directory.file(), at: 65536, Array(bytes[4096..<8192]))
    for offset in [0, 65536] { try patch(directory.file(), at: offset + 40, [0, 0, 1, 0]) }
    #expect(openCode(directory.file()) == .unsupportedLibrary)
    // The two meta pages have different sizes.
    try patch(directory.file(), at: 0, bytes)
    try patch(directory.file(), at: 4096 + 40, [0, 32, 0, 0])
    #expect(openCode(directory.file()) == .corrupted)
    try patch(directory.file(), at: 0, bytes)
    #expect(openCode(directory.file()) == nil)
  }

  @Test(arguments: [
    ((0, 9, 23), false), ((0, 9, 24), true), ((0, 9, 33), true), ((0, 9, 70), false),
    ((0, 8, 30), false), ((1, 0, 30), false),
  ])
  func otherLibrariesAreRefused(_ version: (Int32, Int32, Int32), _ isKnown: Bool) {
    let version = (major: version.0, minor: version.1, patch: version.2)
    #expect(Environment.isKnownLibrary(version) == isKnown)
  }

  @Test func readOnlyStoreRefusesWrites() throws {
    let directory = TemporaryDirectory()
    let writer = try Environment.open(testOptions(directory.file()))
    try writer.write { try $0.put(.catalog, key: "key", "value") }
    try writer.close()
    var options = testOptions(directory.file())
    options.isReadOnly = true
    let reader = try Environment.open(options)
    #expect(!reader.isPrivateCopy)
    #expect(try reader.snapshot().text(.catalog, key: "key") == "value")
    expectError(.readOnly) { try reader.beginWrite(timeout: .zero) }
    #expect(openCode(directory.file()) == .alreadyOpen)
    // It sees the commits of another process.
    let process = TestProcess(["commit", directory.file(), "2"])
    #expect(process.line() == "ready")
    process.go()
    #expect(process.line() == "strangers 0")
    #expect(try reader.snapshot().version.counter == 3)
    try reader.close()
  }

  @Test func replacedFilesStopWrites() throws {
    let directory = TemporaryDirectory()
    for (suffix, code) in [
      ("", StorageError.Code.dataFileReplaced), ("-lock", .lockFileReplaced),
      ("-signal", .signalFileReplaced),
    ] {
      let path = directory.file("store\(suffix.count)")
      let environment = try Environment.open(testOptions(path))
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      rename(path + suffix, path + suffix + ".old")
      expectError(code) { try environment.write { try $0.put(.catalog, key: "a", "b") } }
      rename(path + suffix + ".old", path + suffix)
      try environment.write { try $0.put(.catalog, key: "c", "d") }
      try environment.close()
    }
  }

  @Test func secondDataFileWithSameNameIsRefused() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { try $0.put(.catalog, key: "a", "b") }
    rename(directory.file(), directory.file("old"))
    #expect(openCode(directory.file()) == .dataFileReplaced)
    // Without the signal file too: opening the lock file would release the locks of the first
    // store.
    rename(directory.file() + "-signal", directory.file("old signal"))
    #expect(openCode(directory.file()) == .dataFileReplaced)
    #expect(try environment.snapshot().count(.catalog) == 1)
    try environment.close()
  }

  @Test func exhaustedAddressSpaceIsReported() throws {
    let directory = TemporaryDirectory()
    var options = testOptions(directory.file())
    options.mapSize = 1 << 50
    expectError(.addressSpaceExhausted) { try Environment.open(options) }
    #expect(openCode(directory.file()) == nil)
  }

  @Test func manyStoresAreOpenAtOnce() throws {
    let directory = TemporaryDirectory()
    var environments: [Environment] = []
    for number in 0..<40 {
      environments.append(
        try Environment.open(testOptions(directory.file("\(number)"), mapSize: 1 << 28)))
    }
    for environment in environments {
      try environment.write { try $0.put(.catalog, key: "a", "b") }
    }
    for environment in environments { try environment.close() }
  }
}

private func openCode(_ path: String) -> StorageError.Code? {
  errorCode { try Environment.open(testOptions(path)).close() }
}

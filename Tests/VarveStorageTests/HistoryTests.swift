import Glibc
import Testing
import VarveStorage
import VarveTestSupport

/// The events after which versions belong to another history.
@Suite struct HistoryTests {
  @Test func reopeningKeepsHistory() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    var versions: [Version] = []
    for _ in 0..<3 { versions.append(try commit(path)) }
    #expect(Set(versions.map(\.incarnation)).count == 1)
    #expect(versions.map(\.counter) == [1, 2, 3])
  }

  @Test func deathWithoutCloseKeepsHistory() throws {
    let directory = TemporaryDirectory()
    let before = try commit(directory.file())
    let process = TestProcess(["leaveUnclean", directory.file()])
    #expect(process.line() == "committed")
    process.wait()
    let after = try commit(directory.file())
    #expect(after.isNewer(than: before) == true)
    #expect(after.counter == before.counter + 2)
  }

  @Test func restoredBackupStartsNewHistory() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    _ = try commit(path)
    try copyFile(path, directory.file("backup"))
    let lost = [try commit(path), try commit(path)]
    try copyFile(directory.file("backup"), path)
    let restored = [try commit(path), try commit(path), try commit(path)]
    for version in restored {
      for other in lost { #expect(version.isNewer(than: other) == nil) }
    }
    #expect(Set(restored.map(\.incarnation)).count == 1)
  }

  @Test func foreignFileStartsNewHistory() throws {
    let directory = TemporaryDirectory()
    let version = try commit(directory.file())
    try copyFile(directory.file(), directory.file("elsewhere"))
    #expect(try commit(directory.file("elsewhere")).incarnation != version.incarnation)
    // The original continues.
    #expect(try commit(directory.file()).incarnation == version.incarnation)
  }

  @Test func powerFailureUnderLazyDurabilityStartsNewHistory() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let process = TestProcess(["leaveUnclean", path])
    #expect(process.line() == "committed")
    process.wait()
    let before = try open(path)
    // The signal page names another boot of the machine.
    try patch(path + "-signal", at: 72, [1, 0, 0, 0])
    try patch(path + "-signal", at: 16, [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try open(path).incarnation != before.incarnation)
  }

  @Test func cleanCloseUnderLazyDurabilityKeepsHistory() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let before = try commit(path)
    try patch(path + "-signal", at: 16, [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try open(path) == before)
  }

  @Test func readerLeavesRenewalToWriter() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let before = try commit(path)
    unlink(path + "-signal")
    var options = testOptions(path)
    options.isReadOnly = true
    let reader = try Environment.open(options)
    #expect(try reader.snapshot().version == before)
    try reader.close()
    #expect(try open(path).incarnation != before.incarnation)
  }

  private func open(_ path: String) throws -> Version {
    let environment = try Environment.open(testOptions(path))
    let version = try environment.snapshot().version
    try environment.close()
    return version
  }

  private func commit(_ path: String) throws -> Version {
    let environment = try Environment.open(testOptions(path))
    let version = try environment.write { try $0.put(.catalog, key: "key", "value") }.version
    try environment.close()
    return version
  }
}

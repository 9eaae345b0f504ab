import CVarve
import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Other processes and programs that disturb a store. What LMDB does by itself, and the test:
///
/// | case | LMDB alone | test |
/// |---|---|---|
/// | a reader is killed | its version stays pinned | `ProcessesTests.readersOfKilledProcessAreCleared`, `openingClearsReadersOfKilledProcess` |
/// | all slots are those of dead readers | no reader is admitted | `slotsOfKilledReadersAreFreed` |
/// | garbage in the lock file, no user | initializes it | `overwrittenUnusedLockFileIsInitialized` |
/// | garbage in a lock file in use | a vague error | `overwrittenLockFileInUseIsRefused` |
/// | the lock file is deleted while it is in use | aborts | `SharedOpeningTests.replacedLockFileIsRefusedWhileStoreIsOpenElsewhere` |
/// | a user opens and closes the lock file | a corrupt file | `lostLocksAreDetectedByNextProcess` |
/// | the data file is copied while it is written | a broken copy | `PlainCopyTests` |
/// | LMDB's own copy | no sync, wide permissions | `CopyingTests` |
/// | writers are killed | the next one begins at once | `WriteLockTests.killedOwnerLeavesNothing`, `KillTests` |
/// | a writer is stopped | all wait | `WriteLockTests.stoppedOwnerThrowsBusy` |
/// | links in the place of the files | overwrites their targets | `OpeningTests.symbolicAndHardLinksAreRefused` |
/// | permissions | those of the umask | `OpeningTests.newFilesHaveRequestedMode`, `recreatedFilesHaveModeAndGroupOfDataFile` |
/// | a file of another origin | crashes | `DamageTests`, `FirstWriteTests` |
@Suite struct NeighborTests {
  @Test func lostLocksAreDetectedByNextProcess() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    var snapshot: Snapshot? = try environment.write {
      try $0.put(.catalog, key: "key", "first")
    }
    // A program that copies the directory of the store opens and closes all files in it.
    for suffix in ["", "-lock", "-signal"] {
      close(varve_open(directory.file() + suffix, O_RDONLY, 0))
    }
    let process = TestProcess(["open", directory.file()])
    process.go()
    #expect(process.line() == "lockFileReplaced ")
    // Another process would have reused the pages of the snapshot by now.
    for number in 0..<20 {
      try environment.write { try $0.put(.catalog, key: "key", "later \(number)") }
    }
    #expect(snapshot?.text(.catalog, key: "key") == "first")
    snapshot = nil
    try environment.close()
    let later = TestProcess(["open", directory.file()])
    later.go()
    #expect(later.line() == "ok later 19")
  }

  @Test func overwrittenLockFileInUseIsRefused() throws {
    let directory = TemporaryDirectory()
    let first = TestProcess(["pinVersion", directory.file(), "1"])
    #expect(first.line()?.hasPrefix("pid ") == true)
    let descriptor = varve_open(directory.file() + "-lock", O_WRONLY, 0)
    let garbage = [UInt8](repeating: 0xA5, count: 4)
    #expect(pwrite(descriptor, garbage, garbage.count, 0) == garbage.count)
    close(descriptor)
    do throws(StorageError) {
      try Environment.open(testOptions(directory.file())).close()
      Issue.record("The store was opened.")
    } catch {
      #expect(error.code == .lockFileReplaced && error.path == directory.file() + "-lock")
      #expect("\(error.detail)".contains("close the store in all"))
    }
    first.kill()
    #expect(first.line() == nil)
    try Environment.open(testOptions(directory.file())).close()
  }

  @Test func overwrittenUnusedLockFileIsInitialized() throws {
    for count in [1, 100, 8192, 100_000] {
      let directory = TemporaryDirectory()
      try Environment.open(testOptions(directory.file())).close()
      var random = SeededRandom(seed: UInt64(count))
      let garbage = random.bytes(count)
      let descriptor = varve_open(directory.file() + "-lock", O_WRONLY | O_CREAT, 0o600)
      #expect(pwrite(descriptor, garbage, count, 0) == count)
      close(descriptor)
      let environment = try Environment.open(testOptions(directory.file()))
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      #expect(try environment.readers().allSatisfy { $0.pid == getpid() })
      try environment.close()
    }
  }

  @Test func slotsOfKilledReadersAreFreed() throws {
    let directory = TemporaryDirectory()
    var options = testOptions(directory.file())
    options.maximumReaders = 4
    let environment = try Environment.open(options)
    for number in 0..<6 {
      let process = TestProcess(["pinVersion", directory.file(), "1"])
      #expect(process.line()?.hasPrefix("pid ") == true, "reader \(number)")
      process.kill()
      #expect(process.line() == nil)
    }
    let snapshot = try environment.separateSnapshot()
    try environment.write { try $0.put(.catalog, key: "key", "value") }
    withExtendedLifetime(snapshot) {}
    try environment.close()
  }

  @Test func closingProcessIsNotTakenForOneWithoutLocks() throws {
    let directory = TemporaryDirectory()
    try Environment.open(testOptions(directory.file())).close()
    let processes = (0..<3).map { _ in TestProcess(["openOften", directory.file(), "120"]) }
    for process in processes { #expect(process.line() == "ok") }
    // The files of a killed process are closed one after another.
    for _ in 0..<30 {
      let process = TestProcess(["pinVersion", directory.file(), "1"])
      #expect(process.line()?.hasPrefix("pid ") == true)
      process.kill()
      try Environment.open(testOptions(directory.file())).close()
    }
  }
}

import Glibc
import Testing
import VarveStorage
import VarveTestSupport

/// Whether a test can switch to another user.
private let isRoot = geteuid() == 0

@Suite struct ProcessesTests {
  @Test func eightProcessesCreateSameFileSimultaneously() throws {
    for _ in 0..<5 {
      let directory = TemporaryDirectory()
      let path = directory.file()
      let processes = (0..<8).map { _ in TestProcess(["create", path]) }
      for process in processes { #expect(process.line() == "ready") }
      for process in processes { process.go() }
      for process in processes { #expect(process.line() == "ok") }
      for process in processes { process.wait() }
      let environment = try Environment.open(testOptions(path))
      let snapshot = try environment.snapshot()
      for process in processes {
        #expect(snapshot.bytes(.catalog, key: Array("process \(process.pid)".utf8)) == [1])
      }
      #expect(snapshot.version.counter >= 8)
      try environment.close()
    }
  }

  @Test func otherLayoutOfSignalPageInUseIsRefused() throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["hold", directory.file()])
    #expect(process.line() == "held")
    try patch(directory.file() + "-signal", at: 4, [99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expectError(.newerFormat) { try Environment.open(testOptions(directory.file())) }
  }

  @Test func versionAfterCommitIsOfSameProcess() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let processes = (0..<2).map { _ in TestProcess(["commit", path, "2000"]) }
    for process in processes { #expect(process.line() == "ready") }
    for process in processes { process.go() }
    for process in processes { #expect(process.line() == "strangers 0") }
  }

  @Test func commitsOfOtherProcessesAreSeen() throws {
    try withStore { environment, directory in
      let before = try environment.snapshot()
      let process = TestProcess(["commit", directory.file(), "3"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "strangers 0")
      process.wait()
      let after = try environment.snapshot()
      #expect(after.version.counter == before.version.counter + 3)
      #expect(after.bytes(.catalog, key: Array("process \(process.pid)".utf8)) != nil)
      #expect(before.bytes(.catalog, key: Array("process \(process.pid)".utf8)) == nil)
    }
  }

  @Test func commitWakesOtherProcess() throws {
    try withStore { environment, directory in
      let process = TestProcess(["wait", directory.file()])
      #expect(process.line() == "waiting")
      waitUntilAsleep(process.pid, in: process.pid)
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      #expect(process.line() == "moved")
    }
  }

  @Test(.enabled(if: isRoot))
  func readerWithoutWritableSignalPageSeesCommits() throws {
    try withStore { environment, directory in
      chmod(directory.path, 0o755)
      chmod(directory.file(), 0o644)
      chmod(directory.file() + "-lock", 0o666)
      let process = TestProcess(["asUser", "65534", "waitReadOnly", directory.file()])
      #expect(process.line() == "waiting")
      waitUntilAsleep(process.pid, in: process.pid)
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      #expect(process.line() == "moved")
    }
  }

  @Test func forkedChildIsRefusedAndHarmless() throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["fork", directory.file()])
    for _ in 0..<6 { #expect(process.line() == "forked") }
    #expect(process.line() == "ok")
    #expect(process.line() == nil)
    process.wait()
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(try environment.snapshot().bytes(.catalog, key: Array("parent".utf8)) == [1])
    #expect(try environment.snapshot().bytes(.catalog, key: Array("child".utf8)) == nil)
    try environment.close()
  }

  @Test func readersOfKilledProcessAreCleared() throws {
    try withStore { environment, directory in
      let process = TestProcess(["pin", directory.file()])
      #expect(process.line() == "pinned")
      #expect(try environment.readers().contains { $0.pid == process.pid })
      process.kill()
      #expect(try environment.clearStaleReaders() > 0)
      let pids = try environment.readers().map(\.pid)
      #expect(!pids.contains(process.pid))
    }
  }

  @Test func openingClearsReadersOfKilledProcess() throws {
    let directory = TemporaryDirectory()
    // The only process that opens a file begins with an empty reader table. Here another process
    // has the file open.
    let living = TestProcess(["pin", directory.file()])
    #expect(living.line() == "pinned")
    let process = TestProcess(["pin", directory.file()])
    #expect(process.line() == "pinned")
    process.kill()
    let environment = try Environment.open(testOptions(directory.file()))
    let pids = try environment.readers().map(\.pid)
    #expect(pids.contains(living.pid))
    #expect(!pids.contains(process.pid))
    try environment.close()
  }

  @Test func fileSizeLimitThrowsDiskFull() throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["fileLimit", directory.file(), "1000000"])
    #expect(process.line() == "diskFull")
    #expect(process.line() == "ok")
    #expect(process.line() == "ok")
  }

  @Test func limitedAddressSpaceReducesReservation() throws {
    let directory = TemporaryDirectory()
    let process = TestProcess(["addressLimit", directory.file()])
    #expect(process.line() == "ok smaller")
  }

  @Test(.enabled(if: isRoot))
  func storeOfOtherUserIsReadFromPrivateCopy() throws {
    let directory = TemporaryDirectory()
    chmod(directory.path, 0o755)
    var options = testOptions(directory.file())
    options.fileMode = 0o644
    let environment = try Environment.open(options)
    try environment.write { try $0.put(.catalog, key: "key", "value") }
    let reader = TestProcess(["asUser", "65534", "openReadOnly", directory.file()])
    reader.go()
    #expect(reader.line() == "ok value copy")
    let writer = TestProcess(["asUser", "65534", "open", directory.file()])
    writer.go()
    #expect(writer.line() == "permissionDenied ")
    try environment.close()
  }

  @Test(.enabled(if: isRoot))
  func unwritablePathThrows() throws {
    let directory = TemporaryDirectory()
    chown(directory.path, 65534, 65534)
    chmod(directory.path, 0o555)
    let process = TestProcess(["asUser", "65534", "open", directory.file()])
    process.go()
    #expect(process.line() == "permissionDenied ")
    chmod(directory.path, 0o755)
  }

  @Test(.enabled(if: isRoot))
  func rootOwnedVolumeWithSetgidGroupCanBeUsed() throws {
    let directory = TemporaryDirectory()
    chown(directory.path, 0, 65534)
    chmod(directory.path, 0o2775)
    let process = TestProcess(["asUser", "65534", "open", directory.file()])
    process.go()
    #expect(process.line() == "ok -")
  }
}

import Glibc
import Synchronization
import Testing
import VarveLocks
import VarveTestSupport

@testable import VarveStorage

@Suite struct ClosingTests {
  @Test func closedEnvironmentBeginsNothing() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.close()
    #expect(environment.isTornDown)
    expectError(.closed) { try environment.snapshot() }
    expectError(.closed) { try environment.beginWrite(timeout: .zero) }
    expectError(.closed) { try environment.close() }
    expectError(.closed) { try environment.readers() }
    expectError(.closed) { try environment.writer.enqueue {} }
  }

  @Test func snapshotsOutliveClose() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    do {
      let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
      #expect(!environment.isTornDown)
      #expect(snapshot.text(.catalog, key: "a") == "b")
      expectError(.closed) { try environment.snapshot() }
    }
    #expect(environment.isTornDown)
  }

  @Test func reopeningBeforeLastSnapshotEndsRevivesEnvironment() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
    try environment.close()
    let again = try Environment.open(testOptions(directory.file()))
    #expect(again === environment)
    #expect(try again.snapshot().version == snapshot.version)
    try again.close()
  }

  @Test func retainedSnapshotKeepsDurability() throws {
    let directory = TemporaryDirectory()
    var (none, full) = (testOptions(directory.file()), testOptions(directory.file()))
    none.durability = .none
    full.durability = .full
    let environment = try Environment.open(none)
    do {
      let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.close()
      expectError(.alreadyOpen) { try Environment.open(full) }
      full.isReadOnly = true
      try Environment.open(full).close()
      #expect(snapshot.text(.catalog, key: "a") == "b")
    }
    full.isReadOnly = false
    let opened = try Environment.open(full)
    #expect(opened !== environment)
    try opened.close()
  }

  @Test func closeSyncsWhileSnapshotIsRetained() throws {
    let directory = TemporaryDirectory()
    var options = testOptions(directory.file())
    options.durability = .none
    let environment = try Environment.open(options)
    let snapshot = try environment.write { try $0.put(.catalog, key: "a", "b") }
    func isAtRisk() throws -> Bool {
      try readBytes(directory.file() + "-signal")[SignalPage.Offset.mayLoseCommits] != 0
    }
    #expect(try isAtRisk())
    try environment.close()
    #expect(try !isAtRisk())
    #expect(!environment.isTornDown && snapshot.text(.catalog, key: "a") == "b")
  }

  @Test func closeEndsWaitOfWriter() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    let process = TestProcess(["hold", directory.file()])
    #expect(process.line() == "held")
    onThreads(2) { number in
      if number == 0 {
        expectError(.closed) { try environment.beginWrite(timeout: .seconds(60)) }
      } else {
        while environment.state.withLock({ $0.lockUserCount }) == 0 { usleep(1000) }
        let code = errorCode { try environment.close() }
        #expect(code == nil)
      }
    }
    #expect(environment.isTornDown)
    let again = try Environment.open(testOptions(directory.file()))
    process.go()
    #expect(process.line() == "released")
    try again.write { try $0.put(.catalog, key: "a", "b") }
    try again.close()
  }

  @Test func openWriteKeepsStoreOpen() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      expectError(.busy) { try environment.close() }
      try transaction.put(.catalog, key: "a", "b")
      _ = try transaction.commit()
      _ = try environment.snapshot()
    }
  }

  @Test func droppedEnvironmentReleasesFile() throws {
    let directory = TemporaryDirectory()
    for _ in 0..<3 {
      _ = try Environment.open(testOptions(directory.file()))
      #expect(try read("/proc/self/maps").contains(directory.file()) == false)
    }
    let environment = try Environment.open(testOptions(directory.file()))
    #expect(try environment.snapshot().version.counter == 0)
    try environment.close()
  }

  @Test func reopeningWhileLastSnapshotEndsGivesOpenStore() throws {
    let directory = TemporaryDirectory()
    let options = testOptions(directory.file())
    let failures = Counter()
    for _ in 0..<500 {
      let environment = try Environment.open(options)
      let retained = RetainedSnapshot(try environment.snapshot())
      try environment.close()
      let ready = Counter()
      onThreads(2) { number in
        ready.add()
        while ready.value < 2 {}
        guard number == 0 else { return retained.end() }
        do {
          let again = try Environment.open(options)
          _ = try again.snapshot()
          try again.close()
        } catch {
          failures.add()
        }
      }
    }
    #expect(failures.value == 0)
  }

  @Test func openingThatFailsAtLastStepLeavesNothingOpen() throws {
    let directory = TemporaryDirectory()
    var options = testOptions(directory.file())
    let process = TestProcess(["hold", directory.file()])
    #expect(process.line() == "held")
    // The incarnation must be renewed while another process is in the middle of a write.
    try patch(directory.file() + "-signal", at: 76, [1, 0, 0, 0])
    options.openTimeout = .milliseconds(50)
    for _ in 0..<3 { expectError(.busy) { try Environment.open(options) } }
    process.go()
    #expect(process.line() == "released")
    let environment = try Environment.open(options)
    try environment.write { try $0.put(.catalog, key: "a", "b") }
    try environment.close()
    #expect(environment.isTornDown)
  }

  @Test func openingThatFailsAfterFirstSnapshotLeavesNothingMapped() throws {
    let directory = TemporaryDirectory()
    try withStore { environment, _ in
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      try environment.copy(to: directory.file())
    }
    let process = TestProcess(["openFull", directory.file()])
    for _ in 0..<3 { #expect(process.line() == "diskFull") }
    #expect(process.line() == "0 mappings")
    #expect(process.line() == "ok")
    process.wait()
  }

  @Test func manyThreadsOpenAndCloseOneFile() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let failures = Counter()
    onThreads(4) { number in
      for round in 0..<20 {
        do {
          let environment = try Environment.open(testOptions(path))
          try environment.write { try $0.put(.catalog, key: "\(number) \(round)", "x") }
          try environment.close()
        } catch let error as StorageError where error.code == .busy {
          // Another thread is writing. Its environment is still open, so this one need not be the
          // last.
        } catch {
          Issue.record(error)
          failures.add()
        }
      }
    }
    #expect(failures.value == 0)
    let environment = try Environment.open(testOptions(path))
    #expect(try environment.snapshot().count(.catalog) == 80)
    try environment.close()
  }
}

/// A snapshot that another thread releases.
private final class RetainedSnapshot: Sendable {
  private let snapshot: Lock<Snapshot?>

  init(_ snapshot: Snapshot) { self.snapshot = Lock(snapshot) }

  func end() { snapshot.withLock { $0 = nil } }
}

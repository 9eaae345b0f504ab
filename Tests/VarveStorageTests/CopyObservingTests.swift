import Glibc
import Testing
import VarveStorage
import VarveTestSupport

/// Copies that are followed and stopped.
@Suite struct CopyObservingTests {
  /// What an observer was told.
  private final class Told: Sendable {
    private let reports = Lock<[CopyProgress]>([])
    var all: [CopyProgress] { reports.withLock { $0 } }

    /// - Parameter last: The number of the report that is answered with a stop.
    func observer(stoppingAt last: Int = .max) -> CopyObserver {
      CopyObserver { [self] progress in
        reports.withLock { reports in
          reports.append(progress)
          return reports.count < last
        }
      }
    }
  }

  /// Some mebibytes, of which nothing is free.
  private func fill(_ environment: Environment) throws {
    _ = try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in UInt64(0)..<3000 {
        try transaction.put(dogs, id: id, [UInt8](repeating: UInt8(id & 255), count: 1500))
      }
    }
  }

  private func byteCount(_ path: String) -> Int? {
    var file = stat()
    return stat(path, &file) == 0 ? Int(file.st_size) : nil
  }

  @Test func aCopyIsReportedFromItsBeginningToItsEnd() throws {
    try withStore { environment, directory in
      try fill(environment)
      let told = Told()
      try environment.copy(to: directory.file("copy"), observer: told.observer())
      let reports = told.all
      let total = try #require(reports.last?.totalBytes)
      #expect(reports.allSatisfy { $0.totalBytes == total })
      #expect(reports.first?.completedBytes == 0 && reports.last?.completedBytes == total)
      let completed = reports.map(\.completedBytes)
      #expect(completed == Set(completed).sorted())
      #expect(reports.count > 4)
      // Its first commit may add some pages.
      let size = try #require(byteCount(directory.file("copy")))
      #expect(size >= total && size < total + (64 << 10))
    }
  }

  @Test func anEmptyStoreIsReported() throws {
    try withStore { environment, directory in
      let told = Told()
      try environment.copy(to: directory.file("copy"), observer: told.observer())
      #expect(told.all.first?.completedBytes == 0)
      #expect(told.all.last.map { $0.completedBytes == $0.totalBytes } == true)
    }
  }

  @Test(arguments: [1, 2, 4])
  func aStoppedCopyLeavesNoFile(_ last: Int) throws {
    try withStore { environment, directory in
      try fill(environment)
      let before = directory.names
      let told = Told()
      expectError(.cancelled) {
        try environment.copy(to: directory.file("copy"), observer: told.observer(stoppingAt: last))
      }
      #expect(told.all.count == last)
      #expect(directory.names == before)
      // Nothing of it is in the way.
      try environment.copy(to: directory.file("copy"))
      let copy = try Environment.open(testOptions(directory.file("copy")))
      #expect(try copy.snapshot().count(dogs) == 3000)
      try copy.close()
    }
  }

  @Test func aCopyIsStoppedAtItsLastReportToo() throws {
    try withStore { environment, directory in
      try fill(environment)
      let whole = Told()
      try environment.copy(to: directory.file("whole"), observer: whole.observer())
      expectError(.cancelled) {
        let observer = Told().observer(stoppingAt: whole.all.count)
        try environment.copy(to: directory.file("copy"), observer: observer)
      }
      #expect(byteCount(directory.file("copy")) == nil)
    }
  }

  @Test func anObserverThatWasStoppedBeforehandLetsNothingBeWritten() throws {
    try withStore { environment, directory in
      let told = Told()
      let observer = told.observer()
      observer.stop()
      expectError(.cancelled) {
        try environment.copy(to: directory.file("copy"), observer: observer)
      }
      #expect(byteCount(directory.file("copy")) == nil)
    }
  }

  @Test func programsThatIgnoreTheSignalOfPipesStopCopiesToo() throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    try withStore { environment, directory in
      try fill(environment)
      expectError(.cancelled) {
        try environment.copy(
          to: directory.file("copy"), observer: Told().observer(stoppingAt: 2))
      }
    }
  }

  /// LMDB writes large values one by one. When a copy is stopped, such a write often waits for room, with nothing written yet.
  @Test func stoppedCopiesOfLargeValuesEnd() throws {
    try withStore { environment, directory in
      _ = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in UInt64(0)..<300 {
          try transaction.put(dogs, id: id, [UInt8](repeating: 7, count: 20_000))
        }
      }
      let process = TestProcess(
        ["stopCopies", directory.file(), "20"], launcher: ["timeout", "60"])
      #expect(process.line() == "ok")
      process.wait()
    }
  }

  @Test func anObserverThatHasEndedIsNotCalled() throws {
    try withStore { environment, directory in
      let told = Told()
      let observer = told.observer()
      observer.end()
      try environment.copy(to: directory.file("copy"), observer: observer)
      #expect(told.all.isEmpty)
    }
  }

  @Test func aSeedIsReportedAndStopped() throws {
    try withStore { environment, directory in
      try fill(environment)
      let told = Told()
      var options = testOptions(directory.file("new"))
      options.seedPath = directory.file()
      options.copyObserver = told.observer(stoppingAt: 2)
      expectError(.cancelled) { try Environment.open(options) }
      #expect(byteCount(directory.file("new")) == nil && told.all.count == 2)
      options.copyObserver = told.observer()
      let new = try Environment.open(options)
      #expect(told.all.last?.completedBytes == byteCount(directory.file()))
      #expect(try new.snapshot().count(dogs) == 3000)
      try new.close()
    }
  }
}

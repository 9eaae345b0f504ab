import Glibc
import Testing
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Copies with progress reports and cancellation.
@Suite struct CopyObservingTests {
  /// Records the reports of an observer.
  private final class ReportRecorder: Sendable {
    private let reports = Lock<[CopyProgress]>([])
    var all: [CopyProgress] { reports.withLock { $0 } }

    /// - Parameter last: The number of the report after which the copy is stopped.
    func observer(stoppingAt last: Int = .max) -> WorkObserver {
      WorkObserver { [self] progress in
        reports.withLock { reports in
          reports.append(progress)
          return reports.count < last
        }
      }
    }
  }

  /// Writes some mebibytes, without free pages.
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

  @Test func copyIsReportedFromBeginningToEnd() throws {
    try withStore { environment, directory in
      try fill(environment)
      let recorder = ReportRecorder()
      try environment.copy(to: directory.file("copy"), observer: recorder.observer())
      let reports = recorder.all
      let total = try #require(reports.last?.totalBytes)
      #expect(reports.allSatisfy { $0.totalBytes == total })
      #expect(reports.first?.completedBytes == 0 && reports.last?.completedBytes == total)
      let completed = reports.map(\.completedBytes)
      #expect(completed == Set(completed).sorted())
      #expect(reports.count > 4)
      // The first commit of the copy may add some pages.
      let size = try #require(byteCount(directory.file("copy")))
      #expect(size >= total && size < total + (64 << 10))
    }
  }

  @Test func copyOfEmptyStoreIsReported() throws {
    try withStore { environment, directory in
      let recorder = ReportRecorder()
      try environment.copy(to: directory.file("copy"), observer: recorder.observer())
      #expect(recorder.all.first?.completedBytes == 0)
      #expect(recorder.all.last.map { $0.completedBytes == $0.totalBytes } == true)
    }
  }

  @Test(arguments: [1, 2, 4])
  func stoppedCopyLeavesNoFile(_ last: Int) throws {
    try withStore { environment, directory in
      try fill(environment)
      let before = directory.names
      let recorder = ReportRecorder()
      expectError(.cancelled) {
        try environment.copy(
          to: directory.file("copy"), observer: recorder.observer(stoppingAt: last))
      }
      #expect(recorder.all.count == last)
      #expect(directory.names == before)
      // Nothing is left that prevents another copy.
      try environment.copy(to: directory.file("copy"))
      let copy = try Environment.open(testOptions(directory.file("copy")))
      #expect(try copy.snapshot().count(dogs) == 3000)
      try copy.close()
    }
  }

  @Test func copyCanBeStoppedAtLastReport() throws {
    try withStore { environment, directory in
      try fill(environment)
      let whole = ReportRecorder()
      try environment.copy(to: directory.file("whole"), observer: whole.observer())
      expectError(.cancelled) {
        let observer = ReportRecorder().observer(stoppingAt: whole.all.count)
        try environment.copy(to: directory.file("copy"), observer: observer)
      }
      #expect(byteCount(directory.file("copy")) == nil)
    }
  }

  @Test func observerStoppedBeforehandWritesNothing() throws {
    try withStore { environment, directory in
      let recorder = ReportRecorder()
      let observer = recorder.observer()
      observer.stop()
      expectError(.cancelled) {
        try environment.copy(to: directory.file("copy"), observer: observer)
      }
      #expect(byteCount(directory.file("copy")) == nil)
    }
  }

  @Test func copyStopsInProgramIgnoringSIGPIPE() throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    try withStore { environment, directory in
      try fill(environment)
      expectError(.cancelled) {
        try environment.copy(
          to: directory.file("copy"), observer: ReportRecorder().observer(stoppingAt: 2))
      }
    }
  }

  /// LMDB writes large values one by one. When a copy is stopped, such a write often waits for room
  /// in the pipe, with nothing written yet.
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

  @Test func endedObserverIsNotCalled() throws {
    try withStore { environment, directory in
      let recorder = ReportRecorder()
      let observer = recorder.observer()
      observer.end()
      try environment.copy(to: directory.file("copy"), observer: observer)
      #expect(recorder.all.isEmpty)
    }
  }

  @Test func seedCopyIsReportedAndStopped() throws {
    try withStore { environment, directory in
      try fill(environment)
      let recorder = ReportRecorder()
      var options = testOptions(directory.file("new"))
      options.seedPath = directory.file()
      options.workObserver = recorder.observer(stoppingAt: 2)
      expectError(.cancelled) { try Environment.open(options) }
      #expect(byteCount(directory.file("new")) == nil && recorder.all.count == 2)
      options.workObserver = recorder.observer()
      let new = try Environment.open(options)
      #expect(recorder.all.last?.completedBytes == byteCount(directory.file()))
      #expect(try new.snapshot().count(dogs) == 3000)
      try new.close()
    }
  }
}

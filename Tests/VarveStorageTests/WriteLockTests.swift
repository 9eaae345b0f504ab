import Glibc
import Testing
import VarveStorage
import VarveTestSupport

@Suite struct WriteLockTests {
  @Test func heldLockThrowsBusyWithPidAndTime() throws {
    try withStore { environment, directory in
      let process = TestProcess(["hold", directory.file()])
      #expect(process.line() == "held")
      do {
        _ = try environment.beginWrite(timeout: .milliseconds(60))
        Issue.record("The lock is held.")
      } catch let error as StorageError {
        #expect(error.code == .busy)
        #expect(error.pid == process.pid)
        let since = try #require(error.since)
        #expect(since > 1_000_000_000)
      }
      process.go()
      #expect(process.line() == "released")
      try environment.write { try $0.put(.catalog, key: "a", "b") }
    }
  }

  @Test func stoppedOwnerThrowsBusy() throws {
    try withStore { environment, directory in
      let process = TestProcess(["hold", directory.file()])
      #expect(process.line() == "held")
      kill(process.pid, SIGSTOP)
      expectError(.busy) { try environment.beginWrite(timeout: .milliseconds(50)) }
      kill(process.pid, SIGCONT)
      process.go()
      #expect(process.line() == "released")
    }
  }

  @Test func waitCanBeCancelled() throws {
    try withStore { environment, directory in
      let process = TestProcess(["hold", directory.file()])
      #expect(process.line() == "held")
      var callCount = 0
      let code = errorCode {
        _ = try environment.beginWrite(timeout: .seconds(600)) {
          callCount += 1
          return callCount > 2
        }
      }
      #expect(code == .cancelled)
      process.go()
    }
  }

  @Test func killedOwnerLeavesNothing() throws {
    try withStore { environment, directory in
      for _ in 0..<5 {
        let process = TestProcess(["hold", directory.file()])
        #expect(process.line() == "held")
        process.kill()
        let snapshot = try environment.write { try $0.put(.catalog, key: "after", "b") }
        #expect(snapshot.text(.catalog, key: "held") == nil)
      }
    }
  }

  @Test func secondBeginOnSameThreadIsRefused() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      expectError(.badTransaction) { try environment.beginWrite(timeout: .seconds(1)) }
      transaction.abort()
    }
  }
}

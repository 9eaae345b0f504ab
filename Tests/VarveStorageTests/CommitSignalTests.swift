import Glibc
import Testing
import VarveLocks
import VarveStorage
import VarveTestSupport

@Suite struct CommitSignalTests {
  @Test func commitAdvancesSequence() throws {
    try withStore { environment, _ in
      let before = environment.commitSignal.sequence
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      #expect(environment.commitSignal.sequence != before)
      #expect(environment.commitSignal.wait(after: before, timeout: .seconds(60)) != before)
    }
  }

  @Test func emptyOrAbortedWriteDoesNotSignal() throws {
    try withStore { environment, _ in
      let before = environment.commitSignal.sequence
      try environment.write { _ in }
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.put(.catalog, key: "a", "b")
      transaction.abort()
      #expect(environment.commitSignal.sequence == before)
      #expect(environment.commitSignal.wait(after: before, timeout: .zero) == before)
    }
  }

  @Test func waitersAreWoken() throws {
    try withStore { environment, _ in
      let signal = environment.commitSignal
      let before = signal.sequence
      let woken = Counter()
      let waiters = Lock<[pid_t]>([])
      onThreads(4) { number in
        if number == 0 {
          let all = waiters.wait { $0.count == 3 ? $0 : nil }
          for waiter in all { waitUntilAsleep(waiter) }
          return signal.wake()
        }
        waiters.withLock { $0.append(threadID()) }
        waiters.notify()
        let start = ContinuousClock.now
        let after = signal.wait(after: before, timeout: .seconds(60))
        // The waiter was woken, and did not time out.
        if after != before, ContinuousClock.now - start < .seconds(30) { woken.add() }
      }
      #expect(woken.value == 3)
    }
  }
}

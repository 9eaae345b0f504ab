import Glibc
import Testing
import VarveLocks
import VarveTestSupport
import VarveStorage

@Suite struct LockTests {
  @Test func guardedValueIsChangedByOneThreadAtATime() {
    final class Shared: Sendable { let number = Lock(0) }
    let shared = Shared()
    onThreads(4) { _ in
      for _ in 0..<1000 { shared.number.withLock { $0 += 1 } }
    }
    #expect(shared.number.withLock { $0 } == 4000)
  }

  @Test func sleepingThreadsAcquireLock() {
    final class Shared: Sendable { let number = Lock(0) }
    let shared = Shared()
    let waiters = Lock<[pid_t]>([])
    onThreads(4) { number in
      if number == 0 {
        shared.number.withLock { value in
          let all = waiters.wait { $0.count == 3 ? $0 : nil }
          for waiter in all { waitUntilAsleep(waiter) }
          value = 1
        }
      } else {
        waiters.withLock { $0.append(threadID()) }
        waiters.notify()
        // Each sleeps: the lock is held until all do.
        while shared.number.withLock({ $0 }) == 0 { sched_yield() }
        shared.number.withLock { $0 += 1 }
      }
    }
    #expect(shared.number.withLock { $0 } == 4)
  }

  @Test func heldLockIsNotAvailable() {
    let lock = Lock(0)
    let inner = lock.withLock { _ in lock.withLockIfAvailable { $0 } }
    #expect(inner == nil)
    #expect(lock.withLockIfAvailable { $0 } == 0)
    #expect(throws: CancellationError.self) { try lock.withLock { _ in throw CancellationError() } }
    #expect(lock.withLockIfAvailable { $0 } == 0)
  }

  @Test func notifiedThreadsCheckAgain() {
    final class Shared: Sendable { let number = Lock(0) }
    let shared = Shared()
    let waiters = Lock<[pid_t]>([])
    let ended = Counter()
    onThreads(3) { number in
      if number == 0 {
        let all = waiters.wait { $0.count == 2 ? $0 : nil }
        for waiter in all { waitUntilAsleep(waiter) }
        shared.number.withLock { $0 = 7 }
        shared.number.notify()
      } else {
        waiters.withLock { $0.append(threadID()) }
        waiters.notify()
        let body: (inout Int) -> Int? = { $0 == 7 ? $0 : nil }
        let found =
          number == 1
          ? shared.number.wait(until: body) : shared.number.wait(for: .seconds(600), until: body)
        if found == 7 { ended.add() }
      }
    }
    #expect(ended.value == 2)
  }

  @Test func timedWaitTimesOut() {
    let lock = Lock(0)
    #expect(lock.wait(for: .zero) { $0 == 1 ? true : nil } == nil)
    #expect(lock.wait(for: .milliseconds(1)) { $0 == 1 ? true : nil } == nil)
    #expect(lock.wait(for: .seconds(-5)) { $0 == 0 ? true : nil } == true)
  }
}

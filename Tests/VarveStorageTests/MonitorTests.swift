import Glibc
import Testing
import VarveStorage

@Suite struct MonitorTests {
  @Test func guardedValueIsChangedByOneThreadAtATime() {
    final class Shared: Sendable { let number = Monitor(0) }
    let shared = Shared()
    onThreads(4) { _ in
      for _ in 0..<1000 { shared.number.withLock { $0 += 1 } }
    }
    #expect(shared.number.withLock { $0 } == 4000)
  }

  @Test func waitEndsWhenBodyReturnsValue() {
    final class Shared: Sendable { let number = Monitor(0) }
    let shared = Shared()
    let calls = Counter()
    let ended = Counter()
    onThreads(3) { number in
      if number == 0 {
        // The body runs under the lock, and a waiting thread releases the lock only while it
        // sleeps.
        while calls.value < 2 { sched_yield() }
        shared.number.withLock { $0 = 7 }
        shared.number.notify()
      } else {
        let body: (inout Int) -> Int? = {
          calls.add()
          return $0 == 7 ? $0 : nil
        }
        let found =
          number == 1
          ? shared.number.wait(until: body) : shared.number.wait(for: .seconds(600), until: body)
        if found == 7 { ended.add() }
      }
    }
    #expect(ended.value == 2)
  }

  @Test func timedWaitTimesOut() {
    let monitor = Monitor(0)
    #expect(monitor.wait(for: .zero) { $0 == 1 ? true : nil } == nil)
    #expect(monitor.wait(for: .milliseconds(1)) { $0 == 1 ? true : nil } == nil)
    #expect(monitor.wait(for: .seconds(-5)) { $0 == 0 ? true : nil } == true)
  }
}

import CVarve
import Glibc
import Testing
import VarveLocks
import VarveStorage

@Suite struct WriterThreadTests {
  @Test func jobsRunInOrderOnOneThread() throws {
    let writer = WriterThread()
    let order = Lock<[Int]>([])
    let threads = Lock<Set<UInt>>([])
    let done = Gate()
    for number in 0..<200 {
      try writer.enqueue {
        order.withLock { $0.append(number) }
        threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        if number == 199 { done.open() }
      }
    }
    done.wait()
    #expect(order.withLock { $0 } == Array(0..<200))
    let ran = threads.withLock { $0 }
    #expect(ran.count == 1 && !ran.contains(UInt(pthread_self())))
  }

  @Test func jobsOfManyThreadsAllRun() throws {
    let writer = WriterThread()
    let count = Counter()
    onThreads(4) { _ in
      for _ in 0..<200 {
        do {
          try writer.enqueue { count.add() }
        } catch {
          Issue.record(error)
        }
      }
    }
    let done = Gate()
    try writer.enqueue { done.open() }
    done.wait()
    #expect(count.value == 800)
  }

  @Test func idleThreadEndsAndNextJobStartsAnother() throws {
    let writer = WriterThread(idleLimit: .milliseconds(1))
    #expect(!writer.isRunning)
    for round in 0..<50 {
      let done = Gate()
      try writer.enqueue { done.open() }
      done.wait()
      // In some rounds the next job arrives while the thread is about to end.
      if round % 5 != 0 { continue }
      while writer.isRunning { usleep(200) }
    }
  }

  @Test func threadRunningJobDoesNotEnd() throws {
    let writer = WriterThread(idleLimit: .milliseconds(1))
    let hold = Gate()
    let done = Gate()
    let order = Lock<[Int]>([])
    try writer.enqueue {
      hold.wait()
      order.withLock { $0.append(1) }
    }
    usleep(20_000)
    #expect(writer.isRunning)
    try writer.enqueue {
      order.withLock { $0.append(2) }
      done.open()
    }
    hold.open()
    done.wait()
    #expect(order.withLock { $0 } == [1, 2])
  }

  @Test func threadsStartedByJobHaveDefaultTimeSlice() throws {
    let usual = varve_turn_nanoseconds()
    let turns = Lock<[UInt64]>([])
    let done = Gate()
    let writer = WriterThread()
    try writer.enqueue {
      turns.withLock { $0.append(varve_turn_nanoseconds()) }
      onThreads(1) { _ in turns.withLock { $0.append(varve_turn_nanoseconds()) } }
      done.open()
    }
    done.wait()
    let seen = turns.withLock { $0 }
    // Before Linux 6.12 all values are 0.
    #expect(seen[0] == 100_000 || seen[0] == usual)
    #expect(seen[1] == usual)
  }

  @Test func storeWithoutWritesHasNoWriterThread() throws {
    try withStore { environment, _ in
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      #expect(!environment.writer.isRunning)
    }
  }

  @Test func jobsAfterCloseAreRefused() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.writer.enqueue {}
    try environment.close()
    expectError(.closed) { try environment.writer.enqueue {} }
  }
}

/// Blocks one thread until another one releases it.
private final class Gate: Sendable {
  private let isOpen = Lock(false)

  func open() {
    isOpen.withLock { $0 = true }
    isOpen.notify()
  }

  func wait() { isOpen.wait { $0 ? () : nil } }
}

import Synchronization
import Testing
import VarveStorage

@Suite struct WriterThreadTests {
  @Test func jobsRunInOrderOnOneThread() throws {
    try withStore { environment, _ in
      let order = Mutex<[Int]>([])
      for number in 0..<200 {
        try environment.writer.enqueue {
          let isThere = environment.writer.isCurrent
          order.withLock { $0.append(isThere ? number : -1) }
        }
      }
      let isCurrent = try environment.writer.runAndWait { environment.writer.isCurrent }
      #expect(isCurrent)
      #expect(!environment.writer.isCurrent)
      #expect(order.withLock { $0 } == Array(0..<200))
    }
  }

  @Test func aTransactionIsBegunAndEndedThereAndUsedHere() throws {
    try withStore { environment, _ in
      for number in 0..<50 {
        let transaction = try environment.writer.runAndWait {
          () throws(StorageError) -> WriteTransaction in
          try environment.beginWrite(timeout: .seconds(30))
        }
        try transaction.put(.catalog, key: "\(number)", "x")
        let snapshot = try environment.writer.runAndWait { () throws(StorageError) -> Snapshot in
          try transaction.commit()
        }
        #expect(snapshot.count(.catalog) == number + 1)
      }
    }
  }

  @Test func errorsComeBack() throws {
    try withStore { environment, _ in
      let code = errorCode {
        try environment.writer.runAndWait { () throws(StorageError) -> Void in
          throw StorageError(.keyTooLong, "For a test.")
        }
      }
      #expect(code == .keyTooLong)
    }
  }

  @Test func jobsOfManyThreadsAllRun() throws {
    try withStore { environment, _ in
      let count = Counter()
      onThreads(4) { _ in
        for _ in 0..<100 {
          do {
            try environment.writer.enqueue { count.add() }
            try environment.writer.runAndWait { count.add() }
          } catch {
            Issue.record(error)
          }
        }
      }
      #expect(count.value == 800)
    }
  }
}

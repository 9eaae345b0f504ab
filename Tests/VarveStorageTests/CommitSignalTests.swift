import Testing
import VarveStorage

@Suite struct CommitSignalTests {
  @Test func aCommitMovesTheSequence() throws {
    try withStore { environment, _ in
      let before = environment.commitSignal.sequence
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      #expect(environment.commitSignal.sequence != before)
      #expect(environment.commitSignal.wait(for: before, timeout: .seconds(60)) != before)
    }
  }

  @Test func nothingIsSaidWithoutAChange() throws {
    try withStore { environment, _ in
      let before = environment.commitSignal.sequence
      try environment.write { _ in }
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.put(.catalog, key: "a", "b")
      transaction.abort()
      #expect(environment.commitSignal.sequence == before)
      #expect(environment.commitSignal.wait(for: before, timeout: .zero) == before)
    }
  }

  @Test func waitersAreWoken() throws {
    try withStore { environment, _ in
      let signal = environment.commitSignal
      let before = signal.sequence
      let woken = Counter()
      onThreads(4) { number in
        if number == 0 {
          signal.wake()
        } else if signal.wait(for: before, timeout: .seconds(60)) != before {
          woken.add()
        }
      }
      #expect(woken.value == 3)
    }
  }
}

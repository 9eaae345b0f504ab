import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ChildJobTests {
  @Test func commitsSetAgeOfFirstPerson() throws {
    try withStore(Right.self, persons: 3) { engine, children in
      let commits = try children.run(.commit(count: 4, pause: 1), giving: [TimedCommit].self)()
      #expect(commits.count == 4)
      #expect(commits.allSatisfy { $0.began <= $0.returned })
      #expect(commits.map(\.began) == commits.map(\.began).sorted())
      #expect(try engine.makePersonReader().lookUp(ids: [0]).integers == 4)
    }
  }

  @Test func windowLimitsCommitsAndReads() throws {
    try withStore(Right.self, persons: 50) { engine, children in
      let start = SharedClock.now + 1
      let window = ChildJob.Window(start: start, end: start + 0.1)
      let reads = try children.run(
        .read(during: window, persons: 50, seed: 3), giving: Int.self)
      let commits = try children.run(.commitDuring(window), giving: [TimedCommit].self)()
      // Throws if a person is wrong. The number of persons depends on the time and is not checked.
      _ = try reads()
      #expect(commits.allSatisfy { $0.began >= window.start })
      #expect(try engine.makePersonReader().lookUp(ids: [0]).integers == commits.count)
    }
  }

  @Test func readerThatFindsWrongPersonsFails() throws {
    try withStore(Losing.self, persons: 50) { _, children in
      let start = SharedClock.now + 1
      let end = try children.run(
        .read(during: ChildJob.Window(start: start, end: start + 60), persons: 50, seed: 3),
        giving: Int.self)
      let error = expectError(BenchmarkError.self) { try end() }
      #expect(error?.description.contains("other persons") == true)
    }
  }

  @Test func lateProcessFails() throws {
    try withStore(Right.self, persons: 50) { _, children in
      let now = SharedClock.now
      let late = ChildJob.Window(start: now - 1, end: now + 60)
      for job in [ChildJob.read(during: late, persons: 50, seed: 3), .commitDuring(late)] {
        let error = expectError(BenchmarkError.self) { try children.run(job)() as [TimedCommit] }
        #expect(error?.description.contains("late") == true)
      }
    }
  }

  @Test func latencyOfSharedCallEndsAtThatCall() throws {
    try withDirectory { (directory) throws in
      // Commit number n returns at n − 0.5.
      let shelf = Shelf(DictionaryEngine<Right>.self, directory: directory, scale: 0.002) { _ in
        ChildProcesses { _ in
          {
            try JSONEncoder().encode(
              (0..<2).map { TimedCommit(began: Double($0), returned: Double($0) + 0.5) })
          }
        }
      }
      let samples = try shelf.measure(try workload("W9-latency"), size: 2)
      // One call reports both commits: at 2, after the returns at 0.5 and 1.5.
      #expect(samples[0].seconds == [1.5, 0.5])
      #expect(samples[1].seconds == [2, 1])
    }
  }

  private func withStore<Kind: EngineKind>(
    _: Kind.Type, persons: Int,
    _ body: (DictionaryEngine<Kind>, ChildProcesses) throws -> Void
  ) throws {
    try withDirectory { (directory) throws in
      let engine = try DictionaryEngine<Kind>(directory: directory, durability: .full)
      try engine.insertPersons(0..<persons, perTransaction: .max)
      try body(engine, threads(DictionaryEngine<Kind>.self)(directory))
      try engine.close()
    }
  }
}

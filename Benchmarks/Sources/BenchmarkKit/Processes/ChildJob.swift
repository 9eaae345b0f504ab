package import Foundation

/// What a child process does.
package enum ChildJob: Codable, Sendable {
  /// Sets the age of person 0 to 1, 2, …, with a pause of so many milliseconds before each commit; gives
  /// ``TimedCommit``s.
  case commit(count: Int, pause: Int)

  /// The same for as long as a window lasts.
  case commitDuring(Window)

  /// Looks persons up for as long as a window lasts, each thousand in a view of its own; gives how many were found as
  /// they should be.
  case read(during: Window, persons: Int, seed: UInt64)

  /// From one moment of ``SharedClock`` to another: processes begin and end together.
  package struct Window: Codable, Sendable {
    var start: Double
    var end: Double

    /// - Throws: ``BenchmarkError`` when it has begun already: there is less time then than results are divided by.
    func waitForStart() throws {
      guard SharedClock.now < start else {
        throw BenchmarkError("a process came too late for what others do with it")
      }
      while SharedClock.now < start { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  /// Does the job.
  ///
  /// - Parameter engine: Its store.
  /// - Returns: What the job gives, as JSON.
  /// - Throws: ``BenchmarkError`` when an answer is wrong; what the engine throws.
  package func run(_ engine: any PersonEngine) throws -> Data {
    let encoder = JSONEncoder()
    switch self {
    case .commit(let count, let pause):
      return try encoder.encode(
        (1...max(1, count)).map { number in
          if pause > 0 { Thread.sleep(forTimeInterval: Double(pause) / 1000) }
          return try Self.commit(engine, number)
        })
    case .commitDuring(let window):
      var commits: [TimedCommit] = []
      try window.waitForStart()
      while SharedClock.now < window.end {
        commits.append(try Self.commit(engine, commits.count + 1))
      }
      return try encoder.encode(commits)
    case .read(let window, let persons, let seed):
      return try encoder.encode(Self.read(engine, during: window, persons, seed))
    }
  }

  private static func commit(_ engine: any PersonEngine, _ number: Int) throws -> TimedCommit {
    let began = SharedClock.now
    try engine.setAge(ofPerson: 0, to: number)
    return TimedCommit(began: began, returned: SharedClock.now)
  }

  /// Person 0 changes meanwhile, and is left out.
  private static func read(
    _ engine: any PersonEngine, during window: Window, _ persons: Int, _ seed: UInt64
  ) throws -> Int {
    let batches = (0..<16).map { batch in
      Inputs.indexes(1000, below: max(1, persons - 1), seed: seed &* 100 &+ batch).map { $0 + 1 }
        .filter { $0 < persons }
    }
    let expected = batches.map(Expected.persons)
    var found = 0
    var next = 0
    try window.waitForStart()
    while SharedClock.now < window.end {
      guard try engine.makePersonReader().lookUp(ids: batches[next]) == expected[next] else {
        throw BenchmarkError("a reading process found other persons than there are")
      }
      found += batches[next].count
      next = (next + 1) % batches.count
    }
    return found
  }
}

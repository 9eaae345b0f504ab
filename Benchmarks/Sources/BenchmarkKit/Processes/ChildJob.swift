package import Foundation

/// The work of a child process.
package enum ChildJob: Codable, Sendable {
  /// Sets the age of person 0 to 1, 2, …, with a pause in milliseconds before each commit. Returns
  /// ``TimedCommit``s.
  case commit(count: Int, pause: Int)

  /// Commits in the same way for the duration of a window.
  case commitDuring(Window)

  /// Looks up persons for the duration of a window, each thousand in a new view. Returns the number
  /// of persons with the expected values.
  case read(during: Window, persons: Int, seed: UInt64)

  /// An interval of ``SharedClock``: processes begin and end together.
  package struct Window: Codable, Sendable {
    var start: Double
    var end: Double

    /// - Throws: ``BenchmarkError`` when the window has already begun, because the results are
    ///   divided by its whole duration.
    func waitForStart() throws {
      guard SharedClock.now < start else {
        throw BenchmarkError("a process started too late for its time window")
      }
      while SharedClock.now < start { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  /// Runs the job.
  ///
  /// - Parameter engine: The engine with an open store.
  /// - Returns: The result of the job as JSON.
  /// - Throws: ``BenchmarkError`` when an answer is wrong; any error of the engine.
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

  /// Person 0 changes at the same time, and is omitted.
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
        throw BenchmarkError("a reading process found other persons than stored")
      }
      found += batches[next].count
      next = (next + 1) % batches.count
    }
    return found
  }
}

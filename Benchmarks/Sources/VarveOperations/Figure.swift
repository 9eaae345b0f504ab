import Foundation
import Glibc
import Varve

/// A number that is measured in a process of its own: bytes of resident memory that belongs to no
/// file, or a proportion of CPU times.
struct Figure: Sendable {
  let name: String

  /// Whether it is compared with a threshold, and not only with its limit.
  var hasThreshold = true

  /// Measures the figure, in a process that does nothing else.
  let measure: @Sendable () throws -> Measured

  struct Measured {
    let number: Int
    /// The most that is allowed, regardless of a file of thresholds.
    let limit: Int
  }

  /// The text in front of the number, and of the limit, in the output of ``RunFigureCommand``.
  static let answer = "measured: "
  static let limitAnswer = "at most: "

  /// Measures the figure in a process of its own.
  func measureElsewhere() throws -> Measured {
    let text = try OwnProgram.run(["run-figure", name])
    guard let number = OwnProgram.number(after: Self.answer, in: text),
      let limit = OwnProgram.number(after: Self.limitAnswer, in: text)
    else { throw MeasurementFailure("\(name) has no answer:\n\(text)") }
    return Measured(number: number, limit: limit)
  }

  static let all: [Figure] = [
    Figure(name: "idle-store") { try bytesOfStore(commits: 0, limit: 100 << 10) },
    Figure(name: "writing-store") { try bytesOfStore(commits: 5, limit: 400 << 10) },
    Figure(name: "pinned-version") { try bytesOfVersion(limit: 16 << 10) },
    Figure(name: "process-of-closed-stores") {
      let stores = try ManyStores(count: 1000)
      try stores.open(1)
      try stores.close(1)
      let before = ResidentMemory.bytes
      // The whole process may have ten percent more than before.
      let limit = before + ResidentMemory.allBytes / 10
      try stores.open(1000)
      try stores.close(1000)
      let bytes = ResidentMemory.least(of: 30)
      try stores.remove()
      return Measured(number: bytes, limit: limit)
    },
    Figure(name: "percent-beside-idle-realms", hasThreshold: false) {
      Measured(number: try percentOfCommit(besideIdleRealms: 1000), limit: 125)
    },
  ]

  /// An open store that nobody reads, after a number of small commits.
  private static func bytesOfStore(commits: Int, limit: Int) throws -> Measured {
    let count = 200
    let stores = try ManyStores(count: count)
    try stores.open(1)
    try stores.close(1)
    let before = ResidentMemory.bytes
    try stores.open(count, commits: commits)
    let bytes = (ResidentMemory.bytes - before) / count
    try stores.close(count)
    try stores.remove()
    return Measured(number: bytes, limit: limit)
  }

  /// A version that a frozen realm pins.
  private static func bytesOfVersion(limit: Int) throws -> Measured {
    // Fewer than LMDB has reader slots.
    let count = 500
    let store = try OperationStore()
    let item = try store.item(7)
    func pin(_ count: Int) throws -> [Realm] {
      try (0..<count).map { number in
        try store.realm.write { item.count = number }
        return store.realm.freeze()
      }
    }
    let first = try pin(10)
    let before = ResidentMemory.bytes
    let versions = try pin(count)
    let bytes = (ResidentMemory.bytes - before) / count
    withExtendedLifetime((first, versions)) {}
    try store.remove()
    return Measured(number: bytes, limit: limit)
  }

  /// The CPU time of commits beside realms that nobody reads, in percent of that without them.
  private static func percentOfCommit(besideIdleRealms realms: Int) throws -> Int {
    let store = try OperationStore()
    let item = try store.item(7)
    func timeOfCommits() throws -> Double {
      let start = processTime
      for number in 0..<4000 { try store.realm.write { item.count = number } }
      return processTime - start
    }
    let percentages = try (0..<5).map { _ in
      let alone = try timeOfCommits()
      let held = try (0..<realms).map { _ in try Realm(configuration: store.configuration) }
      // All of them are idle after the idle limit.
      usleep(300_000)
      defer { withExtendedLifetime(held) {} }
      return Int(100 * (try timeOfCommits()) / alone)
    }
    try store.remove()
    return percentages.sorted()[percentages.count / 2]
  }

  /// The CPU time of this process in seconds.
  private static var processTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

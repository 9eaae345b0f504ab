import Foundation

/// W9: several processes share a store.
extension Workload {
  static let processes: [Workload] = [
    Workload(
      "W9-commits",
      "2,000 commits of one changed property while another process has the store open",
      2000, on: .persons, stored: 10_000, changesStore: true
    ) { (engine: any PersonEngine, context) in
      // The start of the process is not included: the commits have their own timestamps.
      let commits = try context.children.run(
        .commit(count: context.count, pause: 0), giving: [TimedCommit].self)()
      try context.check(commits.count, context.count)
      try context.check(engine.makePersonReader().lookUp(ids: [0]).integers, context.count)
      guard let first = commits.first, let last = commits.last else { return [] }
      return [context.sample(last.returned - first.began)]
    },
    Workload(
      "W9-readers", "four processes look objects up while a fifth commits, for four seconds",
      10_000, on: .persons, stored: 10_000, changesStore: true
    ) { (engine: any PersonEngine, context) in
      let seconds = min(4, max(0.5, 4 * context.scale))
      // Long enough for five processes to start. A late process throws.
      let start = SharedClock.now + 3
      let window = ChildJob.Window(start: start, end: start + seconds)
      let readers = try (0..<4).map { reader in
        try context.children.run(
          .read(during: window, persons: context.stored, seed: UInt64(reader)), giving: Int.self)
      }
      let writer = try context.children.run(.commitDuring(window), giving: [TimedCommit].self)
      // All processes end before an error removes the store.
      let answers = readers.map { reader in Result { try reader() } }
      let commits = try writer()
      let found = try answers.map { try $0.get() }.reduce(0, +)
      try context.check(engine.makePersonReader().lookUp(ids: [0]).integers, commits.count)
      guard found > 0, let first = commits.first, let last = commits.last else {
        throw BenchmarkError(
          "\(context.engine.name) \(context.workload) read or wrote nothing")
      }
      return [
        context.sample(seconds, operations: found),
        context.sample(
          last.returned - first.began, operations: commits.count, variant: "-commits"),
      ]
    },
    listening("W9-latency", "commit in another process to the callback", 1000, pause: 0),
    listening(
      "W9-latency-20ms", "commit in another process to the callback, 20 ms between commits", 100,
      pause: 20),
  ]

  /// A commit that shares a callback with later ones counts like any other.
  private static func listening(
    _ name: String, _ summary: String, _ count: Int, pause: Int
  ) -> Workload {
    Workload(
      name, summary, count, on: .persons, stored: 10_000, changesStore: true, isLatency: true
    ) {
      (engine: any ListeningEngine, context) in
      var commits: [TimedCommit] = []
      let calls = try engine.listen(upTo: context.count) {
        commits = try context.children.run(.commit(count: context.count, pause: pause))()
      }
      guard commits.count == context.count, calls.last?.number == context.count,
        calls.map(\.number) == calls.map(\.number).sorted()
      else {
        throw BenchmarkError(
          "\(context.engine.name) \(context.workload) was not notified of all commits")
      }
      var latencies: [Double] = []
      var whole: [Double] = []
      for call in calls {
        // Commit number n is at index n − 1.
        for commit in commits[latencies.count..<max(latencies.count, call.number)] {
          latencies.append(commit.latency(ofCallAt: call.time))
          whole.append(call.time - commit.began)
        }
      }
      return [
        context.sample(times: latencies), context.sample(times: whole, variant: wholeVariant),
      ]
    }
  }
}

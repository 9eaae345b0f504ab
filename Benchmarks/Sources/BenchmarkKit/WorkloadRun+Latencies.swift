import Foundation

/// Workloads of which each operation is timed by itself.
extension WorkloadRun {
  /// How many comparisons are timed in each repeat.
  private static var comparisons: Int { 100 }

  func measureLatencies(size: Int) throws -> WorkloadResult {
    ResidentMemory.resetPeak()
    var latencies: [Double] = []
    var bytesOnDisk = 0
    for _ in 0..<repeats {
      try withStore { engine, directory in
        let isCompared = workload == .compareOne || workload == .compareNone
        try engine.insertPersons(
          count: isCompared ? size : Workload.personsOfCommits(scale: scale))
        latencies += try self.latencies(engine, size, directory)
        bytesOnDisk = Self.bytesOnDisk(in: directory)
      }
    }
    var result = WorkloadResult(
      engine: E.name, workload: workload, n: size, times: latencies, bytesOnDisk: bytesOnDisk,
      peakResidentBytes: ResidentMemory.peak())
    result.operationsPerSecond = result.seconds > 0 ? 1 / result.seconds : 0
    result.percentile95 = WorkloadResult.percentile95(sorted: latencies.sorted())
    return result
  }

  private func latencies(_ engine: E, _ size: Int, _ directory: URL) throws -> [Double] {
    switch workload {
    case .commit: return try commits(engine, size, isDurable: true)
    case .commitWithoutSync: return try commits(engine, size, isDurable: false)
    case .observeProcess: return try listen(engine, size, directory, pause: 0)
    case .observeProcessAtRest: return try listen(engine, size, directory, pause: 20)
    default: return try compare(engine, size)
    }
  }

  private func commits(_ engine: E, _ count: Int, isDurable: Bool) throws -> [Double] {
    let commits = try engine.commit(count, pause: .zero, isDurable: isDurable)
    guard commits.count == count else {
      throw BenchmarkError("\(E.name) made \(commits.count) of \(count) commits")
    }
    return commits.map { $0.returned - $0.began }
  }

  private func compare(_ engine: E, _ count: Int) throws -> [Double] {
    let isChanged = workload == .compareOne
    let compared = try engine.compare(
      isChanged: isChanged, count: count, times: Self.comparisons)
    guard compared.allSatisfy({ $0.differing == (isChanged ? 1 : 0) }) else {
      throw BenchmarkError("\(E.name) \(workload.rawValue) finds other differences than there are")
    }
    return compared.map(\.seconds)
  }

  private func listen(_ engine: E, _ count: Int, _ directory: URL, pause: Int) throws -> [Double] {
    var commits: [TimedCommit] = []
    let heard = try engine.listen(upTo: count) { commits = try write(directory, count, pause) }
    guard commits.count == count, heard.last?.number == count,
      heard.map(\.number) == heard.map(\.number).sorted()
    else { throw BenchmarkError("\(E.name) \(workload.rawValue) did not hear of all commits") }
    var latencies: [Double] = []
    for call in heard {
      // Commit number n is at n − 1.
      for commit in commits[latencies.count..<max(latencies.count, call.number)] {
        latencies.append(max(0, call.time - commit.returned))
      }
    }
    return latencies
  }

  /// By how much an observer has a file grow.
  func measureGrowth(size: Int, isDurable: Bool) throws -> WorkloadResult {
    ResidentMemory.resetPeak()
    var times: [Double] = []
    var growth: [Int] = []
    for _ in 0..<repeats {
      try withStore { engine, _ in
        let bytes = try engine.grow(commits: size, isObserved: false, isDurable: isDurable)
        let start = SharedClock.now
        growth.append(
          try engine.grow(commits: size, isObserved: true, isDurable: isDurable) - bytes)
        times.append(SharedClock.now - start)
      }
    }
    return WorkloadResult(
      engine: E.name, workload: workload, n: size, times: times, bytesOnDisk: growth.max() ?? 0,
      peakResidentBytes: ResidentMemory.peak())
  }
}

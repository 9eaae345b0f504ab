package import Foundation

/// Runs one workload on one engine, several times, each time checked.
package struct WorkloadRun<E: Engine> {
  package var workload: Workload
  package var scale: Double
  package var repeats: Int

  /// Where stores are made; each run makes a directory of its own and removes it.
  package var directory: URL

  /// Has another process commit: in a directory, how often, with a pause of so many milliseconds.
  package var write: (URL, Int, Int) throws -> [TimedCommit] = { directory, commits, pause in
    try WriterProcess.run(E.name, in: directory, commits: commits, pause: pause)
  }

  package init(_ workload: Workload, scale: Double, repeats: Int, directory: URL) {
    self.workload = workload
    self.scale = scale
    self.repeats = repeats
    self.directory = directory
  }

  /// Prepares, measures and checks.
  ///
  /// A workload that fills a store gets an empty one each time; the others share one.
  ///
  /// - Returns: The medians, one for each size.
  /// - Throws: ``BenchmarkError`` when an engine gives a wrong answer; what the engine throws.
  package func measure() throws -> [WorkloadResult] {
    try workload.sizes(scale: scale).map { size in
      if let observed = workload.observed { return try measure(observed, size: size) }
      if workload.isLatency { return try measureLatencies(size: size) }
      switch workload {
      case .growObserved: return try measureGrowth(size: size, isDurable: false)
      case .growObservedDurably: return try measureGrowth(size: size, isDurable: true)
      default: return try measureOnce()
      }
    }
  }

  private func measureOnce() throws -> WorkloadResult {
    ResidentMemory.resetPeak()
    var times: [Double] = []
    var oneThreadTimes: [Double] = []
    var bytesOnDisk = 0
    let sharesStore = workload.preparation != .nothing
    for _ in 0..<(sharesStore ? 1 : repeats) {
      try withStore { engine, directory in
        try prepare(engine)
        for _ in 0..<(sharesStore ? repeats : 1) {
          if workload == .lookUpTwoThreads {
            oneThreadTimes.append(try time { try lookUp(engine, threads: 1) })
          }
          times.append(try time { try work(engine) })
        }
        bytesOnDisk = Self.bytesOnDisk(in: directory)
      }
    }
    var result = WorkloadResult(
      engine: E.name, workload: workload, n: operations, times: times, bytesOnDisk: bytesOnDisk,
      peakResidentBytes: ResidentMemory.peak())
    if !oneThreadTimes.isEmpty {
      result.scaling = 2 * WorkloadResult.median(sorted: oneThreadTimes.sorted()) / result.seconds
    }
    return result
  }

  var operations: Int { workload.operations(scale: scale) }
  var persons: Int { Workload.insert.operations(scale: scale) }
  private var listCount: Int { Workload.appendToList.operations(scale: scale) }
  private var keyCount: Int { Workload.insertIntoMap.operations(scale: scale) }

  private func prepare(_ engine: E, size: Int? = nil) throws {
    switch workload.preparation {
    case .nothing: break
    case .persons: try engine.insertPersons(count: size ?? persons)
    case .indexedPersons: try engine.insertIndexedPersons(count: persons)
    case .list: try engine.appendToList(count: size ?? listCount)
    case .map: try engine.insertIntoMap(keys: Inputs.keys(size ?? keyCount))
    }
  }

  /// How many commits are timed in each repeat; the first ones are not.
  private static var commits: (timed: Int, before: Int) { (100, 10) }

  private func measure(_ observed: ObservedCollection, size: Int) throws -> WorkloadResult {
    ResidentMemory.resetPeak()
    var latencies: [Double] = []
    var bytesOnDisk = 0
    let commits = Self.commits
    for _ in 0..<repeats {
      try withStore { engine, directory in
        try prepare(engine, size: size)
        let heard = try engine.observe(
          observed, commits: commits.before + commits.timed, count: size)
        guard heard.count == commits.before + commits.timed,
          heard.allSatisfy({ ($0.oldChanges, $0.newChanges) == observed.changes })
        else {
          throw BenchmarkError(
            "\(E.name) \(workload.rawValue) heard of other changes than were made")
        }
        latencies += heard.dropFirst(commits.before).map(\.seconds)
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
}

extension WorkloadRun {
  /// What is timed, and its check.
  typealias Work = (run: () throws -> Void, check: () throws -> Void)

  /// The inputs are made, and the answers checked, outside the measured time.
  private func time(_ prepared: () throws -> Work) throws -> Double {
    let work = try prepared()
    let start = ContinuousClock.now
    try work.run()
    let elapsed = ContinuousClock.now - start
    try work.check()
    return elapsed / .seconds(1)
  }

  private func work(_ engine: E) throws -> Work {
    if let question = workload.question { return try ask(question, engine) }
    switch workload {
    case .insert:
      return (
        { try engine.insertPersons(count: persons) },
        { try expect(engine.makeReader().readAges(), Expected.ages(persons)) }
      )
    case .lookUp:
      return try lookUp(engine, threads: 1)
    case .lookUpTwoThreads:
      return try lookUp(engine, threads: 2)
    case .iterate:
      let reader = try engine.makeReader()
      return read(Expected.ages(persons)) { try reader.readAges() }
    case .appendToList:
      let all = Array(0..<listCount)
      return (
        { try engine.appendToList(count: listCount) },
        { try expect(engine.makeReader().readList(at: all), Expected.list(at: all)) }
      )
    case .readList:
      let indexes = Inputs.indexes(operations, below: listCount)
      let reader = try engine.makeReader()
      return read(Expected.list(at: indexes)) { try reader.readList(at: indexes) }
    case .insertIntoMap:
      let keys = Inputs.keys(keyCount)
      return (
        { try engine.insertIntoMap(keys: keys) },
        {
          let all = Array(0..<keyCount)
          try expect(engine.makeReader().readMap(keys: keys), Expected.list(at: all))
        }
      )
    case .readMap:
      let indexes = Inputs.indexes(operations, below: keyCount)
      let all = Inputs.keys(keyCount)
      let keys = indexes.map { all[$0] }
      let reader = try engine.makeReader()
      return read(Expected.list(at: indexes)) { try reader.readMap(keys: keys) }
    case .openView:
      var seen = 0
      return (
        { seen = try engine.openViews(count: operations, persons: persons) },
        {
          guard seen == operations else {
            throw BenchmarkError("\(seen) of \(operations) views saw all persons")
          }
        }
      )
    case .migrate:
      try engine.insertPersons(count: persons)
      ResidentMemory.resetPeak()
      return (
        { try engine.migrate() },
        { try expect(engine.readMigratedAges(), Expected.ages(persons)) }
      )
    case .updateAll, .updateModified:
      let onlyDifferences = workload == .updateModified
      try engine.insertPersons(count: persons)
      return (
        { try engine.updatePersons(count: persons, onlyDifferences: onlyDifferences) },
        { try expect(engine.makeReader().readAges(), Expected.updatedAges(persons)) }
      )
    case .exportText, .importText:
      return try text(engine)
    default:
      throw BenchmarkError("\(workload.rawValue) is measured commit by commit")
    }
  }

  private func text(_ engine: E) throws -> Work {
    let checkImport = { try expect(engine.readImportedAges(), Expected.ages(persons)) }
    if workload == .importText {
      try engine.insertPersons(count: persons)
      try engine.exportText()
      ResidentMemory.resetPeak()
      return ({ try engine.importText() }, checkImport)
    }
    return (
      { try engine.exportText() },
      {
        try engine.importText()
        try checkImport()
      }
    )
  }

  private func lookUp(_ engine: E, threads: Int) throws -> Work {
    let ids = (0..<threads).map { thread in
      Inputs.indexes(persons, below: persons, seed: UInt64(thread))
    }
    let expected = ids.map(Expected.persons)
    if threads == 1 {
      let reader = try engine.makeReader()
      return read(expected[0]) { try reader.lookUp(ids: ids[0]) }
    }
    var found: [Checksum] = []
    return (
      { found = try TwoThreads.run { try engine.makeReader().lookUp(ids: ids[$0]) } },
      { for (checksum, right) in zip(found, expected) { try expect(checksum, right) } }
    )
  }

  func read<Answer: Equatable>(_ expected: Answer, _ body: @escaping () throws -> Answer) -> Work {
    var found: Answer?
    return ({ found = try body() }, { try expect(found, expected) })
  }

  private func expect<Answer: Equatable>(_ found: Answer?, _ expected: Answer) throws {
    guard let found, found == expected else {
      throw BenchmarkError(
        "\(E.name) \(workload.rawValue) gives \(found.map { "\($0)" } ?? "nothing") instead of \(expected)"
      )
    }
  }
}

extension WorkloadRun {
  func withStore(_ body: (E, URL) throws -> Void) throws {
    let directory = directory.appendingPathComponent(
      "\(E.name)-\(workload.rawValue)-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: directory) }
    let engine = try E(directory: directory)
    do {
      try body(engine, directory)
    } catch {
      // The first error is the one to tell.
      try? engine.close()
      throw error
    }
    try engine.close()
  }

  /// Blocks in use, not lengths: files may have holes.
  static func bytesOnDisk(in directory: URL) -> Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
    return names.reduce(0) { sum, name in
      var status = stat()
      guard stat(directory.appendingPathComponent(name).path, &status) == 0 else { return sum }
      return sum + Int(status.st_blocks) * 512
    }
  }
}

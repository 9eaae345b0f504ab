import Foundation

/// What a workload is told, and what it measures with.
package struct WorkloadContext: Sendable {
  /// The name in errors.
  let engine: any Engine.Type
  let workload: String

  /// How many operations.
  let count: Int

  /// How many objects, elements, keys, … the store holds.
  let stored: Int

  let scale: Double

  /// Where the store is.
  let directory: URL

  /// The engine's ``Engine/writeBack()``.
  let writeBack: @Sendable () throws -> Void

  /// Starts this program once more, on the store of this workload.
  let children: ChildProcesses

  /// Times a piece of work and checks what it gives.
  ///
  /// - Parameters:
  ///   - expected: The right answer; made before.
  ///   - times: How often to do it. The first time, the processor's caches have what the other engines left there; a few
  ///     times in a row tell what a query costs a busy server.
  ///   - work: What is timed.
  /// - Returns: The measurement, with what the files then take.
  /// - Throws: ``BenchmarkError`` when the answer is another one; what the work throws.
  func time<Answer: Equatable>(
    _ expected: Answer, times: Int = 1, _ work: () throws -> Answer
  ) throws -> [Sample] {
    let seconds = try (0..<times).map { _ in
      let start = ContinuousClock.now
      let found = try work()
      let elapsed = ContinuousClock.now - start
      try check(found, expected)
      return elapsed / .seconds(1)
    }
    try writeBack()
    return [sample(times: seconds)]
  }

  /// Times a piece of work that gives nothing by itself.
  ///
  /// - Parameters:
  ///   - expected: The right answer; made before.
  ///   - work: What is timed.
  ///   - answer: Finds out afterwards what has been done.
  /// - Returns: The measurement, with what the files then take.
  /// - Throws: ``BenchmarkError`` when the answer is another one; what the work throws.
  func time<Answer: Equatable>(
    _ expected: Answer, _ work: () throws -> Void, then answer: () throws -> Answer
  ) throws -> [Sample] {
    let start = ContinuousClock.now
    try work()
    let elapsed = ContinuousClock.now - start
    let peak = ResidentMemory.peak()
    try check(answer(), expected)
    try writeBack()
    var measured = sample(elapsed / .seconds(1))
    measured.peakResidentBytes = peak
    return [measured]
  }

  /// Throws unless an answer is right.
  func check<Answer: Equatable>(_ found: Answer, _ expected: Answer) throws {
    guard found == expected else {
      throw BenchmarkError("\(engine.name) \(workload) gives \(found) instead of \(expected)")
    }
  }

  /// Throws unless persons are as they should be: all of some, see ``Inputs/spread(below:)``.
  ///
  /// - Parameters:
  ///   - reader: Reads them.
  ///   - count: How many persons there should be.
  ///   - person: What is right; as they were made if it is not given.
  /// - Throws: ``BenchmarkError`` that tells the first that is missing or another one; what the reader throws.
  func checkPersons(
    _ reader: any PersonReader, _ count: Int, are person: (Int) -> Person = { Person(id: $0) }
  ) throws {
    for id in Inputs.spread(below: count) {
      try check(reader.readPerson(id), person(id))
    }
  }

  /// A measurement of what has just been done.
  ///
  /// - Parameters:
  ///   - seconds: Of all operations; of latencies, those of each.
  ///   - operations: How many there were; the count if it is not given.
  ///   - variant: What to append to the workload's name.
  /// - Returns: It, with what the files take and what memory was resident by now.
  func sample(
    _ seconds: Double..., operations: Int? = nil, variant: String = ""
  ) -> Sample {
    sample(times: seconds, operations: operations, variant: variant)
  }

  func sample(
    times seconds: [Double], operations: Int? = nil, variant: String = ""
  ) -> Sample {
    Sample(
      variant: variant, seconds: seconds, operations: operations ?? count,
      bytesOnDisk: DiskUse.bytes(in: directory), peakResidentBytes: ResidentMemory.peak())
  }

  /// A measurement of latencies beside another main result.
  ///
  /// - Parameters:
  ///   - seconds: Those of each operation.
  ///   - variant: What to append to the workload's name.
  /// - Returns: It, with what the files take and what memory was resident by now.
  func sample(latencies seconds: [Double], variant: String) -> Sample {
    var sample = sample(times: seconds, operations: seconds.count, variant: variant)
    sample.isLatency = true
    return sample
  }
}

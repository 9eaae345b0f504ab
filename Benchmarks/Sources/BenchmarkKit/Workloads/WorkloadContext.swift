import Foundation

/// The parameters of a workload, and its measuring functions.
package struct WorkloadContext: Sendable {
  /// The engine, named in errors.
  let engine: any Engine.Type
  let workload: String

  /// The number of operations.
  let count: Int

  /// The number of stored objects, elements, keys, ….
  let stored: Int

  let scale: Double

  /// The directory of the store.
  let directory: URL

  /// The engine's ``Engine/writeBack()``.
  let writeBack: @Sendable () throws -> Void

  /// Starts further processes of this program on the store of this workload.
  let children: ChildProcesses

  /// Times a piece of work and checks its result.
  ///
  /// - Parameters:
  ///   - expected: The correct answer, computed before the work.
  ///   - times: The number of repetitions. In the first one, the processor's caches have the
  ///     contents left by the other engines; the following ones show the cost of a query on a busy
  ///     server.
  ///   - work: The timed work.
  /// - Returns: The measurement, with the size of the files afterwards.
  /// - Throws: ``BenchmarkError`` when the answer is wrong; any error of the work.
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

  /// Times a piece of work without a result.
  ///
  /// - Parameters:
  ///   - expected: The correct answer, computed before the work.
  ///   - work: The timed work.
  ///   - answer: Reads the result of the work afterwards.
  /// - Returns: The measurement, with the size of the files afterwards.
  /// - Throws: ``BenchmarkError`` when the answer is wrong; any error of the work.
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

  /// Throws if an answer is wrong.
  func check<Answer: Equatable>(_ found: Answer, _ expected: Answer) throws {
    guard found == expected else {
      throw BenchmarkError("\(engine.name) \(workload) returned \(found) instead of \(expected)")
    }
  }

  /// Checks all values of some persons, selected by ``Inputs/spread(below:)``.
  ///
  /// - Parameters:
  ///   - count: The number of stored persons.
  ///   - person: The expected person of an id. The default is the person as created.
  /// - Throws: ``BenchmarkError`` for the first missing or wrong person; any error of the reader.
  func checkPersons(
    _ reader: any PersonReader, _ count: Int, are person: (Int) -> Person = { Person(id: $0) }
  ) throws {
    for id in Inputs.spread(below: count) {
      try check(reader.readPerson(id), person(id))
    }
  }

  /// Creates the measurement of finished work.
  ///
  /// - Parameters:
  ///   - seconds: The times of all operations. For latencies, the time of each operation.
  ///   - operations: The number of operations. The default is `count`.
  ///   - variant: The suffix of the workload's name.
  /// - Returns: The measurement, with the current size of the files and the peak resident memory.
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

  /// Creates a measurement of latencies in addition to another main result.
  ///
  /// - Parameters:
  ///   - seconds: The time of each operation.
  ///   - variant: The suffix of the workload's name.
  /// - Returns: The measurement, with the current size of the files and the peak resident memory.
  func sample(latencies seconds: [Double], variant: String) -> Sample {
    var sample = sample(times: seconds, operations: seconds.count, variant: variant)
    sample.isLatency = true
    return sample
  }
}

import Testing

@testable import BenchmarkKit

@Suite struct ScheduleTests {
  @Test func repeatsOfEnginesAlternateAndTurnsRotate() throws {
    let journal = Journal()
    let workers = ["a", "b", "c"].map { TestWorker($0, journal) }
    try Schedule([workload("W1a")], scale: 0.00001, repeats: 4).run(on: workers) { _ in }
    #expect(
      journal.lines == [
        "a W1a 10", "b W1a 10", "c W1a 10",
        "b W1a 10", "c W1a 10", "a W1a 10",
        "c W1a 10", "a W1a 10", "b W1a 10",
        "a W1a 10", "b W1a 10", "c W1a 10",
      ])
  }

  @Test func resultsAreReportedInEngineOrderAfterRepeats() throws {
    let journal = Journal()
    let workers = ["a", "b"].map { TestWorker($0, journal) }
    var results: [WorkloadResult] = []
    try Schedule([workload("W2"), workload("W4a")], scale: 0.00001, repeats: 2).run(on: workers) {
      results.append($0)
      journal.lines.append("result")
    }
    #expect(results.map { "\($0.engine) \($0.workload)" } == ["a W2", "b W2", "a W4a", "b W4a"])
    #expect(results.allSatisfy { $0.repeats == 2 })
    #expect(
      journal.lines == [
        "a W2 10", "b W2 10", "b W2 10", "a W2 10", "result", "result",
        "a W4a 10", "b W4a 10", "b W4a 10", "a W4a 10", "result", "result",
      ])
  }

  @Test func eachSizeIsSeparateResult() throws {
    let journal = Journal()
    var counts: [Int] = []
    try Schedule([workload("W6-all")], scale: 0.1, repeats: 1).run(on: [TestWorker("a", journal)]) {
      counts.append($0.n)
    }
    #expect(counts == [1000, 10_000, 100_000])
  }

  @Test(arguments: [(5000, [1000, 5000]), (1000, [1000]), (200_000, [1000, 10_000, 100_000])])
  func sizesAreLimitedToLargestCountOfEngine(largest: Int, sizes: [Int]) throws {
    let journal = Journal()
    var worker = TestWorker("a", journal)
    worker.largest = largest
    var counts: [Int] = []
    try Schedule([workload("W6-all")], scale: 0.1, repeats: 1).run(
      on: [worker, TestWorker("b", journal)]
    ) {
      if $0.engine == "a" { counts.append($0.n) }
    }
    #expect(counts == sizes)
    #expect(journal.lines.count { $0.hasPrefix("b") } == 3)
  }

  @Test func refusalIsReportedOnceAndIsNotFailure() throws {
    let journal = Journal()
    var refusing = TestWorker("a", journal)
    refusing.errors = ["W6-all": NotOffered("cannot")]
    var refusals: [String] = []
    var results: [String] = []
    try Schedule([workload("W6-all"), workload("W2")], scale: 0.1, repeats: 3).run(
      on: [refusing, TestWorker("b", journal)]
    ) {
      refusals.append("\($0.engine) \($0.workload) \($0.notOffered ?? "")")
    } report: {
      results.append("\($0.engine) \($0.workload)")
    }
    #expect(refusals == ["a W6-all cannot"])
    #expect(journal.lines.count { $0.hasPrefix("a W6-all") } == 1)
    #expect(results == ["b W6-all", "b W6-all", "b W6-all", "a W2", "b W2"])
  }

  @Test func failureStopsNoOtherEngineAndIsThrownAtEnd() throws {
    let journal = Journal()
    var failing = TestWorker("a", journal)
    failing.errors = ["W2": BenchmarkError("wrong")]
    var failures: [String?] = []
    var results: [String] = []
    let error = #expect(throws: BenchmarkError.self) {
      try Schedule([workload("W2"), workload("W4a")], scale: 0.00001, repeats: 2).run(
        on: [failing, TestWorker("b", journal)]
      ) {
        failures.append($0.failure)
      } report: {
        results.append("\($0.engine) \($0.workload)")
      }
    }
    #expect(error == BenchmarkError("wrong"))
    #expect(failures == ["wrong"])
    #expect(results == ["b W2", "a W4a", "b W4a"])
  }

  @Test func samplesOfLaterFailingEngineAreDiscarded() throws {
    let journal = Journal()
    var failing = TestWorker("a", journal)
    failing.errors = ["W2": BenchmarkError("wrong")]
    failing.runsBeforeErrors = 1
    var results = 0
    #expect(throws: BenchmarkError.self) {
      try Schedule([workload("W2")], scale: 0.00001, repeats: 3).run(on: [failing]) { _ in
        results += 1
      }
    }
    #expect(results == 0)
    #expect(journal.lines.count == 2)
  }

  @Test func variantsAreSeparateResults() throws {
    var worker = TestWorker("a", Journal())
    worker.variants = ["", "-log"]
    var results: [WorkloadResult] = []
    try Schedule([workload("F3")], scale: 0.001, repeats: 3).run(on: [worker]) {
      results.append($0)
    }
    #expect(results.map(\.workload) == ["F3", "F3-log"])
    #expect(results.map(\.repeats) == [3, 3])
  }
}

/// The requests to workers, in order.
private final class Journal {
  var lines: [String] = []
}

private struct TestWorker: Worker {
  let name: String
  var largest = Int.max
  var errors: [String: any Error] = [:]
  var runsBeforeErrors = 0
  var variants = [""]
  private let journal: Journal

  init(_ name: String, _ journal: Journal) {
    self.name = name
    self.journal = journal
  }

  func largestCount(of workload: Workload) -> Int { largest }

  func measure(_ workload: Workload, size: Int) throws -> [Sample] {
    let line = "\(name) \(workload.name) \(size)"
    let runs = journal.lines.count { $0 == line }
    journal.lines.append(line)
    if let error = errors[workload.name], runs >= runsBeforeErrors { throw error }
    return variants.map {
      Sample(
        variant: $0, seconds: [1], operations: size, bytesOnDisk: 1, peakResidentBytes: 1)
    }
  }
}

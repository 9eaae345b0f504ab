import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct WorkloadResultTests {
  @Test func resultIsMedianOfRepeats() throws {
    let result = try result("W1a", [3, 1, 2])
    #expect(result.engine == "e")
    #expect(result.workload == "W1a")
    #expect(result.n == 100)
    #expect(result.seconds == 2)
    #expect(result.minimumSeconds == 1)
    #expect(result.maximumSeconds == 3)
    #expect(result.repeats == 3)
    #expect(result.samples == 3)
    #expect(result.operationsPerSecond == 50)
    #expect(result.percentile95 == nil)
    #expect(result.percentile99 == nil)
    #expect(try self.result("W1a", [4, 1, 2, 3]).seconds == 2.5)
  }

  @Test func latencySecondsAreOfOneOperation() throws {
    let samples = [sample((1...50).map(Double.init)), sample((51...100).map(Double.init))]
    let result = WorkloadResult(engine: "e", workload: try workload("W6-all"), samples: samples)
    #expect(result.seconds == 50.5)
    #expect(result.operationsPerSecond == 1 / 50.5)
    #expect(result.repeats == 2)
    #expect(result.samples == 100)
    #expect(result.n == 100)
    #expect(result.percentile95 == 95)
    #expect(result.percentile99 == 99)
  }

  @Test func variantMayHaveLatencies() throws {
    var sample = sample([1, 3, 2])
    sample.isLatency = true
    let result = WorkloadResult(engine: "e", workload: try workload("W1a"), samples: [sample])
    #expect(result.percentile99 == 3)
    #expect(result.operationsPerSecond == 0.5)
  }

  @Test(arguments: [(1, 1), (2, 2), (19, 19), (20, 19), (21, 20), (100, 95), (1000, 950)])
  func percentile95IsNotExceededBy95Percent(count: Int, percentile: Int) {
    let values = (1...count).map(Double.init)
    #expect(WorkloadResult.percentile(95, sorted: values) == Double(percentile))
  }

  @Test func memoryAndDiskUseAreOfWorstRun() throws {
    var samples = [sample([1]), sample([2]), sample([3])]
    samples[1].bytesOnDisk = 50
    samples[2].peakResidentBytes = 60
    samples[0].scaling = 1.5
    samples[1].scaling = 1.75
    samples[2].scaling = 2
    let result = WorkloadResult(engine: "e", workload: try workload("W2t"), samples: samples)
    #expect(result.bytesOnDisk == 50)
    #expect(result.peakResidentBytes == 60)
    #expect(result.scaling == 1.75)
  }

  @Test func workWithoutDurationHasNoRate() throws {
    #expect(try result("W8", [0]).operationsPerSecond == 0)
  }

  @Test func variantIsAppendedToName() throws {
    var sample = sample([1])
    sample.variant = "-log"
    let result = WorkloadResult(engine: "e", workload: try workload("F3"), samples: [sample])
    #expect(result.workload == "F3-log")
  }

  @Test func lineHasDocumentedKeys() throws {
    let names = [
      "bytes_on_disk", "engine", "max_seconds", "min_seconds", "n", "ops_per_s", "peak_rss",
      "repeats", "samples", "seconds", "workload",
    ]
    #expect(try keys(of: result("W1a", [1])) == names)
    #expect(try keys(of: result("W6-all", [1])) == (names + ["p95", "p99"]).sorted())
    var scaled = sample([1])
    scaled.scaling = 2
    let result = WorkloadResult(engine: "e", workload: try workload("W2t"), samples: [scaled])
    #expect(try keys(of: result) == (names + ["scaling"]).sorted())
    let line = try JSONEncoder().encode(result)
    #expect(try JSONDecoder().decode(WorkloadResult.self, from: line) == result)
  }

  private func keys(of result: WorkloadResult) throws -> [String] {
    let data = try JSONEncoder().encode(result)
    return try JSONDecoder().decode([String: AnyJSON].self, from: data).keys.sorted()
  }

  /// Any value: only the names matter.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
  }

  private func result(_ name: String, _ times: [Double]) throws -> WorkloadResult {
    WorkloadResult(
      engine: "e", workload: try workload(name), samples: times.map { sample([$0]) })
  }

  private func sample(_ seconds: [Double]) -> Sample {
    Sample(variant: "", seconds: seconds, operations: 100, bytesOnDisk: 5, peakResidentBytes: 6)
  }
}

import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct WorkloadResultTests {
  @Test func theMedianStandsForTheRepeats() {
    let result = measurement(times: [3, 1, 2])
    #expect(result.seconds == 2)
    #expect(result.minimumSeconds == 1)
    #expect(result.maximumSeconds == 3)
    #expect(result.operationsPerSecond == 50)
    #expect(measurement(times: [4, 1, 2, 3]).seconds == 2.5)
  }

  @Test func aLineHasTheAgreedNames() throws {
    let data = try JSONEncoder().encode(measurement(times: [1]))
    let object = try JSONDecoder().decode([String: AnyJSON].self, from: data)
    #expect(
      object.keys.sorted() == [
        "bytes_on_disk", "engine", "max_seconds", "min_seconds", "n", "ops_per_s", "peak_rss",
        "repeats", "seconds", "workload",
      ])
  }

  /// Any value: only the names matter.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
  }

  private func measurement(times: [Double]) -> WorkloadResult {
    WorkloadResult(
      engine: "e", workload: .insert, n: 100, times: times, bytesOnDisk: 5, peakResidentBytes: 6)
  }
}

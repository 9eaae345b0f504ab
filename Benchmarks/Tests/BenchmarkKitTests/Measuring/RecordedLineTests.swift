import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct RecordedLineTests {
  private let run = RecordedRun(scale: 0.5, date: "2026-01-31", commit: "abc1234")

  @Test func resultLineIncludesRun() throws {
    let sample = Sample(
      variant: "", seconds: [2, 4], operations: 100, bytesOnDisk: 5, peakResidentBytes: 6)
    let result = WorkloadResult(engine: "e", workload: try workload("W1a"), samples: [sample])
    #expect(
      try text(result) == """
        {"bytes_on_disk":5,"commit":"abc1234","date":"2026-01-31","engine":"e","max_seconds":4,\
        "min_seconds":2,"n":100,"ops_per_s":33.333333333333336,"peak_rss":6,"repeats":1,\
        "samples":2,"scale":0.5,"seconds":3,"workload":"W1a"}
        """)
  }

  @Test func refusalHasReason() throws {
    let refusal = WorkloadRefusal(
      engine: "e", workload: try workload("W4c"), error: NotOffered("no middle"))
    #expect(
      try text(refusal) == """
        {"commit":"abc1234","date":"2026-01-31","engine":"e","not_offered":"no middle",\
        "scale":0.5,"workload":"W4c"}
        """)
  }

  @Test func failureIsNotRefusal() throws {
    let refusal = WorkloadRefusal(
      engine: "e", workload: try workload("W4c"), error: BenchmarkError("gives 1 instead of 2"))
    #expect(refusal.notOffered == nil)
    #expect(try text(refusal).contains(#""failure":"gives 1 instead of 2""#))
  }

  @Test func runWithoutCommitHasNoCommitKey() throws {
    let line = RecordedLine(
      WorkloadRefusal(engine: "e", workload: try workload("W2"), error: NotOffered("")),
      of: RecordedRun(scale: 1, date: "2026-01-31", commit: nil))
    #expect(try !String(decoding: JSONEncoder().encode(line), as: UTF8.self).contains("commit"))
  }

  private func text(_ content: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(RecordedLine(content, of: run)), as: UTF8.self)
  }
}

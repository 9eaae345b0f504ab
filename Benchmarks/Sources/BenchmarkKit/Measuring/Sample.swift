/// The measurements of one run of a workload.
package struct Sample: Codable, Equatable, Sendable {
  /// The suffix of the workload's name; empty for its main result.
  package var variant: String

  /// One or more times for all operations. For latencies, one time per operation.
  package var seconds: [Double]

  package var operations: Int

  /// The size of the files after the work.
  package var bytesOnDisk: Int

  /// The peak resident memory of the engine's process since the beginning of the work.
  package var peakResidentBytes: Int

  /// For work on two threads: the ratio of their throughput to that of one thread.
  package var scaling: Double?

  /// Whether the times are latencies, in a workload whose main result is not a latency.
  package var isLatency = false
}

/// What one run of a workload gives.
package struct Sample: Codable, Equatable, Sendable {
  /// What to append to the workload's name; empty for its main result.
  package var variant: String

  /// Times for all operations, one or more; for latencies, one for each.
  package var seconds: [Double]

  package var operations: Int

  /// What the files take when the work is done.
  package var bytesOnDisk: Int

  /// The most memory that was resident in the engine's process, from the beginning of the work.
  package var peakResidentBytes: Int

  /// Of work on two threads: how many times the work of one thread they did.
  package var scaling: Double?

  /// Whether the times are latencies, in a workload whose main result is none.
  package var isLatency = false
}

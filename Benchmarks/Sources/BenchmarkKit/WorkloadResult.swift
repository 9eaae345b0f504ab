/// The result of one workload on one engine: a line of JSON.
package struct WorkloadResult: Codable, Equatable, Sendable {
  package var engine: String
  package var workload: String

  /// The number of operations.
  package var n: Int

  /// The median of the repeats, and the spread.
  package var seconds: Double
  package var minimumSeconds: Double
  package var maximumSeconds: Double
  package var repeats: Int
  package var operationsPerSecond: Double

  /// What the files take when the work is done; for growth, what an observer adds, in the worst repeat.
  package var bytesOnDisk: Int

  /// The most memory that was resident while the workload ran, preparation included.
  package var peakResidentBytes: Int

  /// For latencies: the 95th percentile.
  package var percentile95: Double?

  /// For workloads on two threads: how many times the work of one thread they did.
  package var scaling: Double?

  enum CodingKeys: String, CodingKey {
    case engine
    case workload
    case n
    case seconds
    case minimumSeconds = "min_seconds"
    case maximumSeconds = "max_seconds"
    case repeats
    case operationsPerSecond = "ops_per_s"
    case bytesOnDisk = "bytes_on_disk"
    case peakResidentBytes = "peak_rss"
    case percentile95 = "p95"
    case scaling
  }

  /// Sums up the repeats.
  ///
  /// - Precondition: There is at least one time.
  package init(
    engine: String, workload: Workload, n: Int, times: [Double], bytesOnDisk: Int,
    peakResidentBytes: Int, scaling: Double? = nil
  ) {
    let sorted = times.sorted()
    self.engine = engine
    self.workload = workload.rawValue
    self.n = n
    seconds = Self.median(sorted: sorted)
    minimumSeconds = sorted[0]
    maximumSeconds = sorted[sorted.count - 1]
    repeats = sorted.count
    operationsPerSecond = seconds > 0 ? Double(n) / seconds : 0
    self.bytesOnDisk = bytesOnDisk
    self.peakResidentBytes = peakResidentBytes
    self.scaling = scaling
  }

  /// The value that is not exceeded by 95 of 100.
  static func percentile95(sorted values: [Double]) -> Double {
    values[min(values.count - 1, values.count * 95 / 100)]
  }

  /// The middle value, or the mean of the two in the middle.
  static func median(sorted values: [Double]) -> Double {
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }
}

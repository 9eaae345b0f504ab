/// The result of one workload on one engine: a line of JSON.
package struct WorkloadResult: Codable, Equatable, Sendable {
  package var engine: String
  package var workload: String

  /// The number of operations. For latencies, the number of objects that are operated on.
  package var n: Int

  /// The median time of the runs for all operations, or of the latencies for one operation; then
  /// the range.
  package var seconds: Double
  package var minimumSeconds: Double
  package var maximumSeconds: Double

  /// The number of runs of the workload.
  package var repeats: Int

  /// The number of times from which the median is taken: one of each run, or more if a run repeats
  /// a query.
  package var samples: Int
  package var operationsPerSecond: Double

  /// The size of the files after the work, in the worst run. For growth, the bytes that an observer
  /// adds.
  package var bytesOnDisk: Int

  /// The peak resident memory of the engine's process during the work, in the worst run.
  package var peakResidentBytes: Int

  /// For latencies: the 95th percentile.
  package var percentile95: Double?

  /// For latencies: the 99th percentile.
  package var percentile99: Double?

  /// For workloads on two threads: the ratio of their throughput to that of one thread.
  package var scaling: Double?

  enum CodingKeys: String, CodingKey {
    case engine
    case workload
    case n
    case seconds
    case minimumSeconds = "min_seconds"
    case maximumSeconds = "max_seconds"
    case repeats
    case samples
    case operationsPerSecond = "ops_per_s"
    case bytesOnDisk = "bytes_on_disk"
    case peakResidentBytes = "peak_rss"
    case percentile95 = "p95"
    case percentile99 = "p99"
    case scaling
  }

  /// Summarizes the runs of a workload.
  ///
  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - workload: The workload of the samples.
  ///   - samples: A sample of each run, all of the same variant and size.
  /// - Precondition: There is at least one sample, and each sample has a time.
  package init(engine: String, workload: Workload, samples: [Sample]) {
    let sorted = samples.flatMap(\.seconds).sorted()
    let operations = samples.map { Double($0.operations) }.sorted()
    self.engine = engine
    self.workload = workload.name + samples[0].variant
    n = Int(Self.median(sorted: operations))
    seconds = Self.median(sorted: sorted)
    minimumSeconds = sorted[0]
    maximumSeconds = sorted[sorted.count - 1]
    repeats = samples.count
    self.samples = sorted.count
    let isLatency = workload.isLatency || samples[0].isLatency
    let operationsOfOneTime = isLatency ? 1 : Double(n)
    operationsPerSecond = seconds > 0 ? operationsOfOneTime / seconds : 0
    bytesOnDisk = samples.map(\.bytesOnDisk).max() ?? 0
    peakResidentBytes = samples.map(\.peakResidentBytes).max() ?? 0
    percentile95 = isLatency ? Self.percentile(95, sorted: sorted) : nil
    percentile99 = isLatency ? Self.percentile(99, sorted: sorted) : nil
    let scalings = samples.compactMap(\.scaling).sorted()
    scaling = scalings.isEmpty ? nil : Self.median(sorted: scalings)
  }

  /// The smallest value that is not exceeded by the given percentage of the values.
  static func percentile(_ percent: Int, sorted values: [Double]) -> Double {
    values[(values.count * percent + 99) / 100 - 1]
  }

  /// The middle value, or the mean of the two in the middle.
  static func median(sorted values: [Double]) -> Double {
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }
}

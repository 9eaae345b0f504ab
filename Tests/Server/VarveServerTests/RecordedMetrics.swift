import Metrics
import Synchronization

/// A metrics backend in memory.
final class RecordedMetrics: MetricsFactory {
  /// The recorded values of each metric: the increments of a counter, the values of a meter.
  private let values = Mutex<[String: [Int64]]>([:])
  private let dimensions = Mutex<[String: [[String]]]>([:])

  /// The sum of a counter.
  func sum(_ label: String) -> Int64 { all(label).reduce(0, +) }
  /// The last value of a meter; nil if it was never set.
  func last(_ label: String) -> Int64? { all(label).last }
  /// All recorded values, in nanoseconds for a timer.
  func all(_ label: String) -> [Int64] { values.withLock { $0[label] ?? [] } }
  /// The dimensions of a metric, as `name=value`.
  func dimensions(of label: String) -> [String]? { allDimensions(of: label).first }
  /// The dimensions of all metrics with a label.
  func allDimensions(of label: String) -> [[String]] { dimensions.withLock { $0[label] ?? [] } }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    handler(label, dimensions)
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    handler(label, dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    handler(label, dimensions)
  }
  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { handler(label, dimensions) }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}

  private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
    self.dimensions.withLock {
      $0[label, default: []].append(dimensions.map { "\($0)=\($1)" })
    }
    return Handler { value in self.values.withLock { $0[label, default: []].append(value) } }
  }

  private final class Handler: CounterHandler, MeterHandler, TimerHandler, RecorderHandler {
    private let append: @Sendable (Int64) -> Void
    init(_ append: @escaping @Sendable (Int64) -> Void) { self.append = append }

    func increment(by amount: Int64) { append(amount) }
    func reset() {}
    func set(_ value: Int64) { append(value) }
    func set(_ value: Double) { append(Int64(value)) }
    func increment(by amount: Double) { append(Int64(amount)) }
    func decrement(by amount: Double) { append(-Int64(amount)) }
    func recordNanoseconds(_ duration: Int64) { append(duration) }
    func record(_ value: Int64) { append(value) }
    func record(_ value: Double) { append(Int64(value)) }
  }
}

import Metrics
import Synchronization

/// A metrics backend in memory, whose text Prometheus reads. Timers are summaries without quantiles.
final class PrometheusMetrics: MetricsFactory {
  private struct Key: Hashable {
    let name: String
    let labels: String
  }
  private struct State {
    var kinds: [String: String] = [:]
    var values: [Key: Double] = [:]
  }
  /// Guards all metrics.
  private let state = Mutex(State())

  /// The metrics in the text format of Prometheus.
  var text: String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    for (metric, kind) in state.kinds.sorted(by: { $0.key < $1.key }) {
      lines.append("# TYPE \(metric) \(kind)")
      let names = kind == "summary" ? ["\(metric)_count", "\(metric)_sum"] : [metric]
      let values = state.values.filter { names.contains($0.key.name) }
      lines += values.map { "\($0.key.name)\($0.key.labels) \($0.value)" }.sorted()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    value(label, "counter", dimensions)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    value(label, "gauge", dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    value(label, aggregate ? "summary" : "gauge", dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    value(label + ".seconds", "summary", dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  private func remove(_ handler: Any) {
    guard let value = handler as? Value else { return }
    state.withLock { state in
      for key in value.keys { state.values[key] = nil }
    }
  }

  private func value(_ label: String, _ kind: String, _ dimensions: [(String, String)]) -> Value {
    let name = Self.identifier(label)
    let pairs = dimensions.map { "\(Self.identifier($0))=\"\(Self.escaped($1))\"" }
    state.withLock { $0.kinds[name] = kind }
    return Value(
      self, name: name, labels: pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}",
      isGauge: kind == "gauge")
  }

  private static func identifier(_ label: String) -> String {
    String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }

  private func change(_ key: Key, _ change: (inout Double) -> Void) {
    state.withLock { change(&$0.values[key, default: 0]) }
  }

  /// One metric with its labels.
  private final class Value: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let metrics: PrometheusMetrics
    private let isGauge: Bool
    private let key, count, sum: Key

    init(_ metrics: PrometheusMetrics, name: String, labels: String, isGauge: Bool) {
      self.metrics = metrics
      self.isGauge = isGauge
      key = Key(name: name, labels: labels)
      count = Key(name: "\(name)_count", labels: labels)
      sum = Key(name: "\(name)_sum", labels: labels)
    }

    var keys: [Key] { [key, count, sum] }

    func increment(by amount: Int64) { metrics.change(key) { $0 += Double(amount) } }
    func increment(by amount: Double) { metrics.change(key) { $0 += amount } }
    func decrement(by amount: Double) { metrics.change(key) { $0 -= amount } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { metrics.change(key) { $0 = value } }
    func reset() { set(0.0) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
      if isGauge { return set(value) }
      metrics.change(count) { $0 += 1 }
      metrics.change(sum) { $0 += value }
    }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  }
}

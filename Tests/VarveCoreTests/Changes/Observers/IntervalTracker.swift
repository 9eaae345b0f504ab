import VarveStorage

@testable import VarveCore

/// Observes nothing, and reports each step from version to version.
struct IntervalTracker: ChangeTracker {
  /// A step from one version to another, each given by its counter.
  struct Interval: Equatable, Sendable {
    let old: UInt64
    let new: UInt64

    init(_ old: UInt64, _ new: UInt64) {
      self.old = old
      self.new = new
    }
  }

  /// Called in the middle of each step.
  var during: @Sendable (Interval) -> Void = { _ in }
  /// The step to this version is the last.
  var last = UInt64.max
  /// Advancing to this version fails.
  var failing = UInt64.max
  var isThere = true

  var subject: String { "steps" }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool { isThere }

  mutating func advance(_ difference: VersionDifference) throws(Failure) -> TrackerUpdate<Interval>
  {
    let interval = Interval(difference.old.version.counter, difference.new.version.counter)
    during(interval)
    if interval.new == failing { throw Failure(.fail, "The step fails.") }
    return interval.new >= last ? .end(interval) : .change(interval)
  }
}

/// The content of a delivery, without its subject.
enum DeliveredContent: Equatable {
  case initial(UInt64, RestartReason? = nil)
  case change(UInt64, UInt64)
  case end(UInt64, UInt64)

  init(_ delivery: Delivery<IntervalTracker>) {
    switch delivery.content {
    case .initial(let reason): self = .initial(delivery.snapshot.version.counter, reason)
    case .change(let interval): self = .change(interval.old, interval.new)
    case .end(let interval): self = .end(interval.old, interval.new)
    }
  }
}

extension Subscription<IntervalTracker> {
  /// Everything that can be delivered now.
  func takeAll() -> [DeliveredContent] {
    var all: [DeliveredContent] = []
    while let delivery = take() { all.append(DeliveredContent(delivery)) }
    return all
  }
}

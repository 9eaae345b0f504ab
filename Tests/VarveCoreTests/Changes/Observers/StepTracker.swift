import VarveStorage

@testable import VarveCore

/// Observes nothing, and reports each step from version to version.
struct StepTracker: ChangeTracker {
  /// A step from one version to another, each given by its counter.
  struct Step: Equatable, Sendable {
    let old: UInt64
    let new: UInt64

    init(_ old: UInt64, _ new: UInt64) {
      self.old = old
      self.new = new
    }
  }

  /// Called in the middle of each step.
  var during: @Sendable (Step) -> Void = { _ in }
  /// The step to this version is the last.
  var last = UInt64.max
  /// Advancing to this version fails.
  var failing = UInt64.max
  var isThere = true

  var subject: String { "steps" }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool { isThere }

  mutating func advance(_ difference: VersionDifference) throws(Failure) -> TrackerStep<Step> {
    let step = Step(difference.old.version.counter, difference.new.version.counter)
    during(step)
    if step.new == failing { throw Failure(.fail, "The step fails.") }
    return step.new >= last ? .end(step) : .change(step)
  }
}

/// The content of a delivery, without its subject.
enum Told: Equatable {
  case initial(UInt64, RestartReason? = nil)
  case step(UInt64, UInt64)
  case end(UInt64, UInt64)

  init(_ delivery: Delivery<StepTracker>) {
    switch delivery.content {
    case .initial(let reason): self = .initial(delivery.snapshot.version.counter, reason)
    case .change(let step): self = .step(step.old, step.new)
    case .end(let step): self = .end(step.old, step.new)
    }
  }
}

extension Subscription<StepTracker> {
  /// Everything that can be delivered now.
  func takeAll() -> [Told] {
    var all: [Told] = []
    while let delivery = take() { all.append(Told(delivery)) }
    return all
  }
}

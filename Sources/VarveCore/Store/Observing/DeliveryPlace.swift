package import Dispatch

/// Where an observer is called.
package enum DeliveryPlace: Sendable {
  case queue(DispatchQueue)
  case actor(ActorReference)

  /// A weak reference to an actor: an actor that owns what observes on it is freed.
  package struct ActorReference: Sendable {
    weak let actor: (any Actor)?

    package init(_ actor: any Actor) { self.actor = actor }
  }

  /// Enqueues a job.
  ///
  /// - Returns: false when the actor is gone, which runs nothing.
  @discardableResult
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .queue(let queue):
      queue.async(execute: job)
    case .actor(let reference):
      guard let actor = reference.actor else { return false }
      Task { await DeliveryPlace.run(on: actor, job) }
    }
    return true
  }

  private static func run(on actor: isolated any Actor, _ job: @Sendable () -> Void) { job() }
}

package import Dispatch

/// Where an observer is called.
package enum DeliveryExecutor: Sendable {
  case queue(DispatchQueue)
  case actor(ActorReference)

  /// A weak reference to an actor: an actor that owns what observes on it is freed.
  package struct ActorReference: Sendable {
    weak let actor: (any Actor)?

    package init(_ actor: any Actor) { self.actor = actor }
  }
}

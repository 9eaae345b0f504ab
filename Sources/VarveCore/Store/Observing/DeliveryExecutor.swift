package import Dispatch

/// The queue or actor on which an observer is called.
package enum DeliveryExecutor: Sendable {
  case queue(DispatchQueue)
  case actor(ActorReference)

  /// A weak reference to an actor, so that an actor that owns observers on itself is deallocated.
  package struct ActorReference: Sendable {
    weak let actor: (any Actor)?

    package init(_ actor: any Actor) { self.actor = actor }
  }
}

public import Dispatch
import VarveCore

extension Realm {
  /// Opens a view that is moved to the newest version, by a job on a queue, when anybody commits.
  ///
  /// Within one job of a serial queue the realm stays at its version, unless the job itself refreshes it
  /// or writes, or does not read it for the configuration's ``Configuration/idleLimit``. At most
  /// one job waits on the queue, however many commits there are; one that finds the realm at the newest
  /// version does nothing. The queue is held by the realm, the realm by nobody.
  ///
  /// - Parameters:
  ///   - configuration: what to open and how.
  ///   - queue: the queue, which should be a serial one; nil makes an ordinary realm.
  /// - Throws: as ``init(configuration:)``.
  public convenience init(
    configuration: Configuration = .defaultConfiguration, queue: DispatchQueue?
  ) throws {
    if let queue {
      try self.init(configuration: configuration, refreshedAt: .queue(queue))
    } else {
      try self.init(configuration: configuration)
    }
  }

  /// Opens a view that is moved to the newest version, by a job on an actor, when anybody commits.
  ///
  /// ```swift
  /// actor Shop {
  ///   private var realm: Realm?
  ///   func open() async throws { realm = try await Realm(actor: self) }
  /// }
  /// ```
  ///
  /// Between two suspension points of the actor the realm stays at its version, unless the actor itself
  /// refreshes it or writes, or does not read it for the configuration's ``Configuration/idleLimit``.
  /// At most one job waits on the actor, however many commits there are. The realm holds the actor
  /// weakly, so the actor may own the realm.
  ///
  /// - Parameters:
  ///   - configuration: what to open and how.
  ///   - actor: the actor.
  /// - Throws: as ``init(configuration:)``.
  public convenience init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor
  ) async throws {
    try self.init(
      configuration: configuration,
      refreshedAt: .actor(DeliveryPlace.ActorReference(actor)))
  }

  private convenience init(
    configuration: Configuration, refreshedAt place: DeliveryPlace
  ) throws {
    self.init(
      context: try Error.translating {
        ReadContext(
          view: try configuration.store().makeView(
            refreshedAt: place, isTracking: configuration.tracksObservation))
      })
  }
}

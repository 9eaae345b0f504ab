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
  /// weakly, so the actor may own the realm. The file is opened on another thread, as ``open(configuration:progress:)`` does.
  ///
  /// - Parameters:
  ///   - configuration: what to open and how.
  ///   - actor: the actor.
  /// - Throws: as ``open(configuration:progress:)``.
  public convenience init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor
  ) async throws {
    _ = try await Realm.openStore(configuration)
    try self.init(
      configuration: configuration,
      refreshedAt: .actor(DeliveryExecutor.ActorReference(actor)))
  }

  private convenience init(
    configuration: Configuration, refreshedAt place: DeliveryExecutor
  ) throws {
    self.init(
      context: try Error.translating {
        ReadContext(
          view: try configuration.store().makeView(
            refreshedAt: place, isTracking: configuration.tracksObservation))
      })
  }
}

extension Realm {
  /// Whether commits of others move the realm; true at first.
  ///
  /// They move a realm by the job on its queue or actor, before a call of an observer that was made through it, when it
  /// has not been read for the configuration's ``Configuration/idleLimit``, when it has been behind for
  /// ``Configuration/maximumLag`` though it is read, and while reads of it are tracked. Set to
  /// false, none of that happens: the realm stays at its version, and pins it, until it is refreshed or writes.
  /// Observers of collections and objects that were made through it are then told what changed as far as the
  /// realm has been moved, and those of the realm itself ``Notification/refreshRequired`` for commits that it was not
  /// moved to. Sequences of changes go on as before.
  ///
  /// False for a frozen realm, which cannot be changed.
  public var autorefresh: Bool {
    get { context.view?.followsCommits ?? false }
    set { context.view?.followsCommits = newValue }
  }

  /// As ``refresh()``, for asynchronous code. It does not wait for anything.
  ///
  /// - Returns: whether the version changed.
  /// - Throws: as ``refresh()``; `CancellationError` when the task was cancelled.
  @discardableResult
  public func asyncRefresh() async throws -> Bool {
    try Task.checkCancellation()
    return try refresh()
  }
}

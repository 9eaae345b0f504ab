public import Dispatch
import VarveCore

extension Realm {
  /// Opens a realm that a job on a queue moves to the newest version after every commit, of any
  /// thread or process.
  ///
  /// Within one job of a serial queue the realm stays at its version, unless the job itself
  /// refreshes the realm, writes, or does not read the realm for the configuration's
  /// ``Configuration/idleLimit``. However many commits there are, at most one job waits on the
  /// queue. A job that finds the realm at the newest version does nothing. The realm retains the
  /// queue; the queue does not retain the realm.
  ///
  /// - Parameters:
  ///   - configuration: The file to open and its options.
  ///   - queue: A queue, which should be serial. With nil, the realm is an ordinary one.
  /// - Throws: The errors of ``init(configuration:)``.
  public convenience init(
    configuration: Configuration = .defaultConfiguration, queue: DispatchQueue?
  ) throws {
    if let queue {
      try self.init(configuration: configuration, refreshedAt: .queue(queue))
    } else {
      try self.init(configuration: configuration)
    }
  }

  /// Opens a realm that a job on an actor moves to the newest version after every commit, of any
  /// thread or process.
  ///
  /// ```swift
  /// actor Shop {
  ///   private var realm: Realm?
  ///   func open() async throws { realm = try await Realm(actor: self) }
  /// }
  /// ```
  ///
  /// Between two suspension points of the actor the realm stays at its version, unless the actor
  /// itself refreshes the realm, writes, or does not read the realm for the configuration's
  /// ``Configuration/idleLimit``. However many commits there are, at most one job waits on the
  /// actor. The realm references the actor weakly, so the actor may own the realm. The file is
  /// opened on another thread, as by ``open(configuration:progress:)``.
  ///
  /// - Parameters:
  ///   - configuration: The file to open and its options.
  ///   - actor: The actor on which the realm is moved.
  /// - Throws: The errors of ``open(configuration:progress:)``.
  public convenience init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor
  ) async throws {
    _ = try await Realm.openStore(configuration)
    try self.init(
      configuration: configuration,
      refreshedAt: .actor(DeliveryExecutor.ActorReference(actor)))
  }

  private convenience init(
    configuration: Configuration, refreshedAt executor: DeliveryExecutor
  ) throws {
    self.init(
      context: try Error.translating {
        ReadContext(
          view: try configuration.store().makeView(
            refreshedAt: executor, isTracking: configuration.tracksObservation))
      })
  }
}

extension Realm {
  /// Whether the realm follows commits that it takes no part in. The default is true.
  ///
  /// ``Realm`` lists the points at which such commits move a realm. When the property is false, the
  /// realm stays at its version, and pins it, until it is refreshed or writes. Observers of
  /// collections and objects that were added through the realm are then notified only of changes up
  /// to the realm's version, and observers of the realm itself receive
  /// ``Notification/refreshRequired`` for later commits. Sequences of changes are not affected.
  ///
  /// For a frozen realm the property is false and cannot be changed.
  public var autorefresh: Bool {
    get { context.view?.followsCommits ?? false }
    set { context.view?.followsCommits = newValue }
  }

  /// Moves the realm to the newest version, as ``refresh()`` does. The task is not suspended.
  ///
  /// - Returns: Whether the version changed.
  /// - Throws: The errors of ``refresh()``; `CancellationError` when the task was cancelled.
  @discardableResult
  public func asyncRefresh() async throws -> Bool {
    try Task.checkCancellation()
    return try refresh()
  }
}

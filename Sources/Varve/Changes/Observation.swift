import Dispatch
import VarveCore

/// The observation of a collection, shared by its callbacks and sequences.
struct Observation<Tracker: ChangeTracker, Collection: Sendable>: Sendable {
  /// The view that is refreshed before each call.
  let view: View
  let tracker: Tracker
  /// Returns the collection, frozen at the version of a delivery.
  let frozen: @Sendable (Tracker, ReadContext) -> Collection

  /// Calls a block with each delivery.
  func observe(
    at executor: ObserverExecutor,
    _ block: @escaping @Sendable (Delivery<Tracker>, Collection) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      NotificationToken(
        try CallbackObserver(tracker, through: view, at: executor.resolved(in: view.store)) {
          block($0, collection($0))
        })
    }
  }

  /// Returns the changes as a sequence.
  ///
  /// - Parameter changes: Converts a change to its public form.
  func sequence<Changes: Sendable>(
    _ changes: @escaping @Sendable (Tracker.Change) -> Changes
  ) -> ChangeSequence<Change<Collection, Changes>> {
    ChangeSequence(tracker, of: view, skipsInitialState: false) { delivery in
      switch delivery.content {
      case .initial(let reason):
        .initial(collection(delivery), reason: reason.map(RestartReason.init))
      case .change(let change), .end(let change): .update(collection(delivery), changes(change))
      }
    }
  }

  private func collection(_ delivery: Delivery<Tracker>) -> Collection {
    frozen(delivery.tracker, ReadContext(view: view).frozen(at: delivery.snapshot))
  }
}

/// The queue or actor on which an observer is called, as passed by the user.
enum ObserverExecutor {
  /// A queue; nil means the queue of the store.
  case queue(DispatchQueue?)
  case actor(any Actor)

  func resolved(in store: Store) -> DeliveryExecutor {
    switch self {
    case .queue(let queue): .queue(queue ?? store.deliveryQueue)
    case .actor(let actor): .actor(.init(actor))
    }
  }
}

typealias CollectionObservation<Collection: Sendable> = Observation<CollectionTracker, Collection>
typealias MapObservation<Collection: Sendable> = Observation<MapTracker, Collection>

extension Observation where Tracker == CollectionTracker {
  /// Calls a block with each change.
  func observe(
    at executor: ObserverExecutor,
    _ block: @escaping @Sendable (RealmCollectionChange<Collection>) -> Void
  ) throws -> NotificationToken {
    try observe(at: executor) { block(RealmCollectionChange($0, $1)) }
  }

  var changes: ChangeSequence<Change<Collection, CollectionChanges>> {
    sequence(CollectionChanges.init)
  }
}

extension Observation where Tracker == MapTracker {
  /// Calls a block with each change.
  func observe(
    at executor: ObserverExecutor,
    _ block: @escaping @Sendable (RealmMapChange<Collection>) -> Void
  ) throws -> NotificationToken {
    try observe(at: executor) { block(RealmMapChange($0, $1)) }
  }

  var changes: ChangeSequence<Change<Collection, MapChanges>> { sequence(MapChanges.init) }
}

extension RealmCollectionChange {
  fileprivate init(_ delivery: Delivery<CollectionTracker>, _ collection: Collection) {
    switch delivery.content {
    case .initial: self = .initial(collection)
    case .change(let changes), .end(let changes):
      self = .update(
        collection, deletions: Array(changes.deletions), insertions: Array(changes.insertions),
        modifications: Array(changes.modifications))
    }
  }
}

extension RealmMapChange {
  fileprivate init(_ delivery: Delivery<MapTracker>, _ map: Collection) {
    switch delivery.content {
    case .initial: self = .initial(map)
    case .change(let change), .end(let change):
      self = .update(
        map, deletions: change.deletions, insertions: change.insertions,
        modifications: change.modifications)
    }
  }
}

extension Results {
  /// Returns the observation of these results.
  ///
  /// - Throws: `.unknownProperty` for an unknown key path, `.invalidInput` for a key path on
  ///   values.
  func observation(_ keyPaths: [String]?) throws(Failure) -> _CollectionObservation<Results> {
    let query = handle.query
    let watched = WatchedPathNames(keyPaths)
    if !query.isOfValues {
      try watched.check(on: query.model)
    } else if keyPaths != nil {
      throw Failure(.invalidInput, "Key paths are for collections of objects.", className: name)
    }
    return _CollectionObservation(
      tracker: CollectionTracker(handle, watching: watched), context: context,
      className: query.isOfValues ? name : query.ownerName,
      ownerExists: { [handle] in handle.sourceExists }
    ) { tracker, context in
      Results(
        ResultsHandle(context: context, query: query, answer: tracker.answer))
    }
  }
}

extension CollectionHandle {
  /// Returns the watched key paths of a list or map.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  func watched(_ keyPaths: [String]?) throws(Failure) -> WatchedPathNames {
    let watched = WatchedPathNames(keyPaths)
    if let elementModel = CollectionIdentity(self).elementModel {
      try watched.check(on: elementModel)
    } else if keyPaths != nil {
      throw Failure(
        .invalidInput, "Key paths are for collections of objects.", className: className,
        propertyName: propertyDescription.alias)
    }
    return watched
  }

  /// Returns the observation of this list.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - collection: Makes the collection from a handle.
  /// - Throws: `.unmanaged`, `.unknownProperty`, `.invalidInput`.
  func observation<Collection: Sendable>(
    _ keyPaths: [String]?, _ collection: @escaping @Sendable (CollectionHandle) -> Collection
  ) throws(Failure) -> _CollectionObservation<Collection> {
    let context = try observedContext()
    return _CollectionObservation(
      tracker: CollectionTracker(self, context.store, try watched(keyPaths)), context: context,
      className: className, ownerExists: { self.exists }
    ) { _, context in collection(self.moved(to: context)) }
  }

  /// Returns the observation of this map.
  ///
  /// - Throws: `.unmanaged`, `.frozen`, `.invalidatedObject`, `.unknownProperty`, `.invalidInput`.
  func mapObservation<Collection: Sendable>(
    _ keyPaths: [String]?, _ collection: @escaping @Sendable (CollectionHandle) -> Collection
  ) throws(Failure) -> MapObservation<Collection> {
    let context = try observedContext()
    let watched = try watched(keyPaths)
    return MapObservation(
      view: try context.observableView(className) { exists },
      tracker: MapTracker(CollectionIdentity(self), context.store, watched)
    ) { _, context in collection(self.moved(to: context)) }
  }

  private func observedContext() throws(Failure) -> ReadContext {
    guard isManaged, let context else {
      throw Failure(.unmanaged, "Unmanaged collections have no versions, and cannot be observed.")
    }
    return context
  }
}

extension ReadContext {
  /// Returns the view through which a collection is observed.
  ///
  /// - Parameters:
  ///   - className: The class of the object that owns the collection.
  ///   - exists: Returns whether the object that owns the collection exists.
  /// - Throws: `.frozen`, `.invalidatedObject`.
  func observableView(_ className: String, exists: () -> Bool) throws(Failure) -> View {
    guard let view else {
      throw Failure(
        .frozen, "Frozen collections do not change: they cannot be observed.", className: className)
    }
    guard exists() else {
      throw Failure(
        .invalidatedObject, "The object that the collection belongs to is deleted.",
        className: className)
    }
    return view
  }
}

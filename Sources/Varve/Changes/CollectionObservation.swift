import Dispatch
import VarveCore

/// What the collections have in common that can be observed.
struct CollectionObservation<Collection: Sendable>: Sendable {
  let store: Store
  /// The view that is moved along; nil for frozen collections, which cannot be observed.
  let view: View?
  let className: String
  let tracker: CollectionTracker
  /// The collection as a delivery finds it.
  let frozen: @Sendable (Delivery<CollectionTracker>) -> Collection

  /// Has a block called with each change.
  func observe(
    at place: DeliveryPlace,
    _ block: @escaping @Sendable (RealmCollectionChange<Collection>) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      NotificationToken(
        try CallbackObserver(tracker, through: try liveView(), at: place) { delivery in
          block(RealmCollectionChange(delivery, frozen(delivery)))
        })
    }
  }

  private func liveView() throws(Failure) -> View {
    guard let view else {
      throw Failure(
        .frozen, "Frozen collections do not change: they cannot be observed.", className: className)
    }
    return view
  }

  var changes: ChangeSequence<Change<Collection, CollectionChanges>> {
    ChangeSequence({ view == nil ? nil : (tracker, store) }) { delivery in
      let collection = frozen(delivery)
      return switch delivery.content {
      case .initial(let reason): .initial(collection, reason: reason.map(RestartReason.init))
      case .change(let changes), .end(let changes): .update(collection, CollectionChanges(changes))
      }
    }
  }
}

extension RealmCollectionChange {
  init(_ delivery: Delivery<CollectionTracker>, _ collection: Collection) {
    switch delivery.content {
    case .initial: self = .initial(collection)
    case .change(let changes), .end(let changes):
      self = .update(
        collection, deletions: Array(changes.deletions), insertions: Array(changes.insertions),
        modifications: Array(changes.modifications))
    }
  }
}

extension ResultsCell {
  /// How these results are observed.
  func observation<Element: Object>(
    _ type: Element.Type, _ watched: WatchedPathNames
  ) throws(Failure) -> CollectionObservation<Results<Element>> {
    try watched.check(on: query.model)
    let context = context
    let query = query
    return CollectionObservation(
      store: context.store, view: context.view, className: query.model.name,
      tracker: CollectionTracker(self, watching: watched)
    ) { delivery in
      let frozen = context.frozen(at: delivery.snapshot)
      return Results(
        ResultsCell(
          context: frozen, query: query.moved(to: frozen), answer: delivery.tracker.answer))
    }
  }
}

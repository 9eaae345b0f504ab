import VarveCore

/// How an object is observed: what callbacks and sequences of it have in common.
struct ObjectObservation<T: ObjectBase>: Sendable {
  /// The realm that is moved along.
  let view: View
  let tracker: ObjectTracker
  let id: UInt64
  let binding: ClassBinding

  /// Has a block called with each delivery.
  func observe(
    at place: ObserverExecutor, _ block: @escaping @Sendable (ObjectStep<T>) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      NotificationToken(
        try CallbackObserver(
          tracker, through: view, knowing: view.snapshot, at: place.resolved(in: view.store)
        ) { block(step($0)) })
    }
  }

  /// The deliveries as a sequence of what is made of each.
  func sequence<Change: Sendable>(
    _ change: @escaping @Sendable (ObjectStep<T>) -> Change
  ) -> ChangeSequence<Change> {
    ChangeSequence(tracker, of: view, knowsState: true) { change(step($0)) }
  }

  private func step(_ delivery: Delivery<ObjectTracker>) -> ObjectStep<T> {
    let live = ReadContext(view: view)
    func object(_ context: ReadContext) -> T { T.handle(id, context.lasting(binding), in: context) }
    let now = object(live.frozen(at: delivery.snapshot))
    switch delivery.content {
    case .initial:
      // Comes only after a pin was given up: what changed is not known any more, but the deletion is.
      return now.isInvalidated ? .deleted : .unknown(now)
    case .end: return .deleted
    case .change(let change):
      return .changed(now, since: object(live.frozen(at: change.old)), names: change.propertyNames)
    }
  }
}

/// What a delivery tells of an object; the objects are frozen.
enum ObjectStep<T: ObjectBase>: Sendable {
  case deleted
  /// What changed is not known any more.
  case unknown(T)
  /// The properties, by their stored names, that were set.
  case changed(T, since: T, names: [String])

  /// As the observers of the object see it.
  var change: ObjectChange<T> {
    switch self {
    case .deleted: .deleted
    case .unknown(let now): .change(now, now.propertiesOfUnknownChange)
    case .changed(let now, let old, let names): .change(now, now.propertyChanges(names, since: old))
    }
  }
}

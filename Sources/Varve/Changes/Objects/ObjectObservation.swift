import VarveCore

/// The observation of an object, shared by its callbacks and sequences.
struct ObjectObservation<T: ObjectBase>: Sendable {
  /// The view that is refreshed before each call.
  let view: View
  let tracker: ObjectTracker
  /// The class of the object: `T` or a subclass of it.
  let type: T.Type
  let id: UInt64
  let binding: ClassBinding

  /// Calls a block with each delivery.
  func observe(
    at executor: ObserverExecutor, _ block: @escaping @Sendable (ObjectUpdate<T>) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      NotificationToken(
        try CallbackObserver(
          tracker, through: view, since: view.snapshot, at: executor.resolved(in: view.store)
        ) { block(update($0)) })
    }
  }

  /// Returns the deliveries as a sequence, each converted by a closure.
  func sequence<Change: Sendable>(
    _ change: @escaping @Sendable (ObjectUpdate<T>) -> Change
  ) -> ChangeSequence<Change> {
    ChangeSequence(tracker, of: view, skipsInitialState: true) { change(update($0)) }
  }

  private func update(_ delivery: Delivery<ObjectTracker>) -> ObjectUpdate<T> {
    let live = ReadContext(view: view)
    func object(_ context: ReadContext) -> T {
      type.handle(id, context.lasting(binding), in: context)
    }
    let now = object(live.frozen(at: delivery.snapshot))
    switch delivery.content {
    case .initial:
      // Delivered only after a pin was released: the changes are lost, but a deletion is still
      // visible.
      return now.isInvalidated ? .deleted : .unknown(now)
    case .end: return .deleted
    case .change(let change):
      return .changed(now, since: object(live.frozen(at: change.old)), names: change.propertyNames)
    }
  }
}

/// The content of a delivery about an object. The objects are frozen.
enum ObjectUpdate<T: ObjectBase>: Sendable {
  case deleted
  /// The changes are lost, because a pin was released.
  case unknown(T)
  /// The properties that were set, by their declared names.
  case changed(T, since: T, names: [String])

  /// The change as the observers of the object receive it.
  var change: ObjectChange<T> {
    switch self {
    case .deleted: .deleted
    case .unknown(let now): .change(now, now.propertiesOfUnknownChange)
    case .changed(let now, let old, let names): .change(now, now.propertyChanges(names, since: old))
    }
  }
}

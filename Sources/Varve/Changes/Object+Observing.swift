public import Dispatch
import VarveCore

extension RealmCollectionValue where Self: Object {
  /// Has a block called with each change of the object.
  ///
  /// ```swift
  /// let token = try dog.observe { change in
  ///   if case .change(let dog, let properties) = change { print(dog.name, properties) }
  /// }
  /// ```
  ///
  /// There is no first call: the changes are those after the version that the object is read in now. A property that was
  /// set to its own value counts. After the configuration's `maximumPinAge` a late observer is told of every property,
  /// without old values. When the object is deleted the block is called once more, and never again.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count, by names: `"name"`, `"owner.name"`. Of a path the property is reported
  ///     that it begins with. Nil: every property of the object itself.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged` or `.frozen`, `.unknownProperty` or `.invalidInput` for a key path that the
  ///   class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths, at: { .queue(queue ?? $0.deliveryQueue) }, block)
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try observe(keyPaths, at: { _ in .actor(.init(actor)) }) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  private func observe(
    _ keyPaths: [String]?, at place: (Store) -> DeliveryPlace,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      guard let context = cell.context, cell.isTied else {
        throw Failure(.unmanaged, "Unmanaged objects cannot be observed.", className: info.name)
      }
      guard let view = context.view else {
        throw Failure(
          .frozen, "Frozen objects do not change: they cannot be observed.", className: info.name)
      }
      let model = info.description
      if let keyPaths { try WatchedPathNames(keyPaths).check(on: model) }
      let tracker = ObjectTracker(model, id: cell.id, paths: WatchedPathNames(keyPaths).names)
      let (id, binding) = (cell.id, cell.binding)
      @Sendable func object(_ context: ReadContext) -> Self {
        let object = Self()
        object.cell.tie(to: context, binding: binding, id: id)
        return object
      }
      return NotificationToken(
        try CallbackObserver(
          tracker, through: view, knowing: context.snapshot, at: place(context.store)
        ) { delivery in
          switch delivery.content {
          case .initial:
            // Comes only after a pin was given up: what changed is not known any more, but the deletion is.
            let now = object(context.frozen(at: delivery.snapshot))
            if now.isInvalidated {
              block(.deleted)
            } else {
              block(.change(now, now.propertiesOfUnknownChange))
            }
          case .end: block(.deleted)
          case .change(let change):
            let new = object(context.frozen(at: change.new))
            let old = object(context.frozen(at: change.old))
            block(.change(new, new.propertyChanges(change.propertyIDs, since: old)))
          }
        })
    }
  }
}

import Synchronization
import VarveStorage

/// The views that take part in a transaction, and the contexts of the handles made in it.
extension Transaction {
  /// Adds a view to the transaction. The view moves to the base version of the transaction now, and
  /// moves again with the commit. A view that tracks reads moves only with the commit, because its
  /// moves call observers.
  ///
  /// `isNew`: Whether the view was made just now.
  func join(_ view: View, isNew: Bool = false) {
    guard view.pin.lastTransaction.load(ordering: .relaxed) != serial else { return }
    view.pin.lastTransaction.store(serial, ordering: .relaxed)
    guard isNew || !participants.contains(where: { $0 === view.pin }) else { return }
    participants.append(view.pin)
    if isManual { view.pin.thread.store(ThreadIdentity.current, ordering: .relaxed) }
    if let tracking = view.pin.tracking {
      tracking.hold()
    } else {
      _ = view.pin.advance(to: base)
    }
  }

  /// Moves every view that took part. Views that track reads are moved when ``takeDeferredMoves()``
  /// is run.
  ///
  /// - Parameters:
  ///   - snapshot: The version that the transaction ended with.
  ///   - retired: A reference to retire together with the versions that the views leave.
  func moveParticipants(
    to snapshot: Snapshot, retiring retired: RetiredReference = RetiredReference(nil)
  ) {
    participants += store.replacedViews.take(ofTransaction: serial)
    var replaced = RetiredReferences()
    replaced.add(retired)
    for pin in participants where pin.tracking == nil {
      replaced.add(pin.moving.advanced(to: snapshot))
    }
    replaced.retire()
    // A rollback notifies no observer of a commit, but the begin of the write has moved the views.
    if participants.contains(where: { $0.isStationary.load(ordering: .relaxed) }) {
      store.notifier.renotify(snapshot)
    }
    deferredMoves = DeferredViewMoves(participants.filter { $0.tracking != nil }, to: snapshot)
    participants.removeAll()
    forgetContext()
    ownView = nil
  }

  /// Returns the moves of views that track reads. The caller that ends a transaction runs them once
  /// it has released all resources that a write needs.
  func takeDeferredMoves() -> DeferredViewMoves {
    defer { deferredMoves = DeferredViewMoves() }
    return deferredMoves
  }

  /// Returns the view of `Realm()` inside the write.
  ///
  /// - Precondition: No other thread may end the write meanwhile; see
  ///   ``Store/writingView(isTracking:)``.
  package func writingView(isTracking: Bool = false) -> View {
    if let view = ownView ?? borrowedView, (view.pin.tracking != nil) == isTracking { return view }
    let view = View(store: store, snapshot: base, isTracking: isTracking)
    join(view, isNew: true)
    // A write without a closure ends with the last view of its thread, so the transaction must not
    // retain one.
    if isManual { borrowedView = view } else { ownView = view }
    return view
  }

  /// Returns the context and binding for a handle to an object that was found inside the write.
  ///
  /// A handle to an object of the version before the write outlives a rollback. The ids that the
  /// write assigned to layouts and properties are then assigned again, so such a handle gets the
  /// binding of that version. Every other handle gets the transaction outcome of the write, and is
  /// invalidated by its rollback; so are all handles in a migration, whose classes may have other
  /// types than in that version.
  package func attachment(
    forObject id: UInt64, _ model: ClassDescription, in context: ReadContext
  ) -> (context: ReadContext, binding: ClassBinding) {
    let binding = readableBinding(for: model)
    guard context.outcome !== outcome, let view = context.view else { return (context, binding) }
    let isCreated =
      storage.mayHaveChanged(binding.table, id: id) && base.find(binding.table, id: id) == nil
    if isCreated || isMigration { return (contextForCreated(in: view), binding) }
    return (context, store.binding(for: model))
  }
}

import Synchronization
import VarveStorage

/// The views that take part in a transaction, and the contexts of the handles made in it.
extension Transaction {
  /// A view takes part: it moved to the newest version when the write began, and moves with the
  /// commit. One that tracks reads moves only then, since its moves have others called.
  ///
  /// `isNew`: whether the view was made just now.
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

  /// Moves every view that took part; those that track reads when ``takeDeferredMoves()`` is run.
  ///
  /// - Parameters:
  ///   - snapshot: the version that the transaction ended with.
  ///   - retired: what is retired together with the versions that the views leave.
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
    // A roll-back wakes nobody, but the begin has moved them.
    if participants.contains(where: { $0.isHeld.load(ordering: .relaxed) }) {
      store.notifier.renotify(snapshot)
    }
    deferredMoves = DeferredViewMoves(participants.filter { $0.tracking != nil }, to: snapshot)
    participants.removeAll()
    forgetContext()
    ownView = nil
  }

  /// The moves of views that track reads. Whoever ends a transaction runs them when it holds nothing any more
  /// that a write needs.
  func takeDeferredMoves() -> DeferredViewMoves {
    defer { deferredMoves = DeferredViewMoves() }
    return deferredMoves
  }

  /// The view of `Realm()` inside the write.
  ///
  /// - Parameter isTracking: whether it tracks reads.
  /// - Returns: the view.
  /// - Precondition: no other thread may end the write meanwhile; see ``Store/writingView(isTracking:)``.
  package func writingView(isTracking: Bool = false) -> View {
    if let view = ownView ?? lentView, (view.pin.tracking != nil) == isTracking { return view }
    let view = View(store: store, snapshot: base, isTracking: isTracking)
    join(view, isNew: true)
    // A write without a closure around it ends with the last view of its thread: it must not hold one.
    if isManual { lentView = view } else { ownView = view }
    return view
  }

  /// What a handle to an object that was found inside the write is tied to.
  ///
  /// A handle to an object of the version before the write outlives a roll-back. What the write gave to
  /// layouts and properties as ids is then given again, so such a handle gets the binding of that version;
  /// every other one has the token of the write, and ends with it.
  package func attachment(
    forObject id: UInt64, _ model: ClassDescription, in context: ReadContext
  ) -> (context: ReadContext, binding: ClassBinding) {
    let binding = knownBinding(for: model)
    guard context.token !== token, let view = context.view else { return (context, binding) }
    if storage.mayHaveChanged(binding.table, id: id), base.find(binding.table, id: id) == nil {
      return (contextForCreated(in: view), binding)
    }
    return (context, store.binding(for: model))
  }
}

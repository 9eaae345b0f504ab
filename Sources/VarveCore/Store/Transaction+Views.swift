package import VarveStorage

/// The views that take part in a transaction, and the contexts of the handles made in it.
extension Transaction {
  /// A view takes part: it moved to the newest version when the write began, and moves with the
  /// commit.
  func join(_ view: View) {
    guard view.pin.lastTransaction.load(ordering: .relaxed) != serial else { return }
    view.pin.lastTransaction.store(serial, ordering: .relaxed)
    guard !participants.contains(where: { $0 === view.pin }) else { return }
    participants.append(view.pin)
    _ = view.pin.moving.advance(to: base)
  }

  /// Moves every view that took part.
  func moveParticipants(to snapshot: Snapshot) {
    for pin in participants { _ = pin.moving.advance(to: snapshot) }
    participants.removeAll()
    createdContext = nil
    ownView = nil
  }

  /// The view of `Realm()` inside the write.
  package func writingView() -> View {
    if let ownView { return ownView }
    let view = View(store: store, snapshot: base)
    join(view)
    ownView = view
    return view
  }

  /// A context for handles to objects that this transaction created.
  package func contextForCreated(in view: View) -> ReadContext {
    if let createdContext, createdContext.view === view { return createdContext }
    let context = ReadContext(view: view, token: token)
    // Kept for the next object; but a write without a closure around it must not hold its view.
    if case .calling = engineThread { createdContext = context }
    return context
  }

  /// The context for a handle to an object that was found inside the write.
  package func context(
    forObject id: UInt64, table: Table, in context: ReadContext
  ) -> ReadContext {
    guard context.token !== token, let view = context.view else { return context }
    return base.find(table, id: id) == nil ? contextForCreated(in: view) : context
  }
}

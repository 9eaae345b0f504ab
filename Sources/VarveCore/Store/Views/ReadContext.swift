import Synchronization
import VarveEncoding
package import VarveStorage

/// The view, or the frozen snapshot, that the handles made by one call share.
///
/// Each call that returns handles makes a context of its own, so that threads sharing a view do not
/// contend for one reference count at every object.
///
/// Thread safety: immutable.
package final class ReadContext: Sendable {
  /// The live view, which retains the store; nil for frozen handles.
  package let view: View?
  /// The store of frozen handles, which have no view.
  private let frozenStore: Store?
  /// The pin of the version of frozen handles; nil for live ones.
  private let frozenPin: FrozenPin?
  /// The view from which frozen handles were frozen, while it exists.
  package weak let origin: View?
  /// The transaction outcome, for handles to objects that a write transaction created.
  package let outcome: TransactionOutcome?

  // The same references again, for the hot read path, which must not count references, least of all
  // of objects that all threads share.
  // Safe because the strong properties retain these objects for the lifetime of the context.
  let hotStore: Unmanaged<Store>
  let hotPin: Unmanaged<ViewPin>?
  let hotMoving: Unmanaged<MovingSnapshot>?
  let hotFrozen: Unmanaged<Snapshot>?

  /// Creates a context of live handles.
  package init(view: View, outcome: TransactionOutcome? = nil) {
    self.view = view
    frozenStore = nil
    frozenPin = nil
    hotStore = .passUnretained(view.store)
    hotPin = .passUnretained(view.pin)
    hotMoving = .passUnretained(view.pin.moving)
    hotFrozen = nil
    origin = nil
    self.outcome = outcome
  }

  /// Creates a context of frozen handles.
  package init(
    frozen: FrozenPin, store: Store, origin: View?, outcome: TransactionOutcome? = nil
  ) {
    frozenStore = store
    view = nil
    frozenPin = frozen
    hotStore = .passUnretained(store)
    hotPin = nil
    hotMoving = nil
    hotFrozen = .passUnretained(frozen.snapshot)
    self.origin = origin
    self.outcome = outcome
  }

  /// Whether handles of this context are permanently invalidated: the write that made them was
  /// rolled back, or their view was invalidated.
  package var isInvalidated: Bool {
    outcome?.isRolledBack == true
      || hotPin?._withUnsafeGuaranteedRef { $0.isInvalidated } == true
  }

  package var store: Store { hotStore.takeUnretainedValue() }

  /// The pinned version of frozen handles; nil for live ones.
  package var frozen: Snapshot? { frozenPin?.snapshot }

  package var isFrozen: Bool { hotFrozen != nil }

  /// The running transaction, when this thread is inside a write of the store and the handles are
  /// live.
  @inline(__always)
  package var transaction: Transaction? {
    guard readsTransaction else { return nil }
    if let transactionReference { return transactionReference.takeUnretainedValue() }
    return store.runningTransaction(for: view)
  }

  /// The running transaction, when this thread is inside a write of the store in which the view of
  /// these live handles takes part. Nil in the remaining cases in which ``transaction`` returns a
  /// transaction. No references are counted: the transaction exists until the thread ends it.
  @inline(__always)
  package var transactionReference: Unmanaged<Transaction>? {
    guard let hotPin, !hotPin._withUnsafeGuaranteedRef({ $0.isInvalidated }) else { return nil }
    return hotStore._withUnsafeGuaranteedRef { store in
      guard store.isWritingThread, let reference = store.runningReference,
        hotPin._withUnsafeGuaranteedRef({ $0.lastTransaction.load(ordering: .relaxed) })
          == reference._withUnsafeGuaranteedRef({ $0.serial })
      else { return nil }
      return reference
    }
  }

  /// The version that handles of this context read outside a write.
  package var snapshot: Snapshot {
    if let frozen { return frozen }
    if let view { return view.snapshot }
    preconditionFailure("A read context has a view or a frozen snapshot.")
  }

  /// The reader for reads outside the hot path: the running transaction, or the snapshot.
  package var reader: any TableReader {
    if let transaction { return transaction.reader }
    return snapshot
  }

  /// Returns a context for the same handles, frozen at the version that they read now.
  ///
  /// Inside a write this is the version before the write.
  ///
  /// - Parameter callSite: The call site, which identifies the frozen values in reports of pins.
  package func frozenContext(at callSite: CallSite) -> ReadContext {
    if isFrozen { return self }
    let pin = FrozenPin(
      transaction?.base ?? snapshot, in: store.frozenPins, as: .frozen, at: callSite)
    return ReadContext(frozen: pin, store: store, origin: view, outcome: outcome)
  }

  /// Returns a context for the same handles, at a version of the same store.
  package func frozen(at snapshot: Snapshot) -> ReadContext {
    ReadContext(
      frozen: FrozenPin(snapshot, in: store.frozenPins, as: .handed, at: nil), store: store,
      origin: view ?? origin)
  }

  /// Returns a live context for frozen handles: in the view from which they were frozen, or in a
  /// new one.
  ///
  /// - Throws: A storage failure when a new view cannot be made.
  package func thawedContext() throws(Failure) -> ReadContext {
    if !isFrozen { return self }
    if let origin { return ReadContext(view: origin, outcome: outcome) }
    return ReadContext(view: try store.makeView(), outcome: outcome)
  }

  /// Returns a separate context, for a call that returns many handles.
  package func forked() -> ReadContext {
    guard let view else { return sharingPin() }
    return ReadContext(view: view, outcome: outcome)
  }

  /// Returns a context of frozen handles that shares the pin of this one.
  private func sharingPin(_ outcome: TransactionOutcome? = nil) -> ReadContext {
    guard let frozenPin else { preconditionFailure("A context of live handles has a view.") }
    return ReadContext(frozen: frozenPin, store: store, origin: origin, outcome: outcome)
  }

  /// Returns a context for the same view or version without a transaction outcome, so that its
  /// handles may refer to any object, not only to those that one transaction created.
  package func withoutOutcome() -> ReadContext {
    guard outcome != nil else { return self }
    guard let view else { return sharingPin() }
    return ReadContext(view: view)
  }

  /// Returns a context whose handles are permanently invalidated.
  package func invalidated() -> ReadContext {
    let outcome = TransactionOutcome()
    outcome.resolve(.rolledBack)
    guard let view else { return sharingPin(outcome) }
    return ReadContext(view: view, outcome: outcome)
  }

  /// Returns the binding of a model class, from the running transaction or the store.
  package func binding(for model: ClassDescription) -> ClassBinding {
    if let transaction { return transaction.readableBinding(for: model) }
    return store.binding(for: model)
  }

  /// Returns a binding that handles of this context may retain, which excludes the binding of a
  /// write that they may outlive.
  package func lasting(_ binding: ClassBinding) -> ClassBinding {
    binding.mayBeKept(in: self) ? binding : store.binding(for: binding.model)
  }

  /// Returns the context and binding for a handle to an object, which the running transaction may
  /// have created.
  package func attachment(
    forObject id: UInt64, _ model: ClassDescription
  ) -> (context: ReadContext, binding: ClassBinding) {
    guard let transaction else { return (self, store.binding(for: model)) }
    return transaction.attachment(forObject: id, model, in: self)
  }
}

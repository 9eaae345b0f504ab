import Synchronization
import VarveEncoding
package import VarveStorage

/// What the handles made by one call share: the view, or the frozen snapshot, that they read.
///
/// Each call that hands out handles makes a context of its own, so that threads which share a view
/// do not meet in one reference count at every object.
///
/// Thread safety: immutable.
package final class ReadContext: Sendable {
  /// The live view, which keeps the store; nil for frozen handles.
  package let view: View?
  /// Kept for frozen handles, which have no view.
  private let frozenStore: Store?
  /// What pins the version of frozen handles; nil for live ones.
  private let frozenPin: FrozenPin?
  /// The view that frozen handles were frozen from, while it lives.
  package weak let origin: View?
  /// Set for handles to objects that a write transaction created.
  package let token: TransactionOutcome?

  // The same once more for the hot read path, which must not count references, least of all those
  // of objects that all threads share.
  // Safe because the strong properties keep what these name as long as the context lives.
  let hotStore: Unmanaged<Store>
  let hotPin: Unmanaged<ViewPin>?
  let hotMoving: Unmanaged<MovingSnapshot>?
  let hotFrozen: Unmanaged<Snapshot>?

  /// A context of live handles.
  package init(view: View, token: TransactionOutcome? = nil) {
    self.view = view
    frozenStore = nil
    frozenPin = nil
    hotStore = .passUnretained(view.store)
    hotPin = .passUnretained(view.pin)
    hotMoving = .passUnretained(view.pin.moving)
    hotFrozen = nil
    origin = nil
    self.token = token
  }

  /// A context of frozen handles.
  package init(
    frozen: FrozenPin, store: Store, origin: View?, token: TransactionOutcome? = nil
  ) {
    frozenStore = store
    view = nil
    frozenPin = frozen
    hotStore = .passUnretained(store)
    hotPin = nil
    hotMoving = nil
    hotFrozen = .passUnretained(frozen.snapshot)
    self.origin = origin
    self.token = token
  }

  /// Whether handles of this context are invalid for ever: the write that made them was rolled back, or their view was
  /// invalidated.
  package var isInvalidated: Bool {
    token?.isRolledBack == true
      || hotPin?._withUnsafeGuaranteedRef { $0.isInvalidated } == true
  }

  package var store: Store { hotStore.takeUnretainedValue() }

  /// The pinned version of frozen handles; nil for live ones.
  package var frozen: Snapshot? { frozenPin?.snapshot }

  package var isFrozen: Bool { hotFrozen != nil }

  /// The running transaction, when this thread is inside a write of the store and the handles are
  /// live ones.
  @inline(__always)
  package var transaction: Transaction? {
    guard readsTransaction else { return nil }
    if let transactionReference { return transactionReference.takeUnretainedValue() }
    return store.runningTransaction(for: view)
  }

  /// The running transaction, when this thread is inside a write of the store which the view of these live handles
  /// takes part in; nil too for what only ``transaction`` finds. No references are counted: the transaction lives until
  /// the thread ends it.
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

  /// Where a read that is not on the hot path goes: the running transaction, or the snapshot.
  package var reader: any TableReader {
    if let transaction { return transaction.reader }
    return snapshot
  }

  /// The same handles, frozen at the version that they read now.
  ///
  /// Inside a write this is the version before the write.
  ///
  /// - Parameter place: what is frozen is known by it where pins are told of.
  /// - Returns: a context of frozen handles.
  package func frozenContext(at place: CallSite) -> ReadContext {
    if isFrozen { return self }
    let pin = FrozenPin(transaction?.base ?? snapshot, in: store.frozenPins, at: place)
    return ReadContext(frozen: pin, store: store, origin: view, token: token)
  }

  /// The same handles at a version of the same store.
  package func frozen(at snapshot: Snapshot) -> ReadContext {
    ReadContext(
      frozen: FrozenPin(snapshot, in: store.frozenPins, at: nil), store: store,
      origin: view ?? origin)
  }

  /// A live context for what is frozen here: in the view that it was frozen from, or in a fresh one.
  ///
  /// - Throws: a storage failure when a fresh view cannot be made.
  package func thawedContext() throws(Failure) -> ReadContext {
    if !isFrozen { return self }
    if let origin { return ReadContext(view: origin, token: token) }
    return ReadContext(view: try store.makeView(), token: token)
  }

  /// A context of its own for a call that hands out many handles.
  package func forked() -> ReadContext {
    guard let view else { return sharingPin() }
    return ReadContext(view: view, token: token)
  }

  /// A context of frozen handles that shares the pin of this one.
  private func sharingPin(_ token: TransactionOutcome? = nil) -> ReadContext {
    guard let frozenPin else { preconditionFailure("A context of live handles has a view.") }
    return ReadContext(frozen: frozenPin, store: store, origin: origin, token: token)
  }

  /// The same view or version, for handles to anything: not only to what one transaction created.
  package func withoutToken() -> ReadContext {
    guard token != nil else { return self }
    guard let view else { return sharingPin() }
    return ReadContext(view: view)
  }

  /// A context whose handles are invalid for ever.
  package func invalidated() -> ReadContext {
    let token = TransactionOutcome()
    token.resolve(.rolledBack)
    guard let view else { return sharingPin(token) }
    return ReadContext(view: view, token: token)
  }

  /// The binding of a model class, as the running transaction or the store knows it.
  package func binding(for model: ClassDescription) -> ClassBinding {
    if let transaction { return transaction.knownBinding(for: model) }
    return store.binding(for: model)
  }

  /// The binding that handles of this context may refer to: another one than that of a write which they may
  /// outlive.
  package func lasting(_ binding: ClassBinding) -> ClassBinding {
    binding.mayBeKept(in: self) ? binding : store.binding(for: binding.model)
  }

  /// What a handle to an object is tied to, which the running transaction may have created.
  package func attachment(
    forObject id: UInt64, _ model: ClassDescription
  ) -> (context: ReadContext, binding: ClassBinding) {
    guard let transaction else { return (self, store.binding(for: model)) }
    return transaction.attachment(forObject: id, model, in: self)
  }
}

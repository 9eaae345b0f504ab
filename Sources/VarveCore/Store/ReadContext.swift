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
  package let store: Store
  /// The live view; nil for frozen handles.
  package let view: View?
  /// What the live view reads; nil for frozen handles.
  @usableFromInline package let pin: ViewPin?
  /// The pinned version of frozen handles; nil for live ones.
  @usableFromInline package let frozen: Snapshot?
  /// The view that frozen handles were frozen from, while it lives.
  package weak let origin: View?
  /// Set for handles to objects that a write transaction created.
  package let token: TransactionToken?

  /// A context of live handles.
  package init(view: View, token: TransactionToken? = nil) {
    store = view.store
    self.view = view
    pin = view.pin
    frozen = nil
    origin = nil
    self.token = token
  }

  /// A context of frozen handles.
  package init(
    frozen: Snapshot, store: Store, origin: View?, token: TransactionToken? = nil
  ) {
    self.store = store
    view = nil
    pin = nil
    self.frozen = frozen
    self.origin = origin
    self.token = token
  }

  package var isFrozen: Bool { frozen != nil }

  /// The running transaction, when this thread is inside a write of the store and the handles are
  /// live ones.
  @inlinable @inline(__always)
  package var transaction: Transaction? {
    if _fastPath(!store.isWritingThread) { return nil }
    return frozen == nil ? store.runningTransaction(for: view) : nil
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
  package func frozenContext() -> ReadContext {
    if isFrozen { return self }
    if let transaction { return ReadContext(frozen: transaction.base, store: store, origin: view) }
    return ReadContext(frozen: snapshot, store: store, origin: view)
  }

  /// A live context for what is frozen here: in the view that it was frozen from, or in a fresh one.
  ///
  /// - Throws: a storage failure when a fresh view cannot be made.
  package func thawedContext() throws(Failure) -> ReadContext {
    if !isFrozen { return self }
    if let origin { return ReadContext(view: origin) }
    return ReadContext(view: try store.makeView())
  }

  /// A context of its own for a call that hands out many handles.
  package func forked() -> ReadContext {
    guard let view else {
      return ReadContext(frozen: snapshot, store: store, origin: origin)
    }
    return ReadContext(view: view, token: token)
  }

  /// A context whose handles are invalid for ever.
  package func invalidated() -> ReadContext {
    let token = TransactionToken()
    token.settle(.rolledBack)
    guard let view else { return ReadContext(frozen: snapshot, store: store, origin: origin, token: token) }
    return ReadContext(view: view, token: token)
  }

  /// The binding of a model class, as the running transaction or the store knows it.
  package func binding(for model: ClassDescription) -> ClassBinding {
    if let transaction { return transaction.knownBinding(for: model) }
    return store.binding(for: model)
  }

  /// The context for objects that the running transaction may have created.
  package func context(forObject id: UInt64, table: Table) -> ReadContext {
    guard let transaction else { return self }
    return transaction.context(forObject: id, table: table, in: self)
  }
}

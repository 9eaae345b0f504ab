import VarveEncoding
import VarveStorage

/// A write transaction of a store: its changes, and the views that take part in it.
///
/// Thread safety: none; the thread that runs the write uses it.
package final class Transaction: FileEditor {
  package let store: Store
  let engineThread: EngineThread
  /// Whether the transaction is attached to a thread of the store.
  var isManaged = false
  /// Whether a migration runs in the transaction. It may have changed the types of each class.
  var isMigration = false
  /// The observers for which the commit is skipped.
  private(set) var skippedObservers: [any ObserverHandle] = []
  /// The pins of the views that take part.
  var participants: [ViewPin] = []
  /// The result of ``takeDeferredMoves()``.
  var deferredMoves = DeferredViewMoves()
  /// The view of `Realm()` inside the write of a closure, made on first use.
  var ownView: View?
  /// The view of `Realm()` inside a write without a closure, while it exists.
  weak var borrowedView: View?
  @exclusivity(unchecked) private var createdContext: ReadContext? {
    didSet {
      createdReference = createdContext.map { .passUnretained($0) }
      createdSerial = serial
    }
  }
  /// The same context, for uses that must not count references.
  @exclusivity(unchecked) private var createdReference: Unmanaged<ReadContext>?
  /// The `serial` for which the context was made: a nested transaction has contexts of its own.
  @exclusivity(unchecked) private var createdSerial: UInt64 = 0
  /// The decision of the closure, in an asynchronous write whose closure decides whether to commit.
  package var begunAsyncWrite: BegunAsyncWrite?
  /// Whether waiting writes may join the transaction once the closure that began it has ended.
  var mayBeShared: Bool { begunAsyncWrite?.mayBeShared ?? false }
  /// Whether calls begin and end the transaction, without a closure around it.
  var isManual: Bool {
    if case .writer = engineThread { true } else { false }
  }

  init(store: Store, storage: WriteTransaction, engineThread: EngineThread = .calling) {
    self.store = store
    self.engineThread = engineThread
    super.init(storage, of: store, store.writer)
  }

  /// Skips the notification of some observers for the commit.
  package func skipNotifying(_ observers: [any ObserverHandle]) { skippedObservers += observers }

  // MARK: Contexts

  /// Returns the context of ``contextForCreated(in:)`` for the view of a context, without counting
  /// references.
  ///
  /// - Returns: Nil when none is cached.
  @inline(__always)
  package func keptContext(like context: ReadContext) -> Unmanaged<ReadContext>? {
    guard let createdReference, createdSerial == serial,
      createdReference._withUnsafeGuaranteedRef({ $0.hotPin?.toOpaque() })
        == context.hotPin?.toOpaque()
    else { return nil }
    return createdReference
  }

  /// Returns a context for handles to objects that this transaction created.
  package func contextForCreated(in view: View) -> ReadContext {
    if let createdContext, createdContext.view === view, createdSerial == serial {
      return createdContext
    }
    let context = ReadContext(view: view, outcome: outcome)
    // Cached for the next object.
    if !isManual { createdContext = context }
    return context
  }

  /// Releases the context for created objects.
  func forgetContext() { createdContext = nil }
}

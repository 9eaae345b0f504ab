import VarveEncoding
import VarveStorage

/// A write transaction of a store: what it changes, and who takes part in it.
///
/// Thread safety: none; the thread that runs the write uses it.
package final class Transaction: FileEditor {
  package let store: Store
  let engineThread: EngineThread
  /// Whether a thread of the store is tied to the transaction.
  var isManaged = false
  /// The observers that the commit is left out for.
  private(set) var skippedObservers: [any ObserverHandle] = []
  /// What the views that take part read.
  var participants: [ViewPin] = []
  /// What ``takeDeferredMoves()`` gives.
  var deferredMoves = DeferredViewMoves()
  /// The view of `Realm()` inside the write of a closure, made on first use.
  var ownView: View?
  /// That of a write without a closure, as long as anybody has it.
  weak var lentView: View?
  @exclusivity(unchecked) private var createdContext: ReadContext? {
    didSet {
      createdReference = createdContext.map { .passUnretained($0) }
      createdSerial = serial
    }
  }
  /// The same once more, for uses that must not count references.
  @exclusivity(unchecked) private var createdReference: Unmanaged<ReadContext>?
  /// The `serial` for which the context was made: a nested transaction has contexts of its own.
  @exclusivity(unchecked) private var createdSerial: UInt64 = 0
  /// Set in an asynchronous write whose closure decides itself whether to commit: what it has decided.
  package var begunAsyncWrite: BegunAsyncWrite?
  /// Whether writes that wait may join the transaction once the closure that began it has ended.
  var mayBeShared: Bool { begunAsyncWrite?.mayBeShared ?? false }
  /// Whether calls begin and end the transaction, and no closure is around it.
  var isManual: Bool {
    if case .writer = engineThread { true } else { false }
  }

  init(store: Store, storage: WriteTransaction, engineThread: EngineThread = .calling) {
    self.store = store
    self.engineThread = engineThread
    super.init(storage, of: store, store.writer)
  }

  /// Leaves the commit out for some observers.
  package func skipNotifying(_ observers: [any ObserverHandle]) { skippedObservers += observers }

  // MARK: Contexts

  /// As ``contextForCreated(in:)`` for the view of a context, without counting references.
  ///
  /// - Returns: nil when none is kept.
  @inline(__always)
  package func keptContext(like context: ReadContext) -> Unmanaged<ReadContext>? {
    guard let createdReference, createdSerial == serial,
      createdReference._withUnsafeGuaranteedRef({ $0.hotPin?.toOpaque() })
        == context.hotPin?.toOpaque()
    else { return nil }
    return createdReference
  }

  /// A context for handles to objects that this transaction created.
  package func contextForCreated(in view: View) -> ReadContext {
    if let createdContext, createdContext.view === view, createdSerial == serial {
      return createdContext
    }
    let context = ReadContext(view: view, token: token)
    // Kept for the next object.
    if !isManual { createdContext = context }
    return context
  }

  /// Lets go of the context for created objects.
  func forgetContext() { createdContext = nil }
}

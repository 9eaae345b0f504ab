import Foundation
import Synchronization
import VarveLocks
import VarveStorage

/// The thread on which LMDB begins and commits a transaction: its lock belongs to a thread.
enum EngineThread {
  /// The calling thread.
  case calling
  /// The writer thread, which waits inside a job for the end of the transaction.
  case writer(ManualWrite)

  func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    switch self {
    case .calling: try body()
    case .writer(let write): try write.perform(body)
    }
  }
}

/// A write between `beginWrite` and `commitWrite`. The calling thread works, while the writer
/// thread owns the locks and waits, so that the write can be ended from any thread.
///
/// Thread safety: one thread at a time submits calls; the writer thread runs them.
final class ManualWrite: Sendable {
  private struct State {
    /// The next call for the writer thread to run.
    var call: (() -> Void)?
    /// True from the submission of a call until it has run.
    var isBusy = false
    /// Whether the writer thread waits for calls.
    var isStarted = false
    var isEnded = false
  }
  /// Guards the call. The caller and the writer thread wait on it for each other.
  private let state = Lock(State())

  /// Acquires the writer thread of a store: a job of its own runs calls until ``end()``.
  ///
  /// - Throws: `.busy` when another write of this process occupied the writer thread for longer
  ///   than a write waits; `.closed`; `.forked`.
  func start(_ store: Store) throws(Failure) {
    try Failure.translating(try enqueue(on: store.environment.writer, store.asyncWrites))
    guard state.wait(for: store.options.writeTimeout, until: { $0.isStarted ? () : nil }) != nil
    else {
      end()
      throw store.asyncWrites.busyFailure
    }
  }

  private func enqueue(
    on writer: WriterThread, _ queue: AsyncWriteQueue
  ) throws(StorageError) {
    try writer.enqueue { [self] in
      queue.beginTurn()
      defer { queue.endTurn() }
      state.withLock { $0.isStarted = true }
      state.notify()
      while runNext() {
        // The call was released by `runNext()`, so that it does not outlive `perform`.
        state.withLock { $0.isBusy = false }
        state.notify()
      }
    }
  }

  /// Runs the next call.
  ///
  /// - Returns: False when the write has ended.
  private func runNext() -> Bool {
    let call = state.wait { state -> (() -> Void)?? in
      if let call = state.call {
        state.call = nil
        return .some(call)
      }
      return state.isEnded ? .some(nil) : .none
    }
    call?()
    return call != nil
  }

  /// Runs a call on the writer thread, and waits for its end.
  func perform<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    var result: Result<R, E>?
    withoutActuallyEscaping({ result = Result(catching: body) }) { call in
      state.withLock { state in
        state.call = call
        state.isBusy = true
      }
      state.notify()
      state.wait { $0.isBusy ? nil : () }
    }
    guard let result else { preconditionFailure("The writer thread has run the call.") }
    return try result.get()
  }

  /// Releases the writer thread.
  func end() {
    state.withLock { $0.isEnded = true }
    state.notify()
  }
}

/// The write of a store that a thread has begun and not ended. There is at most one, as it owns the
/// write lock.
///
/// Thread safety: any thread may use it.
final class BegunWrite: Sendable {
  private struct Open: @unchecked Sendable {
    // Safe because only the thread that takes it out of the lock uses it.
    let write: ManualWrite
    let transaction: Transaction
  }
  /// Guards the write.
  private let open = Lock<Open?>(nil)
  /// The thread that began it, as `ThreadIdentity`, or 0 for none.
  private let thread = Atomic<UInt>(0)
  /// The thread whose write is being rolled back by another one, or 0 for none.
  private let losingThread = Atomic<UInt>(0)

  func set(_ write: ManualWrite, _ transaction: Transaction) {
    open.withLock {
      $0 = Open(write: write, transaction: transaction)
      thread.store(ThreadIdentity.current, ordering: .releasing)
    }
  }

  /// Removes and returns the write that a thread has begun, to end it.
  ///
  /// - Parameters:
  ///   - thread: The thread that began the write.
  ///   - condition: Evaluated under the lock, so that no other write can replace this one
  ///     meanwhile.
  /// - Returns: Nil when there is none, or the condition is false.
  func take(
    of thread: UInt, if condition: () -> Bool = { true }
  ) -> (ManualWrite, Transaction)? {
    let taken = open.withLock { open -> Open? in
      guard isOpen(on: thread), condition() else { return nil }
      if thread != ThreadIdentity.current { losingThread.store(thread, ordering: .relaxed) }
      self.thread.store(0, ordering: .relaxed)
      defer { open = nil }
      return open
    }
    return taken.map { ($0.write, $0.transaction) }
  }

  /// Records that the write taken from a thread has been rolled back.
  func noteRolledBack(of thread: UInt) {
    _ = losingThread.compareExchange(expected: thread, desired: 0, ordering: .releasing)
  }

  /// Makes a view for the calling thread in the write that it has begun, so that a view which
  /// another thread drops meanwhile is not its last.
  ///
  /// - Parameter make: Makes the view. No other thread ends the write meanwhile.
  /// - Returns: The view, or nil when the thread has begun no write, or another thread has just
  ///   rolled it back.
  func makeView<R>(_ make: (Transaction) -> R) -> R? {
    let thread = ThreadIdentity.current
    return open.withLock { open -> R? in
      guard isOpen(on: thread), let open else { return nil }
      return make(open.transaction)
    }
  }

  /// Waits until the calling thread's write, which another thread is rolling back, has ended.
  ///
  /// - Returns: Whether there was such a write.
  func waitForRollBack() -> Bool {
    let thread = ThreadIdentity.current
    var hasWaited = false
    while losingThread.load(ordering: .acquiring) == thread {
      hasWaited = true
      usleep(100)
    }
    return hasWaited
  }

  /// Transfers the begun write that an invalidated view keeps open to the view that replaces it.
  func handOver(from pin: ViewPin, to successor: ViewPin) {
    guard pin !== successor else { return }
    open.withLock { _ in
      let thread = pin.thread.load(ordering: .relaxed)
      if isOpen(on: thread) { successor.thread.store(thread, ordering: .relaxed) }
    }
  }

  /// Returns whether a thread has begun a write and not ended it.
  func isOpen(on thread: UInt) -> Bool { self.thread.load(ordering: .relaxed) == thread }
}

extension Store {
  /// Commits the write that the calling thread has begun, without notifying some observers.
  package func commitManualWrite(
    skipping observers: [any ObserverHandle] = []
  ) throws(Failure) {
    guard isWritingThread, let (write, transaction) = begunWrite.take(of: ThreadIdentity.current)
    else {
      throw Failure(.notInWriteTransaction, "No write was begun on this thread.")
    }
    defer {
      write.end()
      transaction.takeDeferredMoves().run()
    }
    transaction.skipNotifying(observers)
    try transaction.commit()
  }

  /// Whether the calling thread has begun a write and not ended it.
  package var hasManualWrite: Bool {
    isWritingThread && begunWrite.isOpen(on: ThreadIdentity.current)
  }

  /// Rolls back the write that the calling thread has begun, if any.
  package func cancelManualWrite() {
    guard hasManualWrite, let (write, transaction) = begunWrite.take(of: ThreadIdentity.current)
    else { return }
    rollBack(transaction, write).run()
  }

  /// Rolls back the write of a thread that exits without having ended it.
  func cancelWriteOfEndingThread() {
    guard hasManualWrite, let (write, transaction) = begunWrite.take(of: ThreadIdentity.current)
    else { return }
    // On another thread: no user code may run on a thread that exits.
    rollBack(transaction, write).runElsewhere()
    logWriteOfEndedThread()
  }

  /// Rolls back the begun write that a view kept open, if it was the last view of its thread.
  func cancelManualWrite(of pin: ViewPin) {
    let thread = pin.thread.load(ordering: .relaxed)
    guard _slowPath(begunWrite.isOpen(on: thread)) else { return }
    let taken = begunWrite.take(of: thread) {
      !views.all.contains { $0.thread.load(ordering: .relaxed) == thread }
    }
    guard let (write, transaction) = taken else { return }
    let moves = rollBack(transaction, write)
    begunWrite.noteRolledBack(of: thread)
    // On another thread: code that releases the view does not expect callbacks.
    moves.runElsewhere()
  }

  /// - Returns: The deferred moves of the views.
  private func rollBack(_ transaction: Transaction, _ write: ManualWrite) -> DeferredViewMoves {
    rollBack(transaction)
    write.end()
    return transaction.takeDeferredMoves()
  }
}

extension View {
  /// Begins a write that ``Store/commitManualWrite(skipping:)`` or ``Store/cancelManualWrite()``
  /// ends.
  package func beginManualWrite() throws(Failure) {
    guard !store.isWritingThread else {
      throw Failure(
        .alreadyInWriteTransaction, "The thread is inside a write transaction of this store.",
        path: store.options.path)
    }
    let write = ManualWrite()
    do throws(Failure) {
      try write.start(store)
    } catch {
      var failure = error
      failure.path = failure.path ?? store.options.path
      throw failure
    }
    do throws(Failure) {
      let transaction = try write.perform { () throws(Failure) in
        try store.begin(engineThread: .writer(write), isCancelled: { false })
      }
      store.setRunning(transaction)
      transaction.join(self)
      store.begunWrite.set(write, transaction)
      WritingThreads.note(store)
    } catch {
      write.end()
      throw error
    }
  }

  /// Logs an attempt to cancel, on another thread, the write that this view keeps open.
  package func logForeignCancel() {
    let thread = pin.thread.load(ordering: .relaxed)
    if thread != ThreadIdentity.current, store.begunWrite.isOpen(on: thread) {
      store.logForeignCancel()
    }
  }
}

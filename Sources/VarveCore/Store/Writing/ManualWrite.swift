import Foundation
import Synchronization
import VarveStorage

/// Where LMDB's begin and commit of a transaction run: its lock belongs to a thread.
enum EngineThread {
  /// The thread that calls.
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

/// A write between `beginWrite` and `commitWrite`: the calling thread works, while the writer thread
/// holds the locks and waits, so that the write can be ended from any thread.
///
/// Thread safety: one thread at a time has calls run; the writer thread runs them.
final class ManualWrite: Sendable {
  private struct State {
    /// What the writer thread shall run next.
    var call: (() -> Void)?
    /// From the time a call is asked for until it has run.
    var isBusy = false
    /// Whether the writer thread waits for calls.
    var isStarted = false
    var isEnded = false
  }
  /// Guards the call; the caller and the writer thread wait on it for each other.
  private let state = Lock(State())

  /// Takes the writer thread of a store: a job of its own that runs calls until ``end()``.
  ///
  /// - Throws: `.busy` when another write of this process held the writer thread for longer than a write
  ///   waits; `.closed`; `.forked`.
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
        // The call itself is released by now: it must not outlive `perform`.
        state.withLock { $0.isBusy = false }
        state.notify()
      }
    }
  }

  /// Runs the next call.
  ///
  /// - Returns: false when the write has ended.
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

  /// Gives the writer thread back.
  func end() {
    state.withLock { $0.isEnded = true }
    state.notify()
  }
}

/// The write of a store that a thread has begun and not ended: there is one at most, as it holds the write lock.
///
/// Thread safety: any thread may use it.
final class BegunWrite: Sendable {
  private struct Open: @unchecked Sendable {
    // Safe because whoever takes it out of the lock is the only one to use it.
    let write: ManualWrite
    let transaction: Transaction
  }
  /// Guards the write.
  private let open = Mutex<Open?>(nil)
  /// The thread that began it, as `ThreadIdentity`; 0: there is none.
  private let thread = Atomic<UInt>(0)
  /// The thread whose write another one is just rolling back; 0: there is none.
  private let losingThread = Atomic<UInt>(0)

  func set(_ write: ManualWrite, _ transaction: Transaction) {
    open.withLock {
      $0 = Open(write: write, transaction: transaction)
      thread.store(ThreadIdentity.current, ordering: .releasing)
    }
  }

  /// Takes the write out that a thread has begun, to end it.
  ///
  /// - Parameters:
  ///   - thread: the thread.
  ///   - condition: asked while no other write can take its place.
  /// - Returns: nil when there is none, or the condition does not hold.
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

  /// Notes that the write that was taken from a thread has been rolled back.
  func noteRolledBack(of thread: UInt) {
    _ = losingThread.compareExchange(expected: thread, desired: 0, ordering: .releasing)
  }

  /// Makes a view for the calling thread in the write that it has begun: a view that another thread drops meanwhile is
  /// not its last.
  ///
  /// - Parameter make: makes the view; no other thread ends the write meanwhile.
  /// - Returns: the view; nil when the thread has begun no write, or another one has just rolled it back.
  func makeView<R>(_ make: (Transaction) -> R) -> R? {
    let thread = ThreadIdentity.current
    return open.withLock { open -> R? in
      guard isOpen(on: thread), let open else { return nil }
      return make(open.transaction)
    }
  }

  /// Waits until the write of the calling thread that another one has taken is rolled back.
  ///
  /// - Returns: whether there was such a write.
  func waitForRollBack() -> Bool {
    let thread = ThreadIdentity.current
    var hasWaited = false
    while losingThread.load(ordering: .acquiring) == thread {
      hasWaited = true
      usleep(100)
    }
    return hasWaited
  }

  /// Lets the view that took the place of an invalidated one hold open the write that that one did.
  func handOver(from pin: ViewPin, to successor: ViewPin) {
    guard pin !== successor else { return }
    open.withLock { _ in
      let thread = pin.thread.load(ordering: .relaxed)
      if isOpen(on: thread) { successor.thread.store(thread, ordering: .relaxed) }
    }
  }

  /// Whether a thread has begun a write and not ended it.
  func isOpen(on thread: UInt) -> Bool { self.thread.load(ordering: .relaxed) == thread }
}

extension Store {
  /// Commits the write that the calling thread has begun, which some observers are not told of.
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

  /// Rolls back the write that the calling thread has begun; there may be none.
  package func cancelManualWrite() {
    guard hasManualWrite, let (write, transaction) = begunWrite.take(of: ThreadIdentity.current)
    else { return }
    rollBack(transaction, write).run()
  }

  /// Rolls back the write of a thread that ends without having ended it.
  func cancelWriteOfEndingThread() {
    guard hasManualWrite, let (write, transaction) = begunWrite.take(of: ThreadIdentity.current)
    else { return }
    // Elsewhere: no code of others runs on a thread that ends.
    rollBack(transaction, write).runElsewhere()
    logWriteOfEndedThread()
  }

  /// Rolls back a begun write that a view held open, as the last one of its thread.
  func cancelManualWrite(heldBy pin: ViewPin) {
    let thread = pin.thread.load(ordering: .relaxed)
    guard _slowPath(begunWrite.isOpen(on: thread)) else { return }
    let taken = begunWrite.take(of: thread) {
      !views.all.contains { $0.thread.load(ordering: .relaxed) == thread }
    }
    guard let (write, transaction) = taken else { return }
    let moves = rollBack(transaction, write)
    begunWrite.noteRolledBack(of: thread)
    // Elsewhere: whoever lets go of the view expects no calls.
    moves.runElsewhere()
  }

  /// - Returns: the views that are still to be moved.
  private func rollBack(_ transaction: Transaction, _ write: ManualWrite) -> DeferredViewMoves {
    rollBack(transaction)
    write.end()
    return transaction.takeDeferredMoves()
  }
}

extension View {
  /// Begins a write that ``Store/commitManualWrite(skipping:)`` or ``Store/cancelManualWrite()`` ends.
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

  /// Tells of a call that was to cancel the write that this view holds open, on another thread.
  package func logForeignCancel() {
    let thread = pin.thread.load(ordering: .relaxed)
    if thread != ThreadIdentity.current, store.begunWrite.isOpen(on: thread) {
      store.logForeignCancel()
    }
  }
}

import Foundation
import VarveStorage

/// Where LMDB's begin and commit of a transaction run: its lock belongs to a thread.
enum EngineThread {
  /// The thread that calls.
  case calling
  /// The writer thread, which waits inside a job for the end of the transaction.
  case writer(ManualWrite)

  func run<R>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    switch self {
    case .calling: try body()
    case .writer(let write): try write.runOnWriter(body)
    }
  }

  func run(_ body: () -> Void) {
    switch self {
    case .calling: body()
    case .writer(let write): write.perform(body)
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
    do throws(StorageError) {
      try enqueue(on: store.environment.writer, store.asyncWrites)
    } catch {
      throw Failure(error)
    }
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

  func runOnWriter<R>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    var result: Result<R, Failure>?
    perform {
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { throw Failure(.closed, "The writer thread has ended.") }
    return try result.get()
  }

  func perform(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      state.withLock { state in
        state.call = body
        state.isBusy = true
      }
      state.notify()
      state.wait { $0.isBusy ? nil : () }
    }
  }

  /// Gives the writer thread back.
  func end() {
    state.withLock { $0.isEnded = true }
    state.notify()
  }
}

extension ReadContext {
  /// Begins a write that ``commitManualWrite()`` or ``cancelManualWrite()`` ends.
  package func beginManualWrite() throws(Failure) {
    guard let view else { throw Failure(.frozen, "A frozen realm cannot be written to.") }
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
      let transaction = try write.runOnWriter { () throws(Failure) in
        try store.begin(engineThread: .writer(write), isCancelled: { false })
      }
      transaction.tie()
      transaction.join(view)
      view.setManualWrite(write, transaction)
    } catch {
      write.end()
      throw error
    }
  }

  /// Commits the write begun by ``beginManualWrite()``, which some observers are not told of.
  package func commitManualWrite(
    silencing observers: [any SilencedObserver] = []
  ) throws(Failure) {
    guard store.isWritingThread, let (write, transaction) = view?.takeManualWrite() else {
      throw Failure(.notInWriteTransaction, "No write was begun on this thread.")
    }
    defer {
      write.end()
      transaction.takeLateMoves().run()
    }
    transaction.silence(observers)
    try store.commit(transaction)
  }

  /// Rolls back the write begun by ``beginManualWrite()``; on another thread than began it, only logs.
  package func cancelManualWrite() {
    guard let view, view.hasManualWrite else { return }
    guard store.isWritingThread else { return store.logForeignCancel() }
    view.cancelManualWrite().run()
  }
}

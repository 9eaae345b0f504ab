import Dispatch
import Synchronization
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
/// Thread safety: the calling thread and the writer thread take turns, by semaphores.
final class ManualWrite: @unchecked Sendable {
  // Safe because `call` is written before one semaphore is signalled and read after it was awaited.
  private let mayRun = DispatchSemaphore(value: 0)
  private let hasRun = DispatchSemaphore(value: 0)
  private var call: (() -> Void)?

  /// Takes the writer thread: a job of its own that runs calls until ``end()``.
  func start(on writer: WriterThread) throws(StorageError) {
    try writer.enqueue { [self] in
      while true {
        mayRun.wait()
        guard let call else { return }
        self.call = nil
        call()
        hasRun.signal()
      }
    }
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
      call = body
      mayRun.signal()
      hasRun.wait()
      call = nil
    }
  }

  /// Gives the writer thread back.
  func end() {
    call = nil
    mayRun.signal()
  }
}

extension ReadContext {
  /// Begins a write that ``commitManualWrite()`` or ``cancelManualWrite()`` ends.
  package func beginManualWrite() throws(Failure) {
    guard let view else { throw Failure(.frozen, "A frozen realm cannot be written to.") }
    guard !store.isWritingThread else {
      throw Failure(
        .alreadyInWriteTransaction, "The thread is inside a write transaction of this store.")
    }
    let write = ManualWrite()
    do throws(StorageError) {
      try write.start(on: store.environment.writer)
    } catch {
      throw Failure(error)
    }
    do throws(Failure) {
      let transaction = try write.runOnWriter { () throws(Failure) in
        try store.begin(engineThread: .writer(write), isCancelled: { false })
      }
      store.setRunning(transaction)
      transaction.join(view)
      view.setManualWrite(write, transaction)
    } catch {
      write.end()
      throw error
    }
  }

  /// Commits the write begun by ``beginManualWrite()``.
  package func commitManualWrite() throws(Failure) {
    guard store.isWritingThread, let (write, transaction) = view?.takeManualWrite() else {
      throw Failure(.notInWriteTransaction, "No write was begun on this thread.")
    }
    defer { write.end() }
    try store.commit(transaction)
  }

  /// Rolls back the write begun by ``beginManualWrite()``.
  package func cancelManualWrite() { view?.cancelManualWrite() }
}

import VarveCore
import VarveEncoding

extension Realm {
  /// Runs a write transaction on the calling thread, which waits for other writers.
  ///
  /// It is for synchronous code. Asynchronous code, which must not keep a thread of its pool waiting, gets the
  /// asynchronous form: `try await realm.write { … }`.
  ///
  /// On this thread, inside the closure, every live handle of the store reads and writes the
  /// transaction, whatever realm it came from, and `Realm()` gives the realm that writes; everyone else
  /// still sees the committed version. The commit moves every realm that took part to the new version.
  ///
  /// An operation that cannot be done, such as an index out of bounds, is skipped; at the end the first
  /// such error is thrown and nothing of the transaction stays. ``checkWrite()`` asks earlier.
  /// ``cancelWrite()`` has nothing stay without an error.
  ///
  /// - Parameters:
  ///   - tokens: observers of this store that are not told of this commit. What others committed before and
  ///     after it they are told, each part from where the commit left off. The deletion of the object that is
  ///     observed, or owns what is, they are told even so.
  ///   - block: what to write.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws; `Realm.Error` when an operation failed, when the commit failed,
  ///   when the write lock was not free for the configuration's `writeTimeout` (`.busy`), inside another
  ///   write of the store (`.alreadyInWriteTransaction`), or for a read-only store (`.readOnly`);
  ///   `CancellationError` when the task was cancelled while it waited. Nothing of the transaction stays.
  @available(
    *, noasync,
    message: "it blocks its thread; use 'try await realm.write { … }' (in main.swift 'asyncWrite')"
  )
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> R
  ) throws -> R {
    try checkWritable()
    let skippedObservers = tokens.isEmpty ? [] : try observers(of: tokens)
    return try Error.translating {
      try store.write(view: context.view) { transaction in
        if !skippedObservers.isEmpty { transaction.skipNotifying(skippedObservers) }
        return try block()
      }
    }
  }

  /// Throws the first error of the running write, so that a long import can stop early.
  ///
  /// - Throws: `Realm.Error`; `.cancelled` after ``cancelWrite()``, `.notInWriteTransaction` outside a write.
  public func checkWrite() throws {
    guard let transaction = store.runningTransaction(for: nil) else {
      throw Error(.notInWriteTransaction, "The thread is not inside a write of this store.")
    }
    if let failure = transaction.failure { throw Error(failure) }
  }

  /// Begins a write transaction that ``commitWrite(withoutNotifying:)`` or ``cancelWrite()`` ends, on the same thread.
  ///
  /// The write belongs to the thread: any live realm of the store will do, there, to change and to end it. When the last
  /// realm goes that the thread made, or that took part, an open write is cancelled; a global realm, and that of an
  /// observer's token, count. Prefer `write`.
  ///
  /// - Throws: as `write`.
  @available(*, noasync, message: "a task may change its thread; use 'try await realm.write { … }'")
  public func beginWrite() throws {
    guard let view = context.view else {
      throw Error(.frozen, "A frozen realm cannot be written to.")
    }
    try Error.translating { try view.beginManualWrite() }
  }

  /// Commits the write that this thread began with ``beginWrite()``, through any live realm of the store.
  ///
  /// In the block of ``beginAsyncWrite(_:)`` the write is committed when the block ends, as by
  /// ``commitAsyncWrite(allowGrouping:completingOn:_:)``.
  ///
  /// - Parameter tokens: observers that are not told of this commit, as in `write`.
  /// - Throws: `Realm.Error`: the first error of the transaction, or of the commit; nothing of the
  ///   transaction stays then. `.notInWriteTransaction` when there is none.
  @available(*, noasync, message: "a task may change its thread; use 'try await realm.write { … }'")
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try checkWritable()
    let skippedObservers = try observers(of: tokens)
    if !store.hasManualWrite, let transaction = store.runningTransaction(for: nil),
      let begun = transaction.begunAsyncWrite
    {
      guard begun.commit(grouping: false, nil) else { throw Self.nothingToCommit }
      return transaction.skipNotifying(skippedObservers)
    }
    try Error.translating { try store.commitManualWrite(skipping: skippedObservers) }
  }

  func observers(of tokens: [NotificationToken]) throws -> [any ObserverHandle] {
    guard tokens.allSatisfy({ $0.observer.store === store }) else {
      throw Error(.invalidInput, "A token is of an observer of another store.")
    }
    return tokens.map(\.observer)
  }

  /// Rolls back the write that this thread began with ``beginWrite()``, or the one whose closure calls; nothing happens
  /// when there is none.
  ///
  /// The closure of a `write`, synchronous or not, goes on to its end, still inside the write:
  /// what it changes afterwards is lost as well, and ``checkWrite()`` throws `.cancelled`. Then nothing of
  /// the write stays, an error that an operation caused included, and what the closure returns is
  /// returned, or what it throws thrown. Objects that were added are invalidated. Any live realm of the
  /// store will do. Of writes that share a transaction only the closure's own is rolled back.
  ///
  /// Only the thread that began the write can cancel it: on another one the write goes on, and for a
  /// begun one an error is logged.
  @available(
    *, noasync, message: "a task may change its thread; call it inside the closure of a write"
  )
  public func cancelWrite() {
    guard let view = context.view else { return }
    view.logForeignCancel()
    store.cancelManualWrite()
    store.cancelWriteOfThread()
  }

  package func checkWritable() throws {
    guard !isFrozen else {
      throw Error(.frozen, "A frozen realm cannot be written to.")
    }
  }

  /// The transaction of the calling thread, for a change through this realm.
  ///
  /// - Returns: nil when the change was refused: a frozen realm dooms the write, and so does a realm of
  ///   another store.
  /// - Precondition: the thread is inside a write.
  func writingTransaction() -> Transaction? {
    guard let transaction = store.runningTransaction(for: context.view) else {
      let isInAnotherWrite =
        Store.failWritesOfThread(
          Failure(
            .notInWriteTransaction, "The realm's store is not the one that is written to.",
            path: store.options.path)) != nil
      precondition(
        isInAnotherWrite, "Objects can be added, created or deleted only inside a write.")
      return nil
    }
    guard !isFrozen else {
      transaction.markFailed(Failure(.frozen, "A frozen realm cannot be written to."))
      return nil
    }
    return transaction
  }
}

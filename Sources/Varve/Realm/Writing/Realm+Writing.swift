import VarveCore
import VarveEncoding

extension Realm {
  /// Runs a write transaction on the calling thread, which waits for other writers.
  ///
  /// Use this method from synchronous code. In asynchronous code, which must not block a thread of
  /// the cooperative pool, use `try await realm.write { … }`.
  ///
  /// Inside the closure, on this thread, every live realm of the store, with everything reached
  /// from it, reads and writes the transaction, and `Realm()` returns the realm that writes. All
  /// other threads still read the committed version. The commit moves every realm that took part to
  /// the new version.
  ///
  /// An operation that fails, for example because an index is out of bounds, is skipped. When the
  /// closure returns, the transaction is then rolled back and the first error is thrown. To detect
  /// an error earlier, call ``checkWrite()``. To roll back without throwing, call
  /// ``cancelWrite()``.
  ///
  /// - Parameters:
  ///   - tokens: The tokens of observers of this store that are not notified of this commit. They
  ///     are notified of the commits before and after it, separately. They are still notified when
  ///     the observed object, or the object that owns the observed collection, is deleted.
  ///   - block: A closure that makes the changes.
  /// - Returns: The value that the closure returns.
  /// - Throws: The error that the closure throws; `Realm.Error` when an operation failed, when the
  ///   commit failed, when the write lock was not free for the configuration's `writeTimeout`
  ///   (`.busy`), inside another write of the store (`.alreadyInWriteTransaction`), or for a
  ///   read-only store (`.readOnly`); `CancellationError` when the task was cancelled while it
  ///   waited. The transaction is then rolled back.
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

  /// Throws the first error of the running write. Call it to stop a long import early.
  ///
  /// - Throws: `Realm.Error`; `.cancelled` after ``cancelWrite()``, `.notInWriteTransaction`
  ///   outside a write.
  public func checkWrite() throws {
    guard let transaction = store.runningTransaction(for: nil) else {
      throw Error(.notInWriteTransaction, "The thread is not inside a write of this store.")
    }
    if let failure = transaction.failure { throw Error(failure) }
  }

  /// Begins a write transaction, to be ended by ``commitWrite(withoutNotifying:)`` or
  /// ``cancelWrite()`` on the same thread.
  ///
  /// The write belongs to the thread, which may change and end it through any live realm of the
  /// store. An open write is cancelled when the thread exits, and when the last realm that the
  /// thread created, or that took part in the write, is released. Realms in global variables, and
  /// the realm that an observer's token retains, count as well. Prefer `write`.
  ///
  /// - Throws: The errors of `write`.
  @available(*, noasync, message: "a task may change its thread; use 'try await realm.write { … }'")
  public func beginWrite() throws {
    guard let view = context.view else {
      throw Error(.frozen, "A frozen realm cannot be written to.")
    }
    try Error.translating { try view.beginManualWrite() }
  }

  /// Commits the write that this thread began with ``beginWrite()``, through any live realm of the
  /// store.
  ///
  /// In the block of ``beginAsyncWrite(_:)`` the write is committed when the block ends, as by
  /// ``commitAsyncWrite(allowGrouping:completingOn:_:)``.
  ///
  /// - Parameter tokens: The tokens of observers that are not notified of this commit, as in
  ///   `write`.
  /// - Throws: `Realm.Error`: the first error of the transaction, or the error of the commit; the
  ///   transaction is then rolled back. `.notInWriteTransaction` when there is no write.
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
      throw Error(.invalidInput, "A notification token belongs to another store.")
    }
    return tokens.map(\.observer)
  }

  /// Rolls back the write that this thread began with ``beginWrite()``, or the write whose closure
  /// makes the call. Does nothing when there is no write.
  ///
  /// The closure of a `write`, synchronous or not, continues to its end, still inside the write.
  /// Changes that it makes afterwards are rolled back as well, and ``checkWrite()`` throws
  /// `.cancelled`. Then the closure's result is returned, or its own error is thrown; an error of
  /// an operation is discarded. Added objects are invalidated. Any live realm of the store may be
  /// used. Of writes that share a transaction only the closure's own is rolled back.
  ///
  /// Only the thread that began the write can cancel it. A call on another thread does not affect
  /// the write; for a write of ``beginWrite()`` an error is logged.
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

  /// Returns the transaction of the calling thread, for a change through this realm.
  ///
  /// - Returns: Nil when the change was refused: a frozen realm, and a realm of another store, mark
  ///   the transaction as failed.
  /// - Precondition: The thread is inside a write.
  func writingTransaction() -> Transaction? {
    guard let transaction = store.runningTransaction(for: context.view) else {
      let isInAnotherWrite =
        Store.failWritesOfThread(
          Failure(
            .notInWriteTransaction, "The realm belongs to another store than the running write.",
            path: store.options.path)) != nil
      Misuse.require(
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

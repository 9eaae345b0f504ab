import VarveCore

/// Writes of asynchronous code. They run on the store's writer thread and block no thread of the
/// cooperative pool.
extension Realm {
  /// Runs a write transaction on the store's writer thread, and suspends the task until it is
  /// committed.
  ///
  /// Asynchronous code uses this form of `write`; other code uses the synchronous form.
  ///
  /// ```swift
  /// try await realm.write { ada.age += 1 }
  /// ```
  ///
  /// Inside the closure, as in a synchronous write, every live realm of the store, with everything
  /// reached from it, reads and writes the transaction, and `Realm()` returns the realm that
  /// writes. Writes run in the order of the calls. Waiting writes share one commit, and each
  /// succeeds or fails on its own: a write that throws is rolled back, and the others are kept.
  ///
  /// The closure runs on another thread than the caller, outside of the caller's actor, but as a
  /// part of the calling task: cancellation, priority and task-local values are those of the task.
  /// A task that is cancelled before the closure returns rolls the write back; a later cancellation
  /// has no effect.
  ///
  /// - Parameters:
  ///   - tokens: The tokens of observers of this store that are not notified of this commit, as in
  ///     a synchronous write. With any token, the write does not share its commit.
  ///   - block: A closure that makes the changes.
  /// - Returns: The value that the closure returns, once the write is committed.
  /// - Throws: The error that the closure throws; `Realm.Error` when an operation failed, when the
  ///   commit failed, when the write lock was not free for the configuration's `writeTimeout`
  ///   (`.busy`), or for a read-only store (`.readOnly`); `CancellationError` when the task was
  ///   cancelled before the closure returned. The write is then rolled back.
  @discardableResult
  public func write<R: Sendable>(
    withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await write(grouping: true, withoutNotifying: tokens, block)
  }

  /// Runs a write transaction on the store's writer thread, with or without sharing a commit.
  ///
  /// This is the asynchronous `write` with a choice of grouping.
  ///
  /// - Parameters:
  ///   - grouping: Whether the write may share its commit with others. With false, it gets a
  ///     version of its own.
  ///   - tokens: The tokens of observers of this store that are not notified of this commit. With
  ///     any token, the write does not share its commit.
  ///   - block: A closure that makes the changes.
  /// - Returns: The value that the closure returns, once the write is committed.
  /// - Throws: The errors of the form without `grouping`.
  @discardableResult
  public func write<R: Sendable>(
    grouping: Bool, withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try checkWritable()
    let skippedObservers = try observers(of: tokens)
    do {
      return try await store.asyncWrite(
        view: context.view, grouping: grouping && skippedObservers.isEmpty
      ) { transaction in
        transaction.skipNotifying(skippedObservers)
        return try block()
      }
    } catch {
      throw Error.translated(error)
    }
  }

  /// Runs the asynchronous `write` under the name that the Realm Swift SDK gives it.
  ///
  /// - Parameters:
  ///   - grouping: Whether the write may share its commit with others. With false, it gets a
  ///     version of its own.
  ///   - tokens: The tokens of observers of this store that are not notified of this commit. With
  ///     any token, the write does not share its commit.
  ///   - block: A closure that makes the changes.
  /// - Returns: The value that the closure returns, once the write is committed.
  /// - Throws: The errors of ``write(grouping:withoutNotifying:_:)``.
  @discardableResult
  public func asyncWrite<R: Sendable>(
    grouping: Bool = true, withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await write(grouping: grouping, withoutNotifying: tokens, block)
  }
}

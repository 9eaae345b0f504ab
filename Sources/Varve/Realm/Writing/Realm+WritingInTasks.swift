import VarveCore

/// Writes of asynchronous code. They run on the store's writer thread, and no thread of the pool waits for them.
extension Realm {
  /// Runs a write transaction on the store's writer thread, and suspends the task until it is committed.
  ///
  /// Asynchronous code gets this form of `write`; other code gets the synchronous form.
  ///
  /// ```swift
  /// try await realm.write { ada.age += 1 }
  /// ```
  ///
  /// Inside the closure, as in a synchronous write, every live handle of the store reads and writes the transaction,
  /// and `Realm()` gives the realm that writes. Writes run in the order of the calls. Writes that wait together share
  /// one commit, and each succeeds or fails alone: one that throws is rolled back, and the others are kept. The closure
  /// runs on another thread than the caller, outside of the caller's actor.
  ///
  /// - Parameters:
  ///   - tokens: observers of this store that are not notified of this commit, as in a synchronous write; the write
  ///     then shares its commit with no other.
  ///   - block: what to write.
  /// - Returns: what the closure returns, once it is committed.
  /// - Throws: what the closure throws; `Realm.Error` when an operation failed, when the commit failed,
  ///   when the write lock was not free for the configuration's `writeTimeout` (`.busy`), or for a read-only store
  ///   (`.readOnly`); `CancellationError` when the task was cancelled while it waited. Nothing of the write stays.
  @discardableResult
  public func write<R: Sendable>(
    withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await write(grouping: true, withoutNotifying: tokens, block)
  }

  /// Runs a write transaction on the store's writer thread, with or without sharing a commit.
  ///
  /// It is the asynchronous `write`, with a choice.
  ///
  /// - Parameters:
  ///   - grouping: whether the write may share its commit with others; false gives it a version of its own.
  ///   - tokens: observers of this store that are not notified of this commit; the write then shares its commit with
  ///     no other.
  ///   - block: what to write.
  /// - Returns: what the closure returns, once it is committed.
  /// - Throws: as the form without `grouping`.
  @discardableResult
  public func write<R: Sendable>(
    grouping: Bool, withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try checkWritable()
    let skippedObservers = try observers(of: tokens)
    let block = DefaultConfiguration.carried(block)
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

  /// The asynchronous `write` under the name that the Realm Swift SDK gives it.
  ///
  /// - Parameters:
  ///   - grouping: whether the write may share its commit with others; false gives it a version of its own.
  ///   - tokens: observers of this store that are not notified of this commit; the write then shares its commit with
  ///     no other.
  ///   - block: what to write.
  /// - Returns: what the closure returns, once it is committed.
  /// - Throws: as ``write(grouping:withoutNotifying:_:)``.
  @discardableResult
  public func asyncWrite<R: Sendable>(
    grouping: Bool = true, withoutNotifying tokens: [NotificationToken] = [],
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await write(grouping: grouping, withoutNotifying: tokens, block)
  }
}

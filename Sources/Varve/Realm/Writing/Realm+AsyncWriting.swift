public import Dispatch
import VarveCore

/// The identifier of an asynchronous write.
public struct AsyncTransactionId: Hashable, Sendable {
  let number: UInt64
}

/// Asynchronous writes for code without `async`. In asynchronous code, use
/// `try await realm.write { … }`.
extension Realm {
  /// Whether an asynchronous write of the store, through any realm, is waiting or running.
  public var isPerformingAsynchronousWriteOperations: Bool { store.isWritingAsynchronously }

  /// Enqueues a write on the store's writer thread, after earlier asynchronous writes, and returns
  /// at once.
  ///
  /// The write may share its transaction with others, as ``write(grouping:withoutNotifying:_:)``
  /// does: each succeeds or fails on its own. The realm takes part, and moves to the committed
  /// version.
  ///
  /// - Parameters:
  ///   - queue: The queue that `onComplete` is called on. With nil, it is a serial queue of the
  ///     store.
  ///   - block: A closure that runs in the write, on the writer thread.
  ///   - onComplete: Called with nil when the write is committed, or with the error of `block` or
  ///     of the write. It is not called for a write that ``cancelAsyncWrite(_:)`` removed. Without
  ///     it, an error is logged.
  /// - Returns: The identifier of the write.
  @discardableResult
  public func writeAsync(
    completingOn queue: DispatchQueue? = nil, _ block: @escaping @Sendable () throws -> Void,
    onComplete: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let completion = completion(on: queue, onComplete)
    let end = { @Sendable [store] (error: (any Swift.Error)?) in
      if let completion { completion(error) } else if let error { store.logUnreported(error) }
    }
    guard let view = context.view else {
      end(Error(.frozen, "A frozen realm cannot be written to."))
      return AsyncTransactionId(number: 0)
    }
    let block = DefaultConfiguration.carried(block)
    let number = store.enqueueWrite(view: view, grouping: true) { _ in
      try block()
    } _: { result in
      if case .failure(let error) = result { end(error) } else { end(nil) }
    }
    return AsyncTransactionId(number: number)
  }

  /// Enqueues a write that its block commits explicitly, after earlier asynchronous writes, and
  /// returns at once.
  ///
  /// The block runs on the store's writer thread. It must call
  /// ``commitAsyncWrite(allowGrouping:completingOn:_:)`` before it returns; otherwise the write is
  /// rolled back.
  ///
  /// - Parameter block: A closure that runs in the write.
  /// - Returns: The identifier of the write.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping @Sendable () -> Void) -> AsyncTransactionId {
    guard let view = context.view else {
      store.logUnreported(Error(.frozen, "A frozen realm cannot be written to."))
      return AsyncTransactionId(number: 0)
    }
    return AsyncTransactionId(
      number: store.beginAsyncWrite(view: view, DefaultConfiguration.carried(block)))
  }

  /// Commits the write of ``beginAsyncWrite(_:)`` when its block ends.
  ///
  /// Changes that the block makes after the call belong to the write as well. A write that this
  /// thread began with ``beginWrite()`` is committed at once instead.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether waiting writes may join the transaction before it is committed.
  ///   - queue: The queue that `onComplete` is called on. With nil, it is a serial queue of the
  ///     store.
  ///   - onComplete: Called with nil when the write is committed, or with the error that prevented
  ///     the commit. It is not called for a write that ``cancelWrite()`` cancels afterwards.
  ///     Without it, an error of a write of ``beginAsyncWrite(_:)`` is logged.
  /// - Throws: `Realm.Error` with `.notInWriteTransaction` outside of the block of
  ///   ``beginAsyncWrite(_:)`` and of a write of ``beginWrite()``, and when the block has called
  ///   the method before. Without `onComplete`, also the error of committing a write of
  ///   ``beginWrite()``.
  public func commitAsyncWrite(
    allowGrouping: Bool = false, completingOn queue: DispatchQueue? = nil,
    _ onComplete: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) throws {
    if store.hasManualWrite { return try commitWrite(completion(on: queue, onComplete)) }
    guard let begun = store.runningTransaction(for: nil)?.begunAsyncWrite,
      begun.commit(grouping: allowGrouping, completion(on: queue, onComplete))
    else { throw Self.nothingToCommit }
  }

  /// The error for a commit outside of a begun write, and for a second commit in one.
  static var nothingToCommit: Error {
    Error(.notInWriteTransaction, "There is no asynchronous write to commit here.")
  }

  private func commitWrite(_ completion: BegunAsyncWrite.Completion?) throws {
    do {
      try commitWrite()
    } catch {
      guard let completion else { throw error }
      return completion(error)
    }
    completion?(nil)
  }

  /// Removes a waiting asynchronous write. Neither its block nor its completion closure is called.
  ///
  /// - Parameter id: The identifier that ``writeAsync(completingOn:_:onComplete:)`` or
  ///   ``beginAsyncWrite(_:)`` of a realm of this store returned.
  /// - Returns: False when the write is running or done; the write is then not affected.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionId) -> Bool {
    store.cancelEnqueuedWrite(id.number)
  }

  /// Returns a completion that calls the user's closure on a queue.
  private func completion(
    on queue: DispatchQueue?, _ onComplete: (@Sendable ((any Swift.Error)?) -> Void)?
  ) -> BegunAsyncWrite.Completion? {
    guard let onComplete else { return nil }
    let queue = queue ?? store.deliveryQueue
    return { error in
      queue.async { onComplete(error.map(Error.translated)) }
    }
  }
}

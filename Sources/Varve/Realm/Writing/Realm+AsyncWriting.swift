public import Dispatch
import VarveCore

/// Names an asynchronous write that was asked for by a call.
///
/// Thread safety: a value.
public struct AsyncTransactionId: Hashable, Sendable {
  let number: UInt64
}

/// Asynchronous writes for code without `async`. With it, use `try await realm.write { … }`.
extension Realm {
  /// Whether an asynchronous write of the store, through whichever realm, waits for its turn or runs.
  public var isPerformingAsynchronousWriteOperations: Bool { store.isWritingAsynchronously }

  /// Has a write run on the store's writer thread, after those asked for before, and returns at once.
  ///
  /// It may share its transaction with others, as ``write(grouping:withoutNotifying:_:)`` does: each succeeds or
  /// fails for itself. The realm takes part, and is moved with the commit.
  ///
  /// - Parameters:
  ///   - queue: where `onComplete` is called; nil: a serial queue of the store.
  ///   - block: what to write; it runs on the writer thread.
  ///   - onComplete: called when the write is committed, with nil, or with what `block` or the write threw. Not called
  ///     for a write that ``cancelAsyncWrite(_:)`` took out.
  /// - Returns: the name of the write.
  @discardableResult
  public func writeAsync(
    completingOn queue: DispatchQueue? = nil, _ block: @escaping @Sendable () throws -> Void,
    onComplete: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let completion = completion(on: queue, onComplete)
    guard let view = context.view else {
      completion?(Error(.frozen, "A frozen realm cannot be written to."))
      return AsyncTransactionId(number: 0)
    }
    let block = DefaultConfiguration.carried(block)
    let number = store.enqueueWrite(view: view, grouping: true) { _ in
      try block()
    } _: { [store] result in
      guard case .failure(let error) = result else { completion?(nil); return }
      if let completion { completion(error) } else { store.logUnheard(error) }
    }
    return AsyncTransactionId(number: number)
  }

  /// Has a block run inside a write, on the store's writer thread, after the writes asked for before, and returns at
  /// once.
  ///
  /// The block ends the write with ``commitAsyncWrite(allowGrouping:completingOn:_:)`` before it returns. Otherwise the
  /// write keeps nothing.
  ///
  /// - Parameter block: what to write.
  /// - Returns: the name of the write.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping @Sendable () -> Void) -> AsyncTransactionId {
    guard let view = context.view else {
      store.logUnheard(Error(.frozen, "A frozen realm cannot be written to."))
      return AsyncTransactionId(number: 0)
    }
    return AsyncTransactionId(
      number: store.beginAsyncWrite(view: view, DefaultConfiguration.carried(block)))
  }

  /// Has the write that ``beginAsyncWrite(_:)`` began be committed when its block ends.
  ///
  /// What the block writes after the call belongs to the write as well. A write that this thread began with
  /// ``beginWrite()`` is committed at once instead.
  ///
  /// - Parameters:
  ///   - allowGrouping: whether writes that wait may join the transaction before it is committed.
  ///   - queue: where `onComplete` is called; nil: a serial queue of the store.
  ///   - onComplete: called when the write is committed, with nil, or with why it is not. Not called for a write that
  ///     ``cancelWrite()`` cancels afterwards.
  /// - Throws: `Realm.Error` with `.notInWriteTransaction` outside the block of ``beginAsyncWrite(_:)`` and a begun write,
  ///   and when the block has called it before; without `onComplete` also why a begun write is not committed.
  public func commitAsyncWrite(
    allowGrouping: Bool = false, completingOn queue: DispatchQueue? = nil,
    _ onComplete: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) throws {
    if store.hasManualWrite { return try commitWrite(completion(on: queue, onComplete)) }
    guard let begun = store.runningTransaction(for: nil)?.begunAsyncWrite,
      begun.commit(grouping: allowGrouping, completion(on: queue, onComplete))
    else { throw Self.nothingToCommit }
  }

  /// The error outside of a begun write, and of a second commit in one.
  static var nothingToCommit: Error {
    Error(.notInWriteTransaction, "No asynchronous write was begun that could be committed here.")
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

  /// Takes an asynchronous write out that waits for its turn: its block is not run, and nobody is called.
  ///
  /// - Parameter id: what ``writeAsync(completingOn:_:onComplete:)`` or ``beginAsyncWrite(_:)`` of a realm of this store
  ///   returned.
  /// - Returns: false when the write runs already, or is done: nothing happens to it.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionId) -> Bool {
    store.cancelEnqueuedWrite(id.number)
  }

  /// A completion that calls the user's on a queue.
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

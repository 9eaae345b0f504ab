import VarveLocks

/// The decision of the closure of a begun asynchronous write.
///
/// Thread safety: a lock guards it.
package final class BegunAsyncWrite: Sendable {
  package typealias Completion = @Sendable ((any Error)?) -> Void

  private struct State {
    var isCommitted = false
    var mayBeShared = false
    var completion: Completion?
  }
  /// Guards the decision.
  private let state = Lock(State())

  package init() {}

  var mayBeShared: Bool { state.withLock { $0.mayBeShared } }
  package var isCommitted: Bool { state.withLock { $0.isCommitted } }

  /// Records that the write is to be committed when its closure ends.
  ///
  /// - Returns: False when that was recorded before.
  package func commit(grouping: Bool, _ completion: Completion?) -> Bool {
    state.withLock { state in
      guard !state.isCommitted else { return false }
      state = State(isCommitted: true, mayBeShared: grouping, completion: completion)
      return true
    }
  }

  /// Removes and returns the completion handler of the commit.
  package func takeCompletion() -> Completion? {
    state.withLock { state in
      defer { state.completion = nil }
      return state.completion
    }
  }
}

extension Store {
  /// Runs a closure inside a write on the writer thread. The write is rolled back unless the
  /// closure requests its commit.
  ///
  /// - Parameters:
  ///   - view: Takes part in the write.
  ///   - body: The closure.
  /// - Returns: The id of the write.
  package func beginAsyncWrite(
    view: View?, _ body: @escaping @Sendable () -> Void
  ) -> UInt64 {
    let begun = BegunAsyncWrite()
    return enqueueWrite(view: view, grouping: false) { transaction in
      transaction.begunAsyncWrite = begun
      body()
      if !begun.isCommitted { transaction.cancel() }
      // The completion handler of a cancelled write is not called.
      if transaction.isCancelled { _ = begun.takeCompletion() }
    } _: { [self] result in
      guard let completion = begun.takeCompletion() else {
        if case .failure(let error) = result { logUnreported(error) }
        return
      }
      switch result {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }
}

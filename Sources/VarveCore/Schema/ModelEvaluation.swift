import VarveLocks
import VarveStorage

/// The result of code of a model, which runs when the result is first asked for.
///
/// Several threads may run the code at once; the first result counts.
///
/// Thread safety: any thread may use it. The code runs under no lock.
final class ModelEvaluation<Result: Sendable>: Sendable {
  private struct State {
    /// Nil until it is known.
    var result: Result?
    /// The threads that run the code.
    var threads: Set<UInt> = []
  }
  private let evaluate: @Sendable () -> Result
  private let nested: Result
  /// Guards the result.
  private let state = Lock(State())

  /// - Parameter nested: The result for the code itself, which may ask for it.
  init(nested: Result, _ evaluate: @escaping @Sendable () -> Result) {
    self.nested = nested
    self.evaluate = evaluate
  }

  var result: Result {
    let thread = ThreadIdentity.current
    let known = state.withLock { state -> Result? in
      if let result = state.result { return result }
      return state.threads.insert(thread).inserted ? nil : nested
    }
    if let known { return known }
    // Outside of the lock: the code may read and write objects.
    let found = evaluate()
    return state.withLock { state in
      state.threads.remove(thread)
      let result = state.result ?? found
      state.result = result
      return result
    }
  }
}

import Dispatch
import Synchronization

/// Does two things at once.
enum TwoThreads {
  /// Runs the body for 0 and 1 on two threads.
  ///
  /// - Parameter body: What to run.
  /// - Returns: Both results in order.
  /// - Throws: The first error, when both have ended.
  static func run<R: Sendable>(_ body: @Sendable (Int) throws -> R) throws -> [R] {
    let results = Mutex<[Int: Result<R, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let result = Result { try body(index) }
      results.withLock { $0[index] = result }
    }
    return try results.withLock { found in
      try found.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
  }
}

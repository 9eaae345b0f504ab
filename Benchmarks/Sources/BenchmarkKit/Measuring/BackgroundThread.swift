import Dispatch
import Foundation
import Synchronization

/// A separate thread for one piece of work, for workloads with more threads than cores: tasks share
/// one thread per core.
package final class BackgroundThread<Answer: Sendable>: Sendable {
  private let answer = Mutex<Result<Answer, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread.
  package init(_ body: @escaping @Sendable () throws -> Answer) {
    Thread { [self] in
      let result = Result { try body() }
      answer.withLock { $0 = result }
      ended.signal()
    }.start()
  }

  /// Waits for the end of the thread. Call this method once.
  ///
  /// - Returns: The result or the error of the body.
  package func end() -> Result<Answer, any Error> {
    ended.wait()
    return answer.withLock { $0 } ?? .failure(BenchmarkError("a thread returned no result"))
  }

  /// Runs the body for 0, 1, … up to `count` values, each on a separate thread.
  ///
  /// - Returns: All results, in order.
  /// - Throws: An error of one of the threads, after all have ended.
  @discardableResult
  package static func run(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Answer
  ) throws -> [Answer] {
    let threads = (0..<count).map { index in BackgroundThread { try body(index) } }
    return try threads.map { $0.end() }.map { try $0.get() }
  }
}

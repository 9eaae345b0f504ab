import Dispatch
import Foundation
import Synchronization

/// A thread of its own for one piece of work. Tasks share as many threads as there are cores, which a workload of more
/// threads does not want.
package final class BackgroundThread<Answer: Sendable>: Sendable {
  private let answer = Mutex<Result<Answer, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts it.
  ///
  /// - Parameter body: What to run.
  package init(_ body: @escaping @Sendable () throws -> Answer) {
    Thread { [self] in
      let result = Result { try body() }
      answer.withLock { $0 = result }
      ended.signal()
    }.start()
  }

  /// Waits for the end; to be called once.
  ///
  /// - Returns: What the body gave, or threw.
  package func end() -> Result<Answer, any Error> {
    ended.wait()
    return answer.withLock { $0 } ?? .failure(BenchmarkError("a thread gave no answer"))
  }

  /// Runs the body for 0, 1, …, each on a thread of its own.
  ///
  /// - Parameters:
  ///   - count: How many threads.
  ///   - body: What to run.
  /// - Returns: All answers, in order.
  /// - Throws: An error of one of them, when all have ended.
  @discardableResult
  package static func run(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Answer
  ) throws -> [Answer] {
    let threads = (0..<count).map { index in BackgroundThread { try body(index) } }
    return try threads.map { $0.end() }.map { try $0.get() }
  }
}

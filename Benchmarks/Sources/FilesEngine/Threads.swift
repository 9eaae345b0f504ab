import Foundation
import Synchronization

/// Threads that a thread waits for.
enum Threads {
  /// Runs the body for 0, 1, …, each on a thread of its own.
  ///
  /// - Parameters:
  ///   - count: How many threads.
  ///   - body: What to run.
  /// - Throws: An error of one of them, when all have ended.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failures = Failures()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread {
        do { try body(index) } catch { failures.last.withLock { $0 = error } }
        group.leave()
      }.start()
    }
    group.wait()
    if let failure = failures.last.withLock({ $0 }) { throw failure }
  }

  private final class Failures: Sendable {
    let last = Mutex<(any Error)?>(nil)
  }
}

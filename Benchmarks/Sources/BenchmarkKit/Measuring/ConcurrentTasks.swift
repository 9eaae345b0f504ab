import Dispatch
import Synchronization

/// Concurrent tasks, for which a thread waits.
package enum ConcurrentTasks {
  /// Runs the body for 0, 1, … up to `count` values, each in a separate task.
  ///
  /// - Throws: An error of one of the tasks, after all have ended.
  package static func run(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) throws {
    let ends = Ends()
    for index in 0..<count {
      Task {
        do {
          try await body(index)
          ends.note(nil)
        } catch {
          ends.note(error)
        }
      }
    }
    for _ in 0..<count { ends.arrived.wait() }
    if let failure = ends.failure.withLock({ $0 }) { throw failure }
  }

  private final class Ends: Sendable {
    let failure = Mutex<(any Error)?>(nil)
    let arrived = DispatchSemaphore(value: 0)

    func note(_ error: (any Error)?) {
      if let error { failure.withLock { $0 = error } }
      arrived.signal()
    }
  }
}

import VarveLocks
import VarveStorage

/// Reports the progress of a copy, a check or a salvage, and can stop it, or the opening that makes it.
///
/// Thread safety: any thread.
package final class WorkWatch: Sendable {
  /// Receives the number of completed units, bytes for a copy, and the total. An error that it
  /// throws stops the operation.
  package typealias Report = @Sendable (_ completed: Int, _ total: Int) throws -> Void

  let observer: WorkObserver
  private let thrown: Thrown

  /// The error that the closure threw.
  private final class Thrown: Sendable {
    /// Guards the error.
    private let error = Lock<(any Error)?>(nil)

    func note(_ new: any Error) { error.withLock { $0 = new } }
    var value: (any Error)? { error.withLock { $0 } }
  }

  package init(_ report: Report?) {
    let thrown = Thrown()
    self.thrown = thrown
    observer = WorkObserver { progress in
      do {
        try report?(progress.completedBytes, progress.totalBytes)
        return true
      } catch {
        thrown.note(error)
        return false
      }
    }
  }

  /// Whether the operation was stopped, by a call or by an error of the closure.
  package var isStopped: Bool { observer.isStopped }

  /// Stops the operation, or the opening, which then fails with `.cancelled`.
  package func stop() { observer.stop() }

  /// - Throws: `.cancelled` when the operation was stopped.
  func check(path: String) throws(Failure) {
    try Failure.translating(try observer.check(path: path))
  }

  /// Runs the closure of the operation, and then releases the report closure.
  ///
  /// - Throws: The error of the report closure, or else of `body`.
  package func run<R>(_ body: () throws -> R) throws -> R {
    defer { observer.end() }
    let result = Result { try body() }
    if let error = thrown.value { throw error }
    return try result.get()
  }
}

import VarveLocks
import VarveStorage

/// Reports the progress of a copy of a file, and can stop the copy, or the opening that makes it.
///
/// Thread safety: any thread.
package final class CopyWatch: Sendable {
  /// Receives the number of bytes that are written, and the total. An error that it throws stops
  /// the copy.
  package typealias Report = @Sendable (_ completedBytes: Int, _ totalBytes: Int) throws -> Void

  let observer: CopyObserver
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
    observer = CopyObserver { progress in
      do {
        try report?(progress.completedBytes, progress.totalBytes)
        return true
      } catch {
        thrown.note(error)
        return false
      }
    }
  }

  /// Whether the copy was stopped, by a call or by an error of the closure.
  package var isStopped: Bool { observer.isStopped }

  /// Stops the copy, or the opening, which then fails with `.cancelled`.
  package func stop() { observer.stop() }

  /// - Throws: `.cancelled` when the copy was stopped.
  func check(path: String) throws(Failure) {
    try Failure.translating(try observer.check(path: path))
  }

  /// Runs the closure that makes the copy, and then releases the report closure.
  ///
  /// - Throws: The error of the report closure, or else of `body`.
  package func run<R>(_ body: () throws -> R) throws -> R {
    defer { observer.end() }
    let result = Result { try body() }
    if let error = thrown.value { throw error }
    return try result.get()
  }
}

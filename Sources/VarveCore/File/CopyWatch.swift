import Synchronization
import VarveStorage

/// Follows a copy of a file for whoever asked for it, and may stop it, or the opening that makes it.
///
/// Thread safety: any thread.
package final class CopyWatch: Sendable {
  /// Gets how many bytes are written, and how many there will be. What it throws stops the copy.
  package typealias Report = @Sendable (_ completedBytes: Int, _ totalBytes: Int) throws -> Void

  let observer: CopyObserver
  private let thrown: Thrown

  /// What the closure threw.
  private final class Thrown: Sendable {
    /// Guards the error.
    private let error = Mutex<(any Error)?>(nil)

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

  /// Whether the copy was stopped, by a call or by what the closure threw.
  package var isStopped: Bool { observer.isStopped }

  /// Stops the copy, or the opening, which then fails with `.cancelled`.
  package func stop() { observer.stop() }

  /// - Throws: `.cancelled` when it was stopped.
  func check(path: String) throws(Failure) {
    try Failure.translating(try observer.check(path: path))
  }

  /// Runs what makes the copy, and then forgets the closure.
  ///
  /// - Throws: what the closure threw, or else what `body` throws.
  package func run<R>(_ body: () throws -> R) throws -> R {
    defer { observer.end() }
    let result = Result { try body() }
    if let error = thrown.value { throw error }
    return try result.get()
  }
}

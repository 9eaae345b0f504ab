import Logging
import VarveStorage

/// Log messages of observers and writers.
extension Store {
  /// Logs that the changes for an observer could not be computed. Observers receive no errors.
  func reportWhileObserving(_ failure: Failure) {
    switch failure.code {
    case .closed: return
    case .corrupted: markDamaged(failure.message)
    default: log(.error, "The changes for an observer could not be computed.", failure.message)
    }
  }

  /// Logs that an observer pins a version whose cost approaches or exceeds the pin budget.
  func logPinReview(_ review: PinReview, of subject: String) {
    let message =
      switch review.verdict {
      case .warning: "A late observer has used half of its pin budget."
      case .restart: "A late observer has used its pin budget: its version is released."
      }
    log(
      .warning, message,
      "\(subject): \(review.age) late, the file grew by \(review.pinnedBytes) bytes")
  }

  /// Logs an attempt to cancel a write on a thread that did not begin it.
  func logForeignCancel() {
    log(
      .error, "A write was cancelled on a thread that did not begin it; it stays open.",
      "cancelWrite")
  }

  func logWriteOfEndedThread() {
    log(
      .error, "A write was rolled back: the thread that began it has ended.",
      "commitWrite or cancelWrite")
  }

  /// Logs the error of an asynchronous write that has no completion handler.
  package func logUnreported(_ error: any Error) {
    log(.error, "An asynchronous write without a completion handler failed.", "\(error)")
  }
}

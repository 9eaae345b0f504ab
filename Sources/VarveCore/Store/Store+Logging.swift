import Logging
import VarveStorage

/// What observers and writers have logged.
extension Store {
  /// Notes why an observer could not be told what changed: observers are not told of errors.
  func reportWhileObserving(_ failure: Failure) {
    switch failure.code {
    case .closed: return
    case .corrupted: markDamaged(failure.message)
    default: log(.error, "An observer could not be told what changed.", failure.message)
    }
  }

  /// Logs that an observer pins a version that costs much.
  func logPinReview(_ review: PinReview, of subject: String) {
    let message =
      switch review.verdict {
      case .warning: "A late observer has used half of its pin budget."
      case .restart: "A late observer has used its pin budget: its version is given up."
      }
    log(
      .warning, message,
      "\(subject): \(review.age) late, the file grew by \(review.pinnedBytes) bytes")
  }

  /// Logs that a write was to be cancelled by a thread that did not begin it.
  func logForeignCancel() {
    log(
      .error, "A write was cancelled on another thread than the one that began it; it goes on.",
      "cancelWrite")
  }

  func logWriteOfEndedThread() {
    log(
      .error, "A write was rolled back: the thread that began it has ended.",
      "commitWrite or cancelWrite")
  }

  /// Logs the error of an asynchronous write that nobody asked to be told of.
  package func logUnheard(_ error: any Error) {
    log(.error, "An asynchronous write failed that nobody waits for.", "\(error)")
  }
}

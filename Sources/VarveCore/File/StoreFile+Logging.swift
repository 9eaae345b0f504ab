import Logging
import Synchronization
import VarveLocks
import VarveStorage

/// The messages that a store has already logged: misuse is logged once.
///
/// Thread safety: any thread.
final class LogOnce: Sendable {
  private let damage = Atomic<Bool>(false)
  private let invalidated = Atomic<Bool>(false)
  private let outOfBounds = Atomic<Bool>(false)
  /// Guards the classes, as `ClassDescription.modelIndex`, whose mismatches were logged.
  private let mismatches = Lock<Set<Int>>([])

  // Each method records an event, and returns whether it was not recorded before.

  func noteDamage() -> Bool { !damage.exchange(true, ordering: .relaxed) }
  func noteInvalidated() -> Bool { !invalidated.exchange(true, ordering: .relaxed) }
  func noteOutOfBounds() -> Bool { !outOfBounds.exchange(true, ordering: .relaxed) }

  func noteMismatch(_ model: ClassDescription) -> Bool {
    mismatches.withLock { $0.insert(model.modelIndex).inserted }
  }
}

extension StoreFile {
  /// Logs, once, that bytes of the file are damaged.
  func logDamage(_ what: String) {
    guard loggedOnce.noteDamage() else { return }
    log(.critical, "The file is damaged.", what)
  }

  /// Logs the use of something that does not exist, where the reading API cannot throw.
  package func logMisuse(_ failure: Failure) {
    log(
      .error, failure.details.first.map { "\(failure.message) In: \($0)" } ?? failure.message,
      [failure.className, failure.propertyName].compactMap(\.self).joined(separator: "."))
  }

  /// Logs, once, that a deleted object was read.
  func logInvalidatedRead(className: String) {
    guard loggedOnce.noteInvalidated() else { return }
    log(
      .warning, "A deleted or invalidated object was read; its properties read as zero values.",
      className)
  }

  /// Logs, once, that a live collection was read out of bounds.
  package func logOutOfBoundsRead(className: String) {
    guard loggedOnce.noteOutOfBounds() else { return }
    log(
      .warning, "A live collection was read out of bounds; the result is a zero value.", className)
  }

  /// Logs, once per class, that the file stores it with other types than its model declares.
  func logMismatch(_ binding: ClassBinding) {
    guard !binding.mismatches.isEmpty, loggedOnce.noteMismatch(binding.model) else { return }
    log(
      .error, "A class is stored with other types than its model declares; it reads as empty.",
      binding.mismatches.joined(separator: " "))
  }

  /// Logs on another thread, because the caller may be in the middle of a read, where no other code
  /// may run.
  ///
  /// A forked process has no other threads, and logs nothing.
  func log(_ level: Logger.Level, _ message: String, _ subject: String) {
    log(level, message, ["subject": "\(subject)"])
  }

  /// Logs as ``log(_:_:_:)`` does, with other fields.
  func log(
    _ level: Logger.Level, _ message: String, _ metadata: @autoclosure () -> Logger.Metadata
  ) {
    let logger = logger
    if logger.logLevel > level || ProcessFork.isChild { return }
    LogQueue.shared.add(logger, level, message, metadata())
  }
}

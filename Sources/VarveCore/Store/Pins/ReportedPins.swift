import VarveLocks

/// The pins that a warning was logged for, so that each is logged once.
///
/// Thread safety: a lock guards the pins.
final class ReportedPins: Sendable {
  /// Guards the pins.
  private let readers = Lock<Set<Reader>>([])

  /// Records a pin.
  ///
  /// - Returns: Whether it was not recorded before.
  func insert(_ reader: Reader) -> Bool { readers.withLock { $0.insert(reader).inserted } }

  /// Removes all pins except the given ones, because the others no longer exist.
  func keep(_ present: [Reader]) { readers.withLock { $0.formIntersection(present) } }
}

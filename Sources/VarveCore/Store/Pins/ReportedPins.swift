import Synchronization

/// The pins that were warned of: each once.
///
/// Thread safety: a lock guards them.
final class ReportedPins: Sendable {
  /// Guards the pins.
  private let readers = Mutex<Set<Reader>>([])

  /// Notes a pin.
  ///
  /// - Returns: whether it was not noted before.
  func insert(_ reader: Reader) -> Bool { readers.withLock { $0.insert(reader).inserted } }

  /// Forgets all pins but some: the others are gone.
  func keep(_ present: [Reader]) { readers.withLock { $0.formIntersection(present) } }
}

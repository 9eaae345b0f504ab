import Synchronization

/// The slots of key paths that refer to properties of a class, but do not equal the key paths with
/// which it lists them: those of inherited properties, and of computed properties that forward to
/// persisted ones.
///
/// Each insertion makes a new table. Lookups may still use the older ones, which are therefore kept.
/// The number of key paths is limited, because key paths that capture a value, as those of
/// subscripts do, are different for each value. Those that find no room are probed at each use.
///
/// Thread safety: any thread. Lookups take no lock.
struct ProbedKeyPaths: ~Copyable, Sendable {
  private final class Table: @unchecked Sendable {
    // Safe because everything is constant, and key paths are immutable.
    let slots: [AnyKeyPath: Int]
    /// The table before.
    let previous: Table?

    init(_ slots: [AnyKeyPath: Int], after previous: Table?) {
      self.slots = slots
      self.previous = previous
    }
  }

  private static let capacity = 256

  /// The address of the newest table, with a retain; 0 for none.
  private let newest = Atomic<UInt>(0)

  deinit { Self.table(newest.load(ordering: .acquiring))?.release() }

  /// The slot of a key path; nil if it was not inserted.
  subscript(keyPath: AnyKeyPath) -> Int? {
    Self.table(newest.load(ordering: .acquiring))?
      ._withUnsafeGuaranteedRef { $0.slots[keyPath] }
  }

  /// Inserts a key path, unless it is present, or there is no room.
  ///
  /// - Complexity: O(inserted key paths).
  func insert(_ keyPath: AnyKeyPath, slot: Int) {
    var current = newest.load(ordering: .acquiring)
    while true {
      let before = Self.table(current)?.takeUnretainedValue()
      var slots = before?.slots ?? [:]
      if slots[keyPath] != nil || slots.count >= Self.capacity { return }
      slots[keyPath] = slot
      let table = Unmanaged.passRetained(Table(slots, after: before))
      let (isDone, now) = newest.compareExchange(
        expected: current, desired: UInt(bitPattern: table.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isDone {
        // The new table retains it.
        Self.table(current)?.release()
        return
      }
      table.release()
      current = now
    }
  }

  private static func table(_ bits: UInt) -> Unmanaged<Table>? {
    // Safe because a table lives as long as this value: the word or a later table retains it.
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }
}

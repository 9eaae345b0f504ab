import VarveStorage

/// One thing that was read inside `withObservationTracking`, for as long as somebody tracks it.
///
/// The registrar of the view keeps it, in a key path, until those who track it were told or have given up:
/// its end is how the view learns that nobody tracks it any more.
///
/// Thread safety: immutable, but for what the lock of the table guards.
final class TrackedRead: Sendable {
  let key: TrackedKey
  let content: TrackedContent
  private let table: TrackedReadTable
  /// The version up to which the read was compared: in none after the one that was read did it differ.
  // Safe because only the table touches it, under its lock.
  nonisolated(unsafe) var known: Snapshot

  init(_ key: TrackedKey, _ content: TrackedContent, in table: TrackedReadTable, at known: Snapshot)
  {
    self.key = key
    self.content = content
    self.table = table
    self.known = known
  }

  deinit { table.forget(key, ObjectIdentifier(self)) }
}

extension TrackedRead: Hashable {
  static func == (left: TrackedRead, right: TrackedRead) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What a tracked read looked at, as far as it must be known to tell whether two versions differ in it.
struct TrackedContent: Sendable {
  let model: ClassDescription
  /// Set for `.results`.
  var results: TrackedResults?
}

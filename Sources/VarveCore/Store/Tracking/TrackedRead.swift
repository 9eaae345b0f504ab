/// One thing that was read inside `withObservationTracking`, for as long as somebody tracks it.
///
/// The registrar of the view keeps it, in a key path, until those who track it were told or have given up:
/// its end is how the view learns that nobody tracks it any more.
///
/// Thread safety: immutable.
final class TrackedRead: Sendable {
  let key: TrackedKey
  let content: TrackedContent
  private let table: TrackedReadTable

  init(_ key: TrackedKey, _ content: TrackedContent, in table: TrackedReadTable) {
    self.key = key
    self.content = content
    self.table = table
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

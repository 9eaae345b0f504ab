/// A read inside `withObservationTracking`, for as long as it is tracked.
///
/// The registrar of the view retains it, in a key path, until its observers were notified or have
/// given up. Its deinitializer notifies the view that it is no longer tracked.
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

/// The content of a tracked read, as far as it is needed to compare two versions.
struct TrackedContent: Sendable {
  let model: ClassDescription
  /// Set for `.results`.
  var results: TrackedResults?
}

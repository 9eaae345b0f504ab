import VarveStorage

/// What was found last, with the version that it belongs to. A lock of its owner guards it.
///
/// Thread safety: a value.
struct FoundVersion<Content: Sendable>: Sendable {
  private var stamp: VersionStamp?
  private var content: Content?

  /// What was found in a version; nil when another one was asked last.
  func find(_ wanted: VersionStamp) -> Content? { stamp == wanted ? content : nil }

  /// - Returns: what was there, to be released after the lock.
  mutating func remember(_ content: Content, _ stamp: VersionStamp) -> Content? {
    defer {
      self.content = content
      self.stamp = stamp
    }
    return self.content
  }
}

/// A version, or the state of a running transaction.
enum VersionStamp: Equatable, Sendable {
  case snapshot(UInt64)
  case transaction(UInt64, changes: UInt64)

  init(_ snapshot: Snapshot) { self = .snapshot(snapshot.serial) }

  init(_ transaction: Transaction) {
    self = .transaction(transaction.serial, changes: transaction.changeCount)
  }
}

import VarveStorage

/// What was found last, with the version that it belongs to. A lock of its owner guards it.
///
/// Thread safety: a value.
package struct FoundVersion<Content: Sendable>: Sendable {
  private var stamp: VersionStamp?
  private var content: Content?

  package init() {}

  /// What was found in a version; nil when another one was asked last.
  package func find(_ wanted: VersionStamp) -> Content? { stamp == wanted ? content : nil }

  /// - Returns: what was there, to be released after the lock.
  package mutating func remember(_ content: Content, _ stamp: VersionStamp) -> Content? {
    defer {
      self.content = content
      self.stamp = stamp
    }
    return self.content
  }
}

/// A version, or the state of a running transaction.
package enum VersionStamp: Equatable, Sendable {
  case snapshot(UInt64)
  case transaction(UInt64, changes: UInt64)

  init(_ snapshot: Snapshot) { self = .snapshot(snapshot.serial) }

  init(_ transaction: Transaction) {
    self = .transaction(transaction.serial, changes: transaction.changeCount)
  }
}

extension ReadContext {
  /// What is read now: a version, or the state of the running transaction.
  package var versionStamp: VersionStamp {
    transaction.map { VersionStamp($0) } ?? VersionStamp(snapshot)
  }
}

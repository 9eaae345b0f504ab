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

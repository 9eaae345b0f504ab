import VarveStorage

/// The last found content, with the version that it belongs to. A lock of its owner guards it.
///
/// Thread safety: a value.
package struct FoundVersion<Content: Sendable>: Sendable {
  private var stamp: VersionStamp?
  private var content: Content?

  package init() {}

  /// Returns the content found in a version, or nil when the stored content belongs to another one.
  package func find(_ requested: VersionStamp) -> Content? { stamp == requested ? content : nil }

  /// - Returns: The previous content, to be released after the lock.
  package mutating func remember(_ content: Content, _ stamp: VersionStamp) -> Content? {
    defer {
      self.content = content
      self.stamp = stamp
    }
    return self.content
  }
}

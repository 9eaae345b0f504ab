import VarveStorage

/// A version of a file: the incarnation of its history, and the number of its commit.
package struct FileVersion: Hashable, Sendable {
  private let version: Version

  init(_ version: Version) { self.version = version }

  /// The number of the commit in its history.
  package var number: UInt64 { version.counter }
}

/// The sizes at which texts of a full-text index are merged into its blocks.
///
/// With greater limits each merge changes fewer blocks for each text, and queries read more pending
/// texts.
package enum PendingTextLimits {
  /// The maximum number of bytes of all pending texts of an index.
  package static let bytes = 256 << 10
  /// The maximum number of pending texts of an index. Queries look at each of them.
  package static let count = 1024
  /// The maximum number of bytes of a pending text. Longer ones are merged at once.
  package static let textBytes = 16 << 10
  /// The memory for the changes of one merge, unless a single text needs more.
  static let mergeBytes = 8 << 20
}

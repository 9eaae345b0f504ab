/// The sizes up to which a collection is stored in the row of its owner, in bytes.
///
/// A page contains four rows of 1,000 bytes. Longer rows make scans of their class slower, and rows
/// that grow split full pages.
struct InlineLimits {
  /// The elements of the collection.
  let collection: Int
  /// The row with the collection.
  let row: Int

  /// For a new collection, and for one that is in the row already.
  static let staying = InlineLimits(collection: 256, row: 1000)
  /// For a collection that is outside the row.
  static let entering = InlineLimits(collection: 128, row: 750)
}

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

  /// The greatest number of bytes of a collection that is changed in a row during a write. At its
  /// end the other limits decide.
  static let maximumEditedBytes = 512

  /// Whether a collection may be in a row.
  ///
  /// - Parameter rowBytes: The length of the row with the collection.
  func allow(_ collectionBytes: Int, inRow rowBytes: Int) -> Bool {
    collectionBytes <= collection && rowBytes <= row
  }

  /// The greatest length of a collection that is added to a row of a length.
  func room(inRow rowBytes: Int) -> Int { min(collection, row - rowBytes) }
}

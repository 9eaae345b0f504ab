import VarveEncoding
import VarveStorage

/// The entries in which a dictionary may differ between two versions, in the order of their stored
/// keys: the entries whose bytes differ, or all entries if bytes cannot be compared.
///
/// Thread safety: one thread at a time.
struct MapEntryPairs: ~Copyable {
  /// The entries of two versions under one stored key. At least one is not nil.
  struct Pair {
    let old: MapEntry?
    let new: MapEntry?

    var isCut: Bool { old?.isCut == true || new?.isCut == true }

    /// Whether both versions have the key with the same value.
    ///
    /// - Throws: `.corrupted`.
    /// - Complexity: O(bytes).
    func isSame() throws(StorageError) -> Bool {
      guard let old, let new, old.hasSameKey(as: new) else { return false }
      return try old.hasSameValue(as: new)
    }
  }

  private let old: Snapshot
  private let new: Snapshot
  private var diff: TableDiff?
  private var walks: MapEntryWalks?

  init(_ map: MapDifference, _ old: Snapshot, _ new: Snapshot) throws(StorageError) {
    self.old = old
    self.new = new
    diff = nil
    walks = nil
    if map.oldContent.isInline || map.newContent.isInline {
      // Usually both are in the row, and equal.
      if map.oldContent.isIdentical(to: map.newContent) { return }
      walks = try MapEntryWalks(map, old, new)
    } else if map.oldContent.id != map.newContent.id || !old.sharesIDs(with: new) {
      walks = try MapEntryWalks(map, old, new)
    } else if map.oldContent.id != 0 {
      var prefix = OrderedKey()
      CollectionEntryKey.begin(&prefix, collectionID: map.oldContent.id)
      try prefix.withPrefixRange { (range) throws(StorageError) in
        diff = try old.changes(to: new, in: .dictionaries, range)
      }
    }
  }

  /// Returns the next pair, or nil at the end.
  ///
  /// - Throws: `.corrupted`.
  mutating func next() throws(StorageError) -> Pair? {
    if let pair = try walks?.next() { return pair }
    guard let change = try diff?.next() else { return nil }
    return Pair(
      old: try entry(change.key, change.old, old), new: try entry(change.key, change.new, new))
  }

  private func entry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ snapshot: Snapshot
  ) throws(StorageError) -> MapEntry? {
    guard let value else { return nil }
    return try MapEntry(key: key, element: CollectionEntry.element(of: value), in: snapshot)
  }
}

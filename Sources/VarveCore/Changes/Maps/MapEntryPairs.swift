import VarveEncoding
import VarveStorage

/// The entries in which a dictionary may differ between two versions, in the order of their stored
/// keys: those whose bytes differ, or all of them where bytes do not tell.
///
/// Thread safety: one thread at a time.
struct MapEntryPairs: ~Copyable {
  /// What two versions have under one stored key. Not both are nil.
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
    if map.oldSlot.id != map.newSlot.id || !old.sharesIDs(with: new) {
      walks = try MapEntryWalks(map, old, new)
    } else if map.oldSlot.id != 0 {
      var prefix = OrderedKey()
      CollectionEntryKey.begin(&prefix, collectionID: map.oldSlot.id)
      try prefix.withPrefixRange { (range) throws(StorageError) in
        diff = try old.changes(to: new, in: .dictionaries, range)
      }
    }
  }

  /// The next pair; nil at the end.
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
    return try MapEntry(key: key, value: value, in: snapshot)
  }
}

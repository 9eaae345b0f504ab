import VarveEncoding
import VarveStorage

/// Computes the indexes of set entries whose keys ascend from call to call.
///
/// Thread safety: one thread at a time.
struct SetRanks {
  private let snapshot: Snapshot
  /// The last key that was looked up.
  private var last = OrderedKey()
  private var rank = 0
  private let isEmpty: Bool

  init(_ content: CollectionContent, in snapshot: Snapshot) {
    self.snapshot = snapshot
    isEmpty = content.id == 0
    CollectionEntryKey.begin(&last, collectionID: content.id)
  }

  /// Returns the number of elements before a key, which need not be in the set.
  ///
  /// - Complexity: one visit of each page between the last key and this one.
  mutating func rank(of key: UnsafeRawBufferPointer) -> Int {
    if isEmpty { return 0 }
    rank += last.withUnsafeBytes { snapshot.countRange(.sets, .keys(from: $0, below: key)) }
    last = OrderedKey(key)
    return rank
  }
}

extension Snapshot {
  /// Returns the indexes of objects in a set that contains them.
  ///
  /// - Parameters:
  ///   - objects: The ids of the objects, ascending.
  ///   - content: The content of the set.
  ///   - property: The property of the set.
  /// - Complexity: one visit of each page of the set up to the last object.
  func indexes(
    of objects: [UInt64], inSet content: CollectionContent, _ property: StoredProperty
  ) -> IndexRanges {
    var ranks = SetRanks(content, in: self)
    var indexes = IndexRanges()
    var key = OrderedKey()
    for id in objects {
      // Links are never truncated, so no hash is computed.
      _ = CollectionEntryKey.encode(
        element: .link(classID: property.linkedClassID, objectID: id), type: property.kind.type,
        collectionID: content.id, fileKey: FileKey(low: 0, high: 0), into: &key)
      indexes.append(key.withUnsafeBytes { ranks.rank(of: $0) })
    }
    return indexes
  }
}

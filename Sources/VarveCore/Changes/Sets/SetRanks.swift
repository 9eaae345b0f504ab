import VarveEncoding
import VarveStorage

/// Tells the places of entries of a set, whose keys ascend from call to call.
///
/// Thread safety: one thread at a time.
struct SetRanks {
  private let snapshot: Snapshot
  /// The last key that was asked for.
  private var last = OrderedKey()
  private var rank = 0
  private let isEmpty: Bool

  /// - Parameters:
  ///   - slot: of the set.
  ///   - snapshot: the version to look at.
  init(_ slot: CollectionSlot, in snapshot: Snapshot) {
    self.snapshot = snapshot
    isEmpty = slot.id == 0
    CollectionEntryKey.begin(&last, collectionID: slot.id)
  }

  /// How many elements come before a key, which need not be there.
  ///
  /// - Complexity: a look at each page between the last key and this one.
  mutating func rank(of key: UnsafeRawBufferPointer) -> Int {
    if isEmpty { return 0 }
    rank += last.withUnsafeBytes { snapshot.countRange(.sets, .keys(from: $0, below: key)) }
    last = OrderedKey(key)
    return rank
  }
}

extension Snapshot {
  /// The places of some objects in a set that holds them.
  ///
  /// - Parameters:
  ///   - objects: ascending ids.
  ///   - slot: of the set.
  ///   - property: of the set.
  /// - Returns: the places.
  /// - Complexity: a look at each page of the set up to the last object.
  func indexes(
    of objects: [UInt64], inSet slot: CollectionSlot, _ property: StoredProperty
  ) -> IndexRanges {
    var ranks = SetRanks(slot, in: self)
    var indexes = IndexRanges()
    var key = OrderedKey()
    for id in objects {
      // Links are never cut, so no hash is made.
      _ = CollectionEntryKey.encode(
        element: .link(classID: property.linkedClassID, objectID: id), type: property.kind.type,
        collectionID: slot.id, fileKey: FileKey(low: 0, high: 0), into: &key)
      indexes.append(key.withUnsafeBytes { ranks.rank(of: $0) })
    }
    return indexes
  }
}

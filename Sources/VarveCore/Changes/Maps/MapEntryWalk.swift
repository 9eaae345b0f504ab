import VarveEncoding
import VarveStorage

/// Iterates over all entries of a dictionary in one version.
///
/// Thread safety: one thread at a time.
struct MapEntryWalk: ~Copyable {
  private let snapshot: Snapshot
  private let prefix: OrderedKey
  /// Nil if there can be no entries outside a row.
  private var cursor: EntryCursor?
  /// The entries of a dictionary in a row; nil if it is outside.
  private let row: StoredRowEntries?
  /// The index of the current entry in the row.
  private var rowIndex = 0
  /// Whether the walk is at an entry.
  private(set) var isOnEntry = false

  /// - Throws: `.corrupted`.
  init(_ content: CollectionContent, _ snapshot: Snapshot) throws(StorageError) {
    let row = Result { () throws(StorageError) in
      content.isInline ? try StoredRowEntries(content, snapshot) : nil
    }
    self.row = try? row.get()
    self.snapshot = snapshot
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: content.id)
    self.prefix = prefix
    cursor = content.id == 0 ? nil : snapshot.cursor(.dictionaries)
    if let row = try row.get() {
      isOnEntry = row.count > 0
    } else if content.id != 0 {
      try land(prefix.withUnsafeBytes { cursor?.seek(key: $0) ?? false })
    }
  }

  /// The key of the current entry outside a row.
  private var key: UnsafeRawBufferPointer {
    switch cursor {
    case .some(let cursor): cursor.key
    case nil: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// The entry's key without the dictionary's id.
  var keyPart: UnsafeRawBufferPointer {
    let key = row?[rowIndex].key ?? key
    return UnsafeRawBufferPointer(rebasing: key.dropFirst(CollectionEntryKey.valueStart))
  }

  /// Returns the current entry, or nil at the end.
  ///
  /// - Throws: `.corrupted`.
  func entry() throws(StorageError) -> MapEntry? {
    guard isOnEntry else { return nil }
    if let row {
      let entry = row[rowIndex]
      return try MapEntry(key: entry.key, element: entry.element, in: snapshot)
    }
    switch cursor {
    case .some(let cursor):
      return try MapEntry(
        key: cursor.key, element: CollectionEntry.element(of: cursor.value), in: snapshot)
    case nil: return nil
    }
  }

  /// Advances to the next entry.
  ///
  /// - Throws: `.corrupted`.
  mutating func advance() throws(StorageError) {
    if let row {
      rowIndex += 1
      isOnEntry = rowIndex < row.count
      return
    }
    let last = key
    try land(cursor?.next() ?? false)
    // Without this check, pages that form a cycle would be walked endlessly.
    if isOnEntry, ByteOrder.compare(last, key) >= 0 {
      throw snapshot.damaged("A dictionary's keys are out of order.")
    }
  }

  private mutating func land(_ isPresent: Bool) throws(StorageError) {
    isOnEntry = isPresent && prefix.withUnsafeBytes { ByteOrder.hasPrefix(key, $0) }
    // At a damaged page a cursor ends as it does at the end of the table.
    if !isOnEntry, let damage = snapshot.environment.damageError { throw damage }
  }
}

/// Iterates over all entries of two versions of a dictionary.
///
/// Thread safety: one thread at a time.
struct MapEntryWalks: ~Copyable {
  private var old: MapEntryWalk
  private var new: MapEntryWalk

  /// - Throws: `.corrupted`.
  init(_ map: MapDifference, _ old: Snapshot, _ new: Snapshot) throws(StorageError) {
    let before = try MapEntryWalk(map.oldContent, old)
    let after = try MapEntryWalk(map.newContent, new)
    self.old = before
    self.new = after
  }

  /// Returns the entries of both versions under the next key, or nil at the end of both.
  ///
  /// - Throws: `.corrupted`.
  mutating func next() throws(StorageError) -> MapEntryPairs.Pair? {
    guard old.isOnEntry || new.isOnEntry else { return nil }
    let order =
      !old.isOnEntry ? 1 : !new.isOnEntry ? -1 : ByteOrder.compare(old.keyPart, new.keyPart)
    let pair = MapEntryPairs.Pair(
      old: order <= 0 ? try old.entry() : nil, new: order >= 0 ? try new.entry() : nil)
    if order <= 0 { try old.advance() }
    if order >= 0 { try new.advance() }
    return pair
  }
}

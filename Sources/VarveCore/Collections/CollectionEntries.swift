import VarveEncoding
import VarveStorage

/// The entries of one dictionary or set in one version, in the order of their keys.
///
/// Thread safety: none; each walk makes its own.
struct CollectionEntries: ~Copyable {
  private let prefix: OrderedKey
  private var cursor: EntryCursor
  /// Whether there is an entry here.
  private(set) var isOnEntry = false
  /// Keeps the bytes that the cursor walks.
  private let reader: any TableReader

  /// - Parameters:
  ///   - collectionID: 0 for a collection that never had an element.
  ///   - table: `dictionaries` or `sets`.
  ///   - reader: a version; or the running transaction of this thread, which is not changed meanwhile.
  init(_ collectionID: UInt64, _ table: Table, in reader: any TableReader) {
    self.reader = reader
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: collectionID)
    self.prefix = prefix
    cursor = reader.cursor(table)
    if collectionID == 0 { return }
    land(prefix.withUnsafeBytes { cursor.seek(key: $0) })
  }

  /// The key of the entry; it is valid until the reader changes.
  var key: UnsafeRawBufferPointer { cursor.key }

  /// The value of the entry; it is valid until the reader changes.
  var value: UnsafeRawBufferPointer { cursor.value }

  /// Whether the key was cut: entries whose keys were cut to the same beginning are in the order of their hashes.
  var isCut: Bool { CollectionEntryKey.isCut(cursor.key) }

  mutating func advance() { land(cursor.next()) }

  /// Passes the entries whose keys were cut to the same beginning as that of this one.
  ///
  /// - Parameter body: is called before each is passed.
  /// - Throws: what `body` throws.
  mutating func passGroup(_ body: (borrowing Self) throws(Failure) -> Void) throws(Failure) {
    let beginning = Array(cursor.key.prefix(CollectionEntryKey.groupEnd))
    while isOnEntry, isCut, cursor.key.starts(with: beginning) {
      try body(self)
      advance()
    }
  }

  private mutating func land(_ isPresent: Bool) {
    isOnEntry = isPresent && prefix.withUnsafeBytes { ByteOrder.hasPrefix(cursor.key, $0) }
  }
}

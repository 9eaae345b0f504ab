import VarveEncoding
import VarveStorage

/// The entries of one dictionary or set outside its row in one version, in key order. Of a
/// collection in a row there are none.
///
/// Thread safety: none; each walk creates its own.
struct CollectionEntries: ~Copyable {
  /// The common prefix of all keys of the collection: its id.
  private let prefix: UInt64
  /// Nil if there can be no entries: a cursor is large, and one of a transaction is opened.
  private var cursor: KeyScanCursor?
  /// Whether the cursor is at an entry.
  private(set) var isOnEntry = false
  // Copies of those of the cursor, which may be nil: each access would ask whether it is.
  /// The key of the current entry; valid until the reader changes.
  private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
  private var value = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Retains the bytes that the cursor reads.
  private let reader: any TableReader

  /// - Parameters:
  ///   - content: The content of the collection.
  ///   - table: `dictionaries` or `sets`.
  ///   - reader: A version, or this thread's running transaction, which must not change meanwhile.
  init(_ content: CollectionContent, _ table: Table, in reader: any TableReader) {
    self.reader = reader
    let prefix = content.id.bigEndian
    self.prefix = prefix
    guard content.id != 0 else {
      cursor = nil
      return
    }
    var scan = reader.keyScan(table)
    if withUnsafeBytes(of: prefix, { scan.seek(key: $0) }) { land(scan.key, scan.value) }
    cursor = consume scan
  }

  /// The element of the current entry; valid until the reader changes.
  @inline(__always) var element: UnsafeRawBufferPointer { CollectionEntry.element(of: value) }

  /// Verifies the checksum of the current entry.
  ///
  /// - Throws: `truncated` or `badChecksum`.
  func verifyChecksum() throws(FormatError) {
    try CollectionEntry.verifyChecksum(value, key: key)
  }

  /// Whether the key is truncated. Entries whose truncated keys have the same prefix are in the
  /// order of their hashes.
  var isCut: Bool { CollectionEntryKey.isCut(key) }

  @inline(__always)
  mutating func advance() {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    let (key, value) = cursor?.nextEntry() ?? (none, none)
    land(key, value)
  }

  /// Passes the entries whose truncated keys have the same prefix as the current one.
  ///
  /// - Parameter body: Called before each entry is passed.
  /// - Throws: The errors of `body`.
  mutating func passGroup(_ body: (borrowing Self) throws(Failure) -> Void) throws(Failure) {
    let beginning = Array(key.prefix(CollectionEntryKey.groupEnd))
    while isOnEntry, isCut, key.starts(with: beginning) {
      try body(self)
      advance()
    }
  }

  /// Takes the entry of the cursor, which is at the end if the key is empty.
  @inline(__always)
  private mutating func land(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    self.key = key
    self.value = value
    isOnEntry =
      key.count >= CollectionEntryKey.valueStart && key.loadUnaligned(as: UInt64.self) == prefix
  }
}

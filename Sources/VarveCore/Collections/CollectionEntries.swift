import VarveEncoding
import VarveStorage

/// The entries of one dictionary or set in one version, in the order of their keys.
///
/// Thread safety: none; each walk makes its own.
struct CollectionEntries: ~Copyable {
  /// The bytes that all keys of the collection begin with: its id.
  private let prefix: UInt64
  private var cursor: KeyScanCursor
  /// Whether there is an entry here.
  private(set) var isOnEntry = false
  /// Keeps the bytes that the cursor walks.
  private let reader: any TableReader

  /// - Parameters:
  ///   - slot: of the collection.
  ///   - table: `dictionaries` or `sets`.
  ///   - reader: a version; or the running transaction of this thread, which is not changed meanwhile.
  init(_ slot: CollectionSlot, _ table: Table, in reader: any TableReader) {
    self.reader = reader
    let prefix = slot.id.bigEndian
    self.prefix = prefix
    cursor = reader.keyScan(table)
    if slot.id == 0 { return }
    land(withUnsafeBytes(of: prefix) { cursor.seek(key: $0) })
  }

  /// The key of the entry; it is valid until the reader changes.
  @inline(__always) var key: UnsafeRawBufferPointer { cursor.key }

  /// The value of the entry; it is valid until the reader changes.
  @inline(__always) var value: UnsafeRawBufferPointer { cursor.value }

  /// Whether the key was cut: entries whose keys were cut to the same beginning are in the order of their hashes.
  var isCut: Bool { CollectionEntryKey.isCut(cursor.key) }

  @inline(__always)
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

  @inline(__always)
  private mutating func land(_ isPresent: Bool) {
    isOnEntry =
      isPresent && cursor.key.count >= CollectionEntryKey.valueStart
      && cursor.key.loadUnaligned(as: UInt64.self) == prefix
  }
}

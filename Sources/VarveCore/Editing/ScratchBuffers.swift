import VarveEncoding

/// Memory that a write encodes rows, keys and values in, and finds what it changes by. One write hands it to the next,
/// so that small ones need not allocate it.
///
/// Thread safety: none; it belongs to whoever has the write lock of the store.
struct ScratchBuffers {
  let row: RowBuffer
  let leaf: ListLeafBuffer
  var key = OrderedKey()
  /// Empty, with the memory of those that were in it.
  var rows: [RowKey: EditedRow] = [:]
  var collections: [CollectionKey: EditedCollection] = [:]
  var value = ByteBuffer()

  init(
    row: RowBuffer = RowBuffer(layout: ScratchBuffers.emptyLayout),
    leaf: ListLeafBuffer = ListLeafBuffer(format: .variable)
  ) {
    self.row = row
    self.leaf = leaf
  }

  private static let emptyLayout = RowLayout(id: 0, properties: [])
  /// More than so many bytes, which a write of large values needed, are not kept.
  private static let mostBytes = 64 << 10

  /// Dictionaries are handed on when they are empty, with room for so many at most.
  private static let mostEntries = 4096

  /// Whether the memory is so little that it can be kept.
  var isSmall: Bool {
    row.capacity <= Self.mostBytes && key.bytes.capacity <= Self.mostBytes
      && value.bytes.capacity <= Self.mostBytes && rows.isEmpty && collections.isEmpty
      && rows.capacity <= Self.mostEntries && collections.capacity <= Self.mostEntries
  }
}

import VarveEncoding

/// Memory in which a write encodes rows, keys and values and caches its edits. Each write passes it
/// to the next one, so that small writes need not allocate.
///
/// Thread safety: none; it belongs to the owner of the store's write lock.
struct ScratchBuffers {
  let row: RowBuffer
  let leaf: ListLeafBuffer
  let elements: RowElementsBuffer
  var key = OrderedKey()
  /// Empty, with the capacity of the previous write.
  var rows: [RowKey: EditedRow] = [:]
  var collections: [CollectionKey: EditedCollection] = [:]
  var value = ByteBuffer()

  init(
    row: RowBuffer = RowBuffer(layout: ScratchBuffers.emptyLayout),
    leaf: ListLeafBuffer = ListLeafBuffer(format: .variable),
    elements: RowElementsBuffer = RowElementsBuffer()
  ) {
    self.row = row
    self.leaf = leaf
    self.elements = elements
  }

  private static let emptyLayout = RowLayout(id: 0, properties: [])
  /// Buffers with more bytes than this, which a write of large values needed, are discarded.
  private static let mostBytes = 64 << 10

  /// Dictionaries are passed on when they are empty, with at most this capacity.
  private static let mostEntries = 4096

  /// Whether the buffers are small enough to be kept.
  var isSmall: Bool {
    row.capacity <= Self.mostBytes && key.bytes.capacity <= Self.mostBytes
      && value.bytes.capacity <= Self.mostBytes && rows.isEmpty && collections.isEmpty
      && rows.capacity <= Self.mostEntries && collections.capacity <= Self.mostEntries
  }
}

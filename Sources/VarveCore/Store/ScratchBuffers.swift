import VarveEncoding

/// Memory that a write encodes rows, keys and values in. One write hands it to the next, so that small ones need not
/// allocate it.
///
/// Thread safety: none; it belongs to whoever has the write lock of the store.
struct ScratchBuffers {
  let row: RowBuffer
  var key = OrderedKey()
  var value = ByteBuffer()

  init(row: RowBuffer = RowBuffer(layout: ScratchBuffers.emptyLayout)) { self.row = row }

  private static let emptyLayout = RowLayout(id: 0, properties: [])
  /// More than so many bytes, which a write of large values needed, are not kept.
  private static let mostBytes = 64 << 10

  /// Whether the memory is so little that it can be kept.
  var isSmall: Bool {
    row.capacity <= Self.mostBytes && key.bytes.capacity <= Self.mostBytes
      && value.bytes.capacity <= Self.mostBytes
  }
}

/// The totals of the pending texts of a full-text index, which has them only if there are any.
package struct PendingTotals: Sendable, Equatable {
  /// The number of pending texts.
  package var count: UInt32
  /// The number of bytes of their values.
  package var bytes: UInt32

  package init(count: UInt32 = 0, bytes: UInt32 = 0) {
    self.count = count
    self.bytes = bytes
  }

  /// - Throws: `badLength`; `badValue` for a count of 0.
  package init(decoding value: UnsafeRawBufferPointer) throws(FormatError) {
    guard value.count == 8 else {
      throw FormatError(
        .badLength, "the totals of pending texts", expected: 8, found: UInt64(value.count))
    }
    self.init(count: value.uint32(at: 0), bytes: value.uint32(at: 4))
    guard count > 0 else { throw FormatError(.badValue, "no pending texts are counted") }
  }

  package func encode(into buffer: inout ByteBuffer) {
    buffer.removeAll()
    buffer.append(count)
    buffer.append(bytes)
  }

  /// Replaces a pending text.
  ///
  /// - Parameters:
  ///   - old: The number of bytes of the old value; nil for none.
  ///   - new: The number of bytes of the new value; nil for none.
  package mutating func replace(_ old: Int?, with new: Int?) {
    // Wrong totals, which a check reports, do not trap.
    let texts = Int(count) + (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    count = UInt32(clamping: texts)
    bytes = UInt32(clamping: Int(bytes) + (new ?? 0) - (old ?? 0))
  }
}

/// A view of the parts of a collection in the row of its owner: the elements of a list, or the keys
/// and elements of a dictionary, behind a table of their ends.
///
/// The bytes belong to the caller and must outlive the view.
///
/// Byte layout: Docs/Format.md, “Collections in rows”.
struct RowParts {
  /// The table of the ends, each counted from the end of the table.
  private let base: UnsafeRawPointer
  let count: Int
  /// The number of bytes of an end in the table.
  private let width: Int
  private let dataBytes: Int

  /// The greatest number of bytes of the parts whose ends have one byte each.
  static let maximumNarrowBytes = 255

  /// Returns the width of the ends of parts, or nil if no parts have this length.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the parts with their table.
  ///   - count: The number of parts.
  static func endWidth(byteCount: Int, count: Int) -> Int? {
    let narrow = byteCount - count
    if narrow >= 0, narrow <= maximumNarrowBytes { return 1 }
    return byteCount - 2 * count > maximumNarrowBytes ? 2 : nil
  }

  /// - Returns: nil if the bytes are not those of as many parts.
  /// - Complexity: O(1). The bounds of each part are checked when it is read.
  init?(_ bytes: UnsafeRawBufferPointer, count: Int) {
    guard let base = bytes.baseAddress, count > 0, count <= bytes.count,
      let width = Self.endWidth(byteCount: bytes.count, count: count)
    else { return nil }
    self.base = base
    self.count = count
    self.width = width
    dataBytes = bytes.count - width * count
    guard end(count - 1) == dataBytes else { return nil }
  }

  /// Returns the end of a part in the data.
  func end(_ index: Int) -> Int {
    width == 1 ? Int(base.uint8(at: index)) : Int(base.uint16(at: 2 * index))
  }

  /// Returns the bytes of some parts, one after another; nil if they are not inside the data.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
    let start = range.lowerBound == 0 ? 0 : end(range.lowerBound - 1)
    let end = range.upperBound == 0 ? 0 : end(range.upperBound - 1)
    guard start <= end, end <= dataBytes else { return nil }
    return UnsafeRawBufferPointer(start: base + width * count + start, count: end - start)
  }
}

import VarveEncoding

/// The position of an object in the order of results: its sort values and its id.
///
/// A position does not depend on the object: it stays where it is when the object is changed or
/// deleted.
package struct ResultsPosition: Hashable, Sendable {
  /// Identifies the class and the order.
  let order: UInt32
  /// The values of the sort keys.
  let values: [Value]
  let id: UInt64

  init(order: UInt32, values: [Value], id: UInt64) {
    self.order = order
    self.values = values
    self.id = id
  }
}

/// The bytes of a position: a version, the order, the id, each value with its length, a checksum.
/// Numbers are little-endian.
extension ResultsPosition {
  private static let version: UInt8 = 1
  private static let checksumBytes = 4

  package var encoded: [UInt8] {
    var buffer = ByteBuffer()
    buffer.append(Self.version)
    buffer.append(order)
    buffer.append(id)
    for value in values {
      var element = ByteBuffer()
      ElementCodec.append(value, to: &element)
      buffer.append(UInt32(truncatingIfNeeded: element.bytes.count))
      element.withUnsafeBytes { buffer.append($0) }
    }
    buffer.append(buffer.withUnsafeBytes { CRC32C.checksum($0) })
    return buffer.bytes
  }

  /// Reads the bytes of a position. Returns nil for other bytes.
  package init?(encoded bytes: [UInt8]) {
    let position = bytes.withUnsafeBytes { try? Self.read($0) }
    guard let position else { return nil }
    self = position
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> ResultsPosition?
  {
    let end = bytes.count - checksumBytes
    guard end >= 0 else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    var rest = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[end...]))
    guard try rest.uint32() == CRC32C.checksum(content) else { return nil }
    var reader = ByteReader(content)
    guard try reader.uint8() == version else { return nil }
    let (order, id) = (try reader.uint32(), try reader.uint64())
    var values: [Value] = []
    while reader.remaining > 0 {
      let count = Int(try reader.uint32())
      let element = try ElementReader(validating: try reader.slice(count))
      guard case .value(let value) = try element.value() else { return nil }
      values.append(value)
    }
    return ResultsPosition(order: order, values: values, id: id)
  }
}

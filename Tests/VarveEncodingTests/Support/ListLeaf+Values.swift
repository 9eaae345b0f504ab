import Testing

@testable import VarveEncoding

/// Elements of leaves as values.
extension ListLeafBuffer {
  func insert(_ value: Value, at index: Int) throws {
    try withBytes(of: value) { insert(bytes: $0, at: index) }
  }

  func append(_ value: Value) throws { try insert(value, at: count) }

  func replace(_ value: Value, at index: Int) throws {
    try withBytes(of: value) { replace(bytes: $0, at: index) }
  }

  func value(at index: Int) throws -> StoredValue {
    try format.value(bytes(at: index), isNull: format.isPacked && isNull(at: index))
  }

  private func withBytes(
    of value: Value, _ body: (UnsafeRawBufferPointer?) -> Void
  ) throws {
    if value.isNull { return body(nil) }
    guard let type = format.type else {
      var element = ByteBuffer()
      ElementCodec.append(value, to: &element)
      return element.withUnsafeBytes { body($0) }
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
    defer { bytes.deallocate() }
    let base = try #require(bytes.baseAddress)
    guard FixedValue.store(value, as: type, to: base) else {
      throw FormatError(.typeMismatch, "a value does not fit its list")
    }
    body(UnsafeRawBufferPointer(start: base, count: format.width))
  }
}

extension ListLeaf {
  func value(at index: Int) throws -> StoredValue {
    try format.value(try bytes(at: index), isNull: format.isPacked && isNull(at: index))
  }
}

extension ListElementFormat {
  fileprivate func value(_ bytes: UnsafeRawBufferPointer, isNull: Bool) throws -> StoredValue {
    guard let type, let base = bytes.baseAddress else {
      return try ElementReader(validating: bytes).value()
    }
    return .value(isNull ? .null : try FixedValue.load(type, from: base, linkClass: 0))
  }
}

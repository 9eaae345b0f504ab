import VarveEncoding

/// Bytes from hexadecimal digits. Spaces are ignored.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension [UInt8] {
  /// Passes the bytes to a closure at an odd address, in memory that ends with them, which is as
  /// strict as possible.
  @discardableResult
  func lend<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 8)
    defer { memory.deallocate() }
    let part = UnsafeMutableRawBufferPointer(rebasing: memory[1...])
    part.copyBytes(from: self)
    return try body(UnsafeRawBufferPointer(part))
  }
}

extension StoredValue {
  /// The value; nil for a blob.
  var inline: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}

let testFileKey = FileKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

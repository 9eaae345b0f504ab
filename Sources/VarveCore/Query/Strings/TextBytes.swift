import Foundation

/// Borrowed UTF-8 bytes, read unchanged or with ASCII letters in lower case. Valid as long as the
/// bytes are. Each byte that is not valid UTF-8 reads as U+FFFD.
struct TextBytes {
  let bytes: UnsafeRawBufferPointer
  let lowers: Bool

  init(_ bytes: UnsafeRawBufferPointer, lowers: Bool = false) {
    self.bytes = bytes
    self.lowers = lowers
  }

  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8 {
    @inline(__always) get {
      let byte = bytes[index]
      return lowers && byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
  }

  /// - Complexity: O(`count`), eight bytes at a time.
  var isASCII: Bool {
    var index = 0
    while index + 8 <= count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index += 8
    }
    while index < count {
      if bytes[index] >= 0x80 { return false }
      index += 1
    }
    return true
  }

  /// Whether lowercasing changes the text.
  var changes: Bool {
    guard lowers else { return false }
    for byte in bytes where byte &- 0x41 < 26 { return true }
    return false
  }

  /// The bytes, which must be ASCII, as a lowercased string.
  func lowered() -> String {
    String(unsafeUninitializedCapacity: count) { target in
      for index in 0..<count { target.initializeElement(at: index, to: self[index]) }
      return count
    }
  }

  /// Whether the given bytes are at an index. The text must be long enough.
  @inline(__always)
  func hasBytes(_ part: [UInt8], at start: Int) -> Bool {
    guard lowers else {
      return part.withUnsafeBytes { part in
        guard let a = part.baseAddress, let b = bytes.baseAddress else { return part.isEmpty }
        return memcmp(a, b + start, part.count) == 0
      }
    }
    for index in 0..<part.count where self[start + index] != part[index] { return false }
    return true
  }

  /// The number of bytes of the scalar at an index.
  @inline(__always)
  func length(at index: Int) -> Int {
    bytes[index] < 0x80 ? 1 : decode(at: index).length
  }

  /// The scalar at an index, and its number of bytes.
  @inline(__always)
  func scalar(at index: Int) -> (value: UInt32, length: Int) {
    bytes[index] < 0x80 ? (UInt32(self[index]), 1) : decode(at: index)
  }

  private func decode(at index: Int) -> (value: UInt32, length: Int) {
    let first = bytes[index]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + length <= count else { return (0xFFFD, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for next in index + 1..<index + length {
      guard bytes[next] & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | UInt32(bytes[next] & 0x3F)
    }
    return (value, length)
  }
}

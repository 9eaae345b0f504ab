import Foundation

/// A search for one substring in many texts (Knuth, Morris and Pratt).
struct SubstringSearch: Sendable {
  let part: [UInt8]
  /// For each number of matched bytes, the number of bytes that still match after a mismatch of the
  /// next byte.
  private let fallback: [Int32]

  /// - Complexity: O(`part`).
  init(_ part: [UInt8]) {
    self.part = part
    var fallback = [Int32](repeating: 0, count: part.count + 1)
    var matched = 0
    for index in part.indices.dropFirst() {
      while matched > 0, part[index] != part[matched] { matched = Int(fallback[matched]) }
      if part[index] == part[matched] { matched += 1 }
      fallback[index + 1] = Int32(truncatingIfNeeded: matched)
    }
    self.fallback = fallback
  }

  /// Whether a text contains the part, which must not be empty.
  ///
  /// - Complexity: O(`text`), mostly in `memchr` if the first byte of the part is rare.
  func isContained(in text: TextBytes) -> Bool { end(in: text, from: 0) != nil }

  /// The index after the first occurrence of the part at or after an index, or nil if there is
  /// none. The part must not be empty.
  ///
  /// - Complexity: O(`text`). See ``isContained(in:)``.
  func end(in text: TextBytes, from start: Int) -> Int? {
    part.withUnsafeBufferPointer { part in
      fallback.withUnsafeBufferPointer { fallback in
        var (matched, index) = (0, start)
        while part.count - matched <= text.count - index {
          if matched == 0, !text.lowers {
            guard let found = Self.first(part[0], in: text.bytes, from: index) else { return nil }
            index = found
          }
          let byte = text[index]
          while matched > 0, part[matched] != byte { matched = Int(fallback[matched]) }
          if part[matched] == byte { matched += 1 }
          index += 1
          if matched == part.count { return index }
        }
        return nil
      }
    }
  }

  private static func first(
    _ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    return memchr(base + start, Int32(byte), bytes.count - start).map {
      UnsafeRawPointer($0) - base
    }
  }
}

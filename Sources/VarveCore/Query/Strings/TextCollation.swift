import VarveEncoding

/// How sorts compare strings.
///
/// Thread safety: a value.
package struct TextCollation: Sendable, Hashable {
  private enum Level: Sendable, Hashable { case bytes, unicode, caseless }

  private let level: Level

  /// By UTF-8 bytes, as strings compare everywhere else.
  package static let bytes = TextCollation(level: .bytes)
  /// By letters; among equal letters by diacritics, none of them first; among these by bytes, which is by case.
  /// These are the levels of the Unicode collation algorithm without its table of weights or a language's rules:
  /// letters stand in the order of their scalars, as folded. Only the same bytes tie.
  package static let unicode = TextCollation(level: .unicode)
  /// By letters and diacritics; strings that differ only in case tie.
  package static let caseless = TextCollation(level: .caseless)

  /// Compares two strings.
  ///
  /// - Parameters:
  ///   - a: One string.
  ///   - b: The other one.
  /// - Returns: Their order, never `unordered`: that of their keys.
  /// - Complexity: O(the strings). Nothing is allocated where both are ASCII.
  package func compare(_ a: String, _ b: String) -> ValueOrdering {
    if level == .bytes { return Value.compareBytes(a.utf8, b.utf8) }
    if let order = asciiOrder(a, b) { return order }
    return Value.compareBytes(key(a), key(b))
  }

  /// Bytes whose order is that of the strings: sorts make the key of each string once.
  ///
  /// - Parameter string: Any string.
  /// - Returns: The key, of up to about three times the string's size.
  /// - Complexity: O(`string`).
  package func key(_ string: String) -> [UInt8] {
    switch level {
    case .bytes: return Array(string.utf8)
    case .caseless: return Array(TextFolding.caseless.fold(string).utf8)
    case .unicode: break
    }
    let letters = TextFolding([.caseless, .diacriticless]).fold(string)
    let marked = TextFolding.caseless.fold(string)
    var key: [UInt8] = []
    key.reserveCapacity(letters.utf8.count + string.utf8.count + 2)
    Self.append(letters, to: &key)
    // Empty, and so first, where nothing is marked; in the key of ASCII that also saves a third.
    Self.append(marked == letters ? "" : marked, to: &key)
    key.append(contentsOf: string.utf8)
    return key
  }

  /// Appends the bytes of a level and its end, which is less than any byte: no byte of UTF-8 is 0xFF, so that
  /// each has room for one more.
  private static func append(_ level: String, to key: inout [UInt8]) {
    for byte in level.utf8 { key.append(byte + 1) }
    key.append(0)
  }

  /// The order of two strings that are both ASCII; nil for others.
  private func asciiOrder(_ a: String, _ b: String) -> ValueOrdering? {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let first = TextBytes(UnsafeRawBufferPointer(a), lowers: true)
        let second = TextBytes(UnsafeRawBufferPointer(b), lowers: true)
        guard first.isASCII, second.isASCII else { return nil }
        for index in 0..<min(a.count, b.count) where first[index] != second[index] {
          return ValueOrdering(first[index], second[index])
        }
        let order = ValueOrdering(a.count, b.count)
        return order == .equal && level == .unicode ? Value.compareBytes(a, b) : order
      }
    }
  }
}

/// The order of strings in a sort.
package enum TextCollation: Sendable, Hashable {
  /// By UTF-8 bytes, like all other comparisons of strings.
  case bytes
  /// By letters, then by diacritics (none first), then by bytes, which orders by case. These are
  /// the levels of the Unicode collation algorithm, without its weight table and without language
  /// rules: letters are in the order of their folded scalars. Only strings with the same bytes are
  /// equal.
  case unicode
  /// By letters and diacritics. Strings that differ only in case are equal.
  case caseless

  /// The sort key of a string. The bytes of keys have the order of the strings, so a sort computes
  /// the key of each string once.
  ///
  /// - Returns: The key, of up to about three times the size of the string.
  /// - Complexity: O(`string`).
  package func key(_ string: String) -> [UInt8] {
    switch self {
    case .bytes: return Array(string.utf8)
    case .caseless: return Array(TextFolding.caseless.fold(string).utf8)
    case .unicode: break
    }
    let letters = TextFolding([.caseless, .diacriticless]).fold(string)
    let marked = TextFolding.caseless.fold(string)
    var key: [UInt8] = []
    key.reserveCapacity(letters.utf8.count + string.utf8.count + 2)
    Self.append(letters, to: &key)
    // Empty, and therefore first, if the string has no diacritics. This also shortens the keys of
    // ASCII strings by a third.
    Self.append(marked == letters ? "" : marked, to: &key)
    key.append(contentsOf: string.utf8)
    return key
  }

  /// Appends the bytes of a level and a terminator that is less than any of them. No byte of UTF-8
  /// is 0xFF, so every byte can be incremented.
  private static func append(_ level: String, to key: inout [UInt8]) {
    for byte in level.utf8 { key.append(byte + 1) }
    key.append(0)
  }
}

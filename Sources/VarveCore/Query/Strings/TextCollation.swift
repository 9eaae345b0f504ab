/// How sorts compare strings.
///
/// Thread safety: a value.
package enum TextCollation: Sendable, Hashable {
  /// By UTF-8 bytes, as strings compare everywhere else.
  case bytes
  /// By letters; among equal letters by diacritics, none of them first; among these by bytes, which is by case.
  /// These are the levels of the Unicode collation algorithm without its table of weights or a language's rules:
  /// letters stand in the order of their scalars, as folded. Only the same bytes tie.
  case unicode
  /// By letters and diacritics; strings that differ only in case tie.
  case caseless

  /// Bytes whose order is that of the strings: sorts make the key of each string once.
  ///
  /// - Parameter string: Any string.
  /// - Returns: The key, of up to about three times the string's size.
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
}

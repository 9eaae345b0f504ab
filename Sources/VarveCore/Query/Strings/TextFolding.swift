/// What a comparison of strings leaves out of account: `[c]` and `[d]` of predicates.
///
/// Strings are equal under a folding where their folded forms have the same bytes. With no option the
/// folded form is the string itself, so that canonical equivalents (é of one scalar and é of two) differ,
/// as everywhere else; with any option they are equal.
///
/// Thread safety: a value.
package struct TextFolding: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Case is left out: Unicode's full default case folding, of no locale. `Straße` is `STRASSE`, and the
  /// three sigmas are one letter; `İ` is `i` with a dot above, and `ı` only itself.
  package static let caseless = TextFolding(rawValue: 1)
  /// Nonspacing marks (category Mn) of the canonical decomposition are left out: é is e, and が is か. ø
  /// stays ø, because Unicode does not decompose it.
  package static let diacriticless = TextFolding(rawValue: 2)

  /// The folded form of a string, in normal form C: a Hangul syllable is one scalar again after folding, so
  /// that 하 is no part of 한, nor e one of é unless diacritics are left out.
  ///
  /// Folding a folded form changes nothing.
  ///
  /// - Parameter string: Any string.
  /// - Returns: The folded form; the string itself, not a copy, where it is ASCII and nothing changes.
  /// - Complexity: O(`string`).
  package func fold(_ string: String) -> String {
    if isEmpty { return string }
    var text = string
    let folded: String? = text.withUTF8 { utf8 in
      let text = TextBytes(UnsafeRawBufferPointer(utf8), lowers: contains(.caseless))
      guard text.isASCII else { return self.folded(TextBytes(text.bytes)) }
      return text.changes ? text.lowered() : nil
    }
    return folded ?? string
  }
}

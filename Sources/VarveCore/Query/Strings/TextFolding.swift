/// The differences that a comparison of strings ignores: the options `[c]` and `[d]` of predicates.
///
/// Strings are equal under a folding if their folded forms have the same bytes. Without an option,
/// the folded form is the string itself, so canonical equivalents (é as one scalar and é as two
/// scalars) differ, as in all other comparisons. With any option, they are equal.
package struct TextFolding: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores nothing. An empty literal would be made by unspecialized code of `SetAlgebra`, 800
  /// instructions a query.
  package static var exact: TextFolding { TextFolding(rawValue: 0) }
  /// Ignores case, with Unicode's full default case folding, independent of locale. `Straße` equals
  /// `STRASSE`, and the three sigmas are equal. `İ` equals `i` with a dot above, and `ı` equals
  /// only itself.
  package static let caseless = TextFolding(rawValue: 1)
  /// Ignores nonspacing marks (category Mn) of the canonical decomposition: é equals e, and が
  /// equals か. ø differs from o, because Unicode does not decompose it.
  package static let diacriticless = TextFolding(rawValue: 2)

  /// The folded form of a string, in normalization form C. A Hangul syllable is a single scalar
  /// again after folding, so 한 does not contain 하, and é contains e only if diacritics are ignored.
  ///
  /// Folding is idempotent.
  ///
  /// - Returns: The folded form, or the string itself, without a copy, if it is ASCII and
  ///   unchanged.
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

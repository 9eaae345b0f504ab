extension TextFolding {
  /// A scalar that differs from its folded form.
  struct Change: Sendable {
    let scalar: UInt32
    /// The folded form, which is a single scalar too.
    let folded: UInt32
  }

  /// The scalars whose folded form is another single scalar. Used by the character classes of
  /// patterns.
  ///
  /// - Complexity: The first access folds about 30,000 scalars, later accesses are O(1).
  var changes: [Change] {
    switch self {
    case []: []
    case .caseless: Self.caselessChanges
    case .diacriticless: Self.diacriticlessChanges
    default: Self.allChanges
    }
  }

  private static let caselessChanges = makeChanges(.caseless)
  private static let diacriticlessChanges = makeChanges(.diacriticless)
  private static let allChanges = makeChanges([.caseless, .diacriticless])

  /// All blocks with case mappings or canonical decompositions, except Hangul syllables, which fold
  /// to themselves.
  private static let blocks: [Range<UInt32>] = [
    0x20..<0x3400, 0xA640..<0xAC00, 0xF900..<0x12000, 0x16000..<0x17000, 0x1D100..<0x1D200,
    0x1E800..<0x1EA00, 0x2F800..<0x2FA20,
  ]

  /// Folds all scalars in one text, separated by line feeds, which do not compose with any scalar.
  private static func makeChanges(_ folding: TextFolding) -> [Change] {
    var text = String.UnicodeScalarView()
    var scalars: [UInt32] = []
    for value in blocks.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      scalars.append(value)
      text.append(scalar)
      text.append("\n")
    }
    let folded = folding.foldedInFull(String(text)).unicodeScalars
    var changes: [Change] = []
    for (value, form) in zip(
      scalars, folded.split(separator: "\n", omittingEmptySubsequences: false))
    {
      if let only = form.first, form.count == 1, only.value != value {
        changes.append(Change(scalar: value, folded: only.value))
      }
    }
    return changes
  }
}

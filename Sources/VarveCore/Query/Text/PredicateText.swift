/// The text of a predicate, read by scalars, so that a quote before a combining mark is recognized.
struct PredicateText: Sendable {
  let scalars: [Unicode.Scalar]
  /// For each scalar, the index of its character, followed by the number of characters. Nil if
  /// every scalar is one character.
  private let characters: [UInt32]?

  /// - Complexity: O(bytes).
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    guard text.utf8.contains(where: { $0 >= 0x80 || $0 == 0x0D }) else {
      characters = nil
      return
    }
    var characters: [UInt32] = []
    characters.reserveCapacity(scalars.count + 1)
    var count: UInt32 = 0
    for character in text {
      for _ in character.unicodeScalars { characters.append(count) }
      count += 1
    }
    characters.append(count)
    self.characters = characters
  }

  /// The index of the character that a scalar belongs to.
  func position(_ index: Int) -> Int {
    characters.map { Int($0[min(index, $0.count - 1)]) } ?? index
  }

  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }

  var isHexDigit: Bool {
    isDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self)
  }

  private var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

  var isQuote: Bool { self == "'" || self == "\"" }

  var isSpace: Bool {
    isASCII ? self == " " || (9...13).contains(value) : properties.isWhitespace
  }

  /// Whether a name can begin with the scalar.
  var isNameStart: Bool {
    if isASCII { return self == "_" || isLetter }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber, .otherNumber, .otherSymbol, .mathSymbol, .modifierSymbol, .currencySymbol,
      .privateUse:
      true
    default: false
    }
  }

  /// Whether a name can continue with the scalar.
  var isNamePart: Bool {
    if isASCII { return isNameStart || isDigit || self == "$" }
    if isNameStart { return true }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation,
      .format:
      true
    default: false
    }
  }
}

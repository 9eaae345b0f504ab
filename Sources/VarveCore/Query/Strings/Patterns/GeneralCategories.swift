/// Unicode's general categories by their short names, as bits of a mask.
enum GeneralCategories {
  /// The names in bit order.
  private static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  static let all: UInt32 = 1 << UInt32(names.count) - 1
  static let digit = mask(named: "Nd") ?? 0
  static let separators = mask(named: "Z") ?? 0
  static let wordParts = ["M", "Nd", "Pc"].reduce(0) { $0 | (mask(named: $1) ?? 0) }

  /// The mask of a category such as `Lu`, of a group such as `L`, or of `LC`, the letters with
  /// case. Nil for other names.
  static func mask(named name: String) -> UInt32? {
    if name == "LC" || name == "L&" { return 0b111 }
    var mask: UInt32 = 0
    for (bit, category) in names.enumerated()
    where category == name || name.unicodeScalars.count == 1 && category.hasPrefix(name) {
      mask |= 1 << UInt32(bit)
    }
    return mask == 0 ? nil : mask
  }

  static func contains(_ value: UInt32, _ mask: UInt32) -> Bool {
    guard mask != 0, let scalar = Unicode.Scalar(value) else { return false }
    return mask >> bit(of: scalar.properties.generalCategory) & 1 != 0
  }

  private static func bit(of category: Unicode.GeneralCategory) -> UInt32 {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .surrogate: 27
    case .privateUse: 28
    case .unassigned: 29
    @unknown default: 29
    }
  }
}

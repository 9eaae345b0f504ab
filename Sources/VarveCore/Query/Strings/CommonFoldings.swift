/// The folded forms of common scalars for one ``TextFolding``: European letters without combining
/// marks. A text that consists only of these is folded scalar by scalar, without normalization,
/// because none of them composes with its neighbors.
struct CommonFoldings: Sendable {
  /// The folded form of each scalar: its bytes, starting with the lowest byte of the word, and
  /// their number in the highest byte. The word is 0 for a scalar that is not common.
  private let foldings: [UInt64]

  private static let limit: UInt32 = 0x530
  /// The maximum number of bytes of the folded form of a common scalar. The longest form is ʼn.
  private static let maximumLength = 4
  private static let caseless = CommonFoldings(.caseless)
  private static let diacriticless = CommonFoldings(.diacriticless)
  private static let both = CommonFoldings([.caseless, .diacriticless])

  static func of(_ folding: TextFolding) -> CommonFoldings {
    switch folding {
    case .caseless: caseless
    case .diacriticless: diacriticless
    default: both
    }
  }

  private init(_ folding: TextFolding) {
    foldings = (0..<Self.limit).map { value in
      guard let scalar = Unicode.Scalar(value) else { return 0 }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .spacingMark, .unassigned: return 0
      default: return Self.word(folding.foldedInFull(String(scalar)))
      }
    }
  }

  private static func word(_ folded: String) -> UInt64 {
    guard folded.utf8.count <= maximumLength else { return 0 }
    var word = UInt64(folded.utf8.count) << 56
    for (index, byte) in folded.utf8.enumerated() { word |= UInt64(byte) << UInt64(8 * index) }
    return word
  }

  /// The folded form of a text, or nil if the text contains a scalar that is not common.
  func fold(_ text: TextBytes) -> String? {
    var isCommon = true
    // The folded form of a one-byte scalar has one byte, that of a two-byte scalar at most
    // `maximumLength` bytes, and longer scalars fold to themselves.
    let folded = String(unsafeUninitializedCapacity: text.count * 2) { target in
      guard let count = fold(text, into: target) else {
        isCommon = false
        return 0
      }
      return count
    }
    return isCommon ? folded : nil
  }

  /// Writes the folded form and returns its number of bytes.
  private func fold(_ text: TextBytes, into target: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    var (index, count) = (0, 0)
    while index < text.count {
      let (value, length) = text.scalar(at: index)
      if value < Self.limit {
        let word = foldings[Int(value)]
        if word == 0 { return nil }
        for byte in 0..<word >> 56 {
          target.initializeElement(at: count, to: UInt8(truncatingIfNeeded: word >> (8 * byte)))
          count += 1
        }
      } else if Self.isUnchanged(value) {
        for byte in index..<index + length {
          target.initializeElement(at: count, to: text.bytes[byte])
          count += 1
        }
      } else {
        return nil
      }
      index += length
    }
    return count
  }

  /// Whether the scalar is its own folded form and composes only with scalars that are not common:
  /// dashes and quotes, ideographs, Hangul syllables, pictographs.
  private static func isUnchanged(_ value: UInt32) -> Bool {
    switch value {
    case 0x2010...0x2027, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1FAFF: true
    default: false
    }
  }
}

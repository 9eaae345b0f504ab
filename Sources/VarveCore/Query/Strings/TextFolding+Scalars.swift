import Foundation

extension TextFolding {
  /// The folded form of a text that is not ASCII. Bytes that are not valid UTF-8 are replaced.
  func folded(_ text: TextBytes) -> String {
    CommonFoldings.of(self).fold(text) ?? foldedInFull(String(decoding: text.bytes, as: UTF8.self))
  }

  /// NFC(fold(NFD(string))): Unicode's definition D145 of caseless matching, composed.
  func foldedInFull(_ string: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in string.decomposedStringWithCanonicalMapping.unicodeScalars {
      append(scalar, to: &folded)
    }
    return String(folded).precomposedStringWithCanonicalMapping
  }

  private func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
    if isDropped(scalar) { return }
    guard contains(.caseless), scalar.properties.changesWhenCaseFolded else {
      folded.append(scalar)
      return
    }
    for scalar in TextFolding.caseFolded(scalar).unicodeScalars where !isDropped(scalar) {
      folded.append(scalar)
    }
  }

  private func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    contains(.diacriticless) && scalar.properties.generalCategory == .nonspacingMark
  }

  /// The full case folding of a decomposed scalar that differs from it. The standard library
  /// provides only case mappings, so the folding is computed as the lower case of the upper case of
  /// the lower case (ẞ has no upper case but itself). Cherokee is the only script that folds to
  /// upper case.
  private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x13F8...0x13FD, 0xAB70...0xABBF: return scalar.properties.uppercaseMapping
    default: break
    }
    var folded = ""
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        folded += upper.properties.lowercaseMapping
      }
    }
    return folded
  }
}

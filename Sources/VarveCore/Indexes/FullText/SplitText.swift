import Foundation
import VarveEncoding

/// The folded words of a text, in its order.
struct SplitText {
  /// The words, one after another.
  private(set) var bytes: [UInt8] = []
  /// The end of each word.
  private(set) var ends: [Int] = []

  /// The number of bytes after which words are ignored. Only a text of more than 100 MB whose
  /// letters have long compatibility mappings has more.
  private static let maximumBytes = 1 << 31

  init(_ text: String) {
    var text = text
    let isASCII = text.withUTF8 { utf8 in
      let utf8 = UnsafeRawBufferPointer(utf8)
      guard UTF8Text.isASCII(utf8) else { return false }
      bytes = [UInt8](unsafeUninitializedCapacity: utf8.count) { buffer, count in
        count = Self.split(ascii: utf8, into: buffer, &ends)
      }
      return true
    }
    if !isASCII { split(text) }
  }

  /// Writes the words of an ASCII text.
  ///
  /// - Returns: The number of bytes.
  private static func split(
    ascii text: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ ends: inout [Int]
  ) -> Int {
    var start = 0
    var end = 0
    ends.reserveCapacity(text.count / 6)
    for byte in text {
      let lower = byte | 0x20
      if lower &- UInt8(ascii: "a") < 26 {
        buffer[end] = lower
        end += 1
      } else if byte &- UInt8(ascii: "0") < 10 {
        buffer[end] = byte
        end += 1
      } else if end > start {
        start = min(end, start + WordRange.maximumBytes)
        end = start
        ends.append(end)
      }
    }
    if end > start {
      end = min(end, start + WordRange.maximumBytes)
      ends.append(end)
    }
    return end
  }

  private mutating func split(_ text: String) {
    for scalar in Self.folded(text).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
        // Lowercasing maps a final sigma to ς. Words always contain σ.
        bytes.append(contentsOf: (scalar == "ς" ? "σ" : scalar).utf8)
      default:
        endWord()
        if bytes.count > Self.maximumBytes { return }
      }
    }
    endWord()
  }

  /// Ends the last word, and truncates it at a character boundary.
  private mutating func endWord() {
    let start = ends.last ?? 0
    guard bytes.count > start else { return }
    if bytes.count - start > WordRange.maximumBytes {
      var end = start + WordRange.maximumBytes
      while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeSubrange(end...)
    }
    ends.append(bytes.count)
  }

  /// The text in lower case, with marks separated from their letters.
  private static func folded(_ text: String) -> String {
    text.lowercased().decomposedStringWithCompatibilityMapping.lowercased()
      .decomposedStringWithCanonicalMapping
  }

  /// Whether a word is the term, or begins with it.
  func contains(_ term: FullTextQuery.Term) -> Bool {
    let length = term.word.count
    return bytes.withUnsafeBytes { bytes in
      term.word.withUnsafeBytes { word in
        var start = 0
        for end in ends {
          if term.isPrefix ? end - start >= length : end - start == length,
            ByteOrder.hasPrefix(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), word)
          {
            return true
          }
          start = end
        }
        return false
      }
    }
  }
}

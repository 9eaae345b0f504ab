import Foundation
import VarveEncoding

/// The words of texts, and what of them a query asks for.
///
/// A word is a run of letters and digits; marks that combine with them are left out. Case and diacritics do not matter:
/// `Café` has the word `cafe`. Of a word with more than 64 bytes the first 64 count.
///
/// The words of stored texts stand in full-text indexes. What a letter is, and what its lower case, follows the Unicode
/// tables of the Swift standard library.
package enum FullText {
  /// The longest word, in bytes of UTF-8.
  static let maximumWordBytes = 64

  /// Whether a text satisfies a query; as a full-text index answers it.
  ///
  /// - Complexity: O(length of both).
  package static func matches(_ text: String, _ query: FullTextQuery) -> Bool {
    query.isSatisfied(by: words(of: text))
  }

  /// The words of a text, and how often each stands in it.
  ///
  /// - Complexity: O(length).
  package static func words(of text: String) -> [String: UInt32] {
    var counts: [String: UInt32] = [:]
    forEachWord(of: text) { counts[$0, default: 0] &+= 1 }
    return counts
  }

  /// The words of a value; none of one that is no string.
  static func words(of value: Value) -> [String: UInt32] {
    if case .string(let text) = value { words(of: text) } else { [:] }
  }

  /// Calls a closure with each word, folded, in the order of the text.
  static func forEachWord(of text: String, _ body: (String) -> Void) {
    var bytes: [UInt8] = []
    func end() {
      guard !bytes.isEmpty else { return }
      body(String(decoding: bytes.prefix(wordEnd(bytes)), as: UTF8.self))
      bytes.removeAll(keepingCapacity: true)
    }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          bytes.append(byte)
        default: end()
        }
      }
      return end()
    }
    for scalar in folded(text).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
        // Lower case depends on what follows a sigma, as far as a language is concerned; words do not.
        bytes.append(contentsOf: String(Character(scalar == "ς" ? "σ" : scalar)).utf8)
      default: end()
      }
    }
    end()
  }

  /// A text in lower case, with marks apart from their letters.
  private static func folded(_ text: String) -> String {
    text.lowercased().decomposedStringWithCompatibilityMapping.lowercased()
      .decomposedStringWithCanonicalMapping
  }

  /// Where a word is cut: not inside a character's bytes.
  private static func wordEnd(_ bytes: [UInt8]) -> Int {
    guard bytes.count > maximumWordBytes else { return bytes.count }
    var end = maximumWordBytes
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}

/// What a full-text query asks for: its words, all of which a text must have.
///
/// The parts of a query stand apart by white space. A part that begins with `-` asks for texts without its words, one
/// that ends with `*` for words that begin so. A part of several words, such as `e-mail`, asks for each of them. A query
/// without a word to have is satisfied by no text.
///
/// Thread safety: an immutable value.
package struct FullTextQuery: Sendable, Hashable {
  /// A word, or the beginning of words.
  package struct Term: Sendable, Hashable {
    package let word: String
    package let isPrefix: Bool

    /// How often words of the term stand in a text.
    func count(in words: [String: UInt32]) -> Int {
      guard isPrefix else { return Int(words[word] ?? 0) }
      var count = 0
      for (other, times) in words where other.utf8.starts(with: word.utf8) { count += Int(times) }
      return count
    }
  }

  package let included: [Term]
  package let excluded: [Term]

  /// Takes a query apart; every text is one.
  package init(_ text: String) {
    var included: [Term] = []
    var excluded: [Term] = []
    for part in text.split(whereSeparator: \.isWhitespace) {
      let isExcluded = part.hasPrefix("-")
      var words: [String] = []
      FullText.forEachWord(of: String(part)) { words.append($0) }
      for (place, word) in words.enumerated() {
        let term = Term(word: word, isPrefix: part.hasSuffix("*") && place == words.count - 1)
        if isExcluded {
          if !excluded.contains(term) { excluded.append(term) }
        } else if !included.contains(term) {
          included.append(term)
        }
      }
    }
    self.included = included
    self.excluded = excluded
  }

  func isSatisfied(by words: [String: UInt32]) -> Bool {
    !included.isEmpty && included.allSatisfy { $0.count(in: words) > 0 }
      && !excluded.contains { $0.count(in: words) > 0 }
  }
}

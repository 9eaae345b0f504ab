import Foundation
import VarveEncoding

/// Splits texts into words, for full-text search.
///
/// A word is a sequence of letters and digits, without combining marks. Case and diacritics are
/// ignored: `Café` contains the word `cafe`. Words are truncated to 64 bytes.
///
/// Full-text indexes store the words of texts. Letters and their lower case are determined by the
/// Unicode tables of the Swift standard library.
package enum FullText {
  /// The maximum length of a word in UTF-8 bytes.
  static let maximumWordBytes = 64

  /// Whether a text matches a query. A full-text index returns the same result.
  ///
  /// - Complexity: O(length of both).
  package static func matches(_ text: String, _ query: FullTextQuery) -> Bool {
    query.isSatisfied(by: words(of: text))
  }

  /// The words of a text, with their numbers of occurrences.
  ///
  /// - Complexity: O(length).
  package static func words(of text: String) -> [String: UInt32] {
    var counts: [String: UInt32] = [:]
    forEachWord(of: text) { counts[$0, default: 0] &+= 1 }
    return counts
  }

  /// The words of a value. Empty if the value is not a string.
  static func words(of value: Value) -> [String: UInt32] {
    if case .string(let text) = value { words(of: text) } else { [:] }
  }

  /// Calls a closure with each folded word, in the order of the text.
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
        // Lowercasing maps a final sigma to ς. Words always contain σ.
        bytes.append(contentsOf: String(Character(scalar == "ς" ? "σ" : scalar)).utf8)
      default: end()
      }
    }
    end()
  }

  /// The text in lower case, with marks separated from their letters.
  private static func folded(_ text: String) -> String {
    text.lowercased().decomposedStringWithCompatibilityMapping.lowercased()
      .decomposedStringWithCanonicalMapping
  }

  /// The length to which a word is truncated, at a character boundary.
  private static func wordEnd(_ bytes: [UInt8]) -> Int {
    guard bytes.count > maximumWordBytes else { return bytes.count }
    var end = maximumWordBytes
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}

/// A full-text query: the words that a text must contain.
///
/// The terms of a query are separated by white space. A term that begins with `-` excludes texts
/// with its words. A term that ends with `*` matches words by prefix. A term of several words, such
/// as `e-mail`, requires each of them. A query without a required word matches no text.
package struct FullTextQuery: Sendable, Hashable {
  /// A word, or a prefix of words.
  package struct Term: Sendable, Hashable {
    package let word: String
    package let isPrefix: Bool

    /// The number of occurrences of the term in a text.
    func count(in words: [String: UInt32]) -> Int {
      guard isPrefix else { return Int(words[word] ?? 0) }
      var count = 0
      for (other, times) in words where other.utf8.starts(with: word.utf8) { count += Int(times) }
      return count
    }
  }

  package let included: [Term]
  package let excluded: [Term]

  /// Parses a query. Every text is a valid query.
  package init(_ text: String) {
    var included: [Term] = []
    var excluded: [Term] = []
    for part in text.split(whereSeparator: \.isWhitespace) {
      let isExcluded = part.hasPrefix("-")
      var words: [String] = []
      FullText.forEachWord(of: String(part)) { words.append($0) }
      for (index, word) in words.enumerated() {
        let term = Term(word: word, isPrefix: part.hasSuffix("*") && index == words.count - 1)
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

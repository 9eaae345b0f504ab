/// Cuts a predicate into words, values and signs.
struct PredicateLexer {
  struct Token: Equatable {
    enum Kind: Equatable {
      /// A name or a keyword.
      case word
      case integer(Int64)
      case double(Double)
      case string(String)
      case sign
      case end
    }
    var kind: Kind
    /// As it is written.
    var text: String
    /// In characters from 0.
    var position: Int
  }

  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}",
    ",",
    "[", "]", "%@", "%K",
  ].map(Array.init)

  private let characters: [Character]
  private var place = 0

  /// All tokens of a text; the last one is its end.
  ///
  /// - Throws: ``TextPredicateError`` for a character that begins nothing, a text without an end, a number out of range.
  /// - Complexity: O(characters).
  static func tokens(of text: String) throws(TextPredicateError) -> [Token] {
    var lexer = PredicateLexer(characters: Array(text))
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(characters: [Character]) { self.characters = characters }

  private mutating func next() throws(TextPredicateError) -> Token {
    while let character = peek(), character.isWhitespace { place += 1 }
    let start = place
    guard let first = peek() else { return Token(kind: .end, text: "", position: start) }
    if first == "'" || first == "\"" { return try string(first) }
    if first.isDigit || "+-.".contains(first) { return try number() }
    if first.isLetter || first == "_" {
      while let character = peek(), character.isNamePart { place += 1 }
      return Token(kind: .word, text: written(since: start), position: start)
    }
    for sign in Self.signs where characters[place...].starts(with: sign) {
      place += sign.count
      return Token(kind: .sign, text: String(sign), position: start)
    }
    throw TextPredicateError(message: "This sign has no meaning in a predicate.", position: start)
  }

  private func peek() -> Character? { place < characters.count ? characters[place] : nil }

  private func written(since start: Int) -> String { String(characters[start..<place]) }

  /// Digits, with a point and an exponent.
  private mutating func number() throws(TextPredicateError) -> Token {
    let start = place
    repeat { place += 1 } while peek()?.isNumberPart(after: characters[place - 1]) == true
    let text = written(since: start)
    func token(_ kind: Token.Kind) -> Token { Token(kind: kind, text: text, position: start) }
    if let integer = Int64(text) { return token(.integer(integer)) }
    if text.contains(where: \.isDigit), let double = Double(text), double.isFinite {
      return token(.double(double))
    }
    throw TextPredicateError(
      message: "This is no number, or none that can be stored.", position: start)
  }

  /// A text in quotes, in which a backslash stands before a quote, a backslash, `n`, `r` or `t`.
  private mutating func string(_ quote: Character) throws(TextPredicateError) -> Token {
    let start = place
    var text = ""
    place += 1
    while let character = peek() {
      place += 1
      if character == quote {
        return Token(kind: .string(text), text: written(since: start), position: start)
      }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      switch peek() {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case let escaped? where "\\'\"".contains(escaped): text.append(escaped)
      default:
        throw TextPredicateError(
          message: "A backslash stands before a quote, a backslash, n, r or t.", position: place - 1
        )
      }
      place += 1
    }
    throw TextPredicateError(
      message: "The text that begins here has no closing quote.", position: start)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isNamePart: Bool { isLetter || isNumber || self == "_" || self == "." }

  fileprivate func isNumberPart(after previous: Character) -> Bool {
    isDigit || isLetter && isASCII || self == "." || "+-".contains(self) && "eE".contains(previous)
  }
}

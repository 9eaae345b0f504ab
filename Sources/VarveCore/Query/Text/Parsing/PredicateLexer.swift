import VarveEncoding

/// Splits a predicate into tokens: words, values and signs.
///
/// The lexer continues after an error, which is a token too.
struct PredicateLexer {
  typealias Token = PredicateToken

  private static let signs: Set<String> = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}",
    ",", "[", "]", ".", "+", "-", "*", "/",
  ]

  let text: PredicateText
  private(set) var place = 0
  /// Whether the previous token was a name or ends a name, so that a period continues the path.
  private var isAfterName = false

  init(_ text: PredicateText) { self.text = text }

  /// The next token. At the end of the text, always the `end` token.
  ///
  /// - Complexity: O(scalars of the token and of the space before it).
  mutating func next() -> Token {
    while let scalar = peek(), scalar.isSpace { place += 1 }
    let start = place
    var token = Token(kind: .end, range: start..<start)
    do throws(LexicalFault) {
      token.kind = try kind()
    } catch {
      token.kind = .fault(error.message)
      token.faultPlace = error.place ?? start
    }
    if place == start, token.kind != .end { place += 1 }
    token.range = start..<place
    if case .word(let word) = token.kind {
      token.keyword = PredicateKeyword(rawValue: word.lowercased())
    }
    isAfterName = token.endsName
    return token
  }

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    let place = place + offset
    return place < text.scalars.count ? text.scalars[place] : nil
  }

  mutating func skip(_ count: Int = 1) { place += count }

  /// Consumes a scalar, if it is the next one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    place += 1
    return true
  }

  /// Consumes scalars while a condition is true.
  mutating func take(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
    let start = place
    while let scalar = peek(), isIncluded(scalar) { place += 1 }
    return text.text(start..<place)
  }

  /// Parses the token at the current position and advances past it.
  private mutating func kind() throws(LexicalFault) -> Token.Kind {
    guard let first = peek() else { return .end }
    if first.isQuote { return .string(try string()) }
    if first.isDigit || first == "." && !isAfterName && peek(1)?.isDigit == true {
      return try number()
    }
    if first.isNameStart { return try word() }
    switch first {
    case "@": return .collectionWord(try marked("A keyword such as @count is expected here."))
    case "#": return try escapedName()
    case "$": return try variable()
    case "%": return try argument()
    default: break
    }
    if let second = peek(1) {
      let sign = String(first) + String(second)
      if Self.signs.contains(sign) {
        place += 2
        return .sign(sign)
      }
    }
    guard Self.signs.contains(String(first)) else {
      throw LexicalFault("This character is not allowed in a predicate.")
    }
    place += 1
    return .sign(String(first))
  }

  private mutating func word() throws(LexicalFault) -> Token.Kind {
    if first("T"), let date = try secondsAndNanoseconds() { return date }
    let word = take(while: \.isNamePart)
    if word == "B64", peek()?.isQuote == true { return try base64(try string()) }
    if let form = ValueForm(rawValue: word.lowercased()), let value = try value(in: form) {
      return value
    }
    return .word(word)
  }

  private func first(_ scalar: Unicode.Scalar) -> Bool { peek() == scalar }

  /// Parses a prefix character followed by a name.
  private mutating func marked(_ message: String) throws(LexicalFault) -> String {
    let start = place
    place += 1
    guard peek()?.isNameStart == true else { throw LexicalFault(message) }
    _ = take(while: \.isNamePart)
    return text.text(start..<place)
  }

  private mutating func escapedName() throws(LexicalFault) -> Token.Kind {
    place += 1
    if peek()?.isQuote == true { return .name(try string()) }
    guard peek()?.isNameStart == true else {
      throw LexicalFault("A name is expected after #.")
    }
    return .name(take(while: \.isNamePart))
  }

  private mutating func variable() throws(LexicalFault) -> Token.Kind {
    if peek(1)?.isDigit == true {
      place += 1
      return .argument(try argumentNumber())
    }
    if let letter = peek(1), letter == "K" || letter == "k", peek(2)?.isDigit == true {
      place += 2
      return .nameArgument(try argumentNumber())
    }
    return .variable(try marked("A number or a name is expected after $."))
  }

  private mutating func argumentNumber() throws(LexicalFault) -> Int {
    let digits = take(while: \.isDigit)
    guard let number = Int(digits), peek()?.isNamePart != true else {
      throw LexicalFault("This is not the number of an argument.")
    }
    return number
  }

  /// Parses a placeholder. C format specifiers such as `%d` are equivalent to `%@`.
  private mutating func argument() throws(LexicalFault) -> Token.Kind {
    place += 1
    if take("@") { return .argument(nil) }
    if take("K") { return .nameArgument(nil) }
    let start = place
    _ = take { "lqhz".unicodeScalars.contains($0) }
    if let letter = peek(), "diufgeFGEs".unicodeScalars.contains(letter) {
      place += 1
      if peek()?.isNamePart != true { return .argument(nil) }
    }
    place = start
    throw LexicalFault("Only the placeholders %@ and %K are supported.")
  }
}

/// A lexical error.
struct LexicalFault: Error {
  let message: String
  /// The position, or nil for the start of the token.
  let place: Int?

  init(_ message: String, at place: Int? = nil) {
    self.message = message
    self.place = place
  }
}

extension PredicateToken {
  fileprivate var endsName: Bool {
    switch kind {
    case .word, .name, .collectionWord, .variable, .nameArgument: true
    case .sign(let sign): sign == "]" || sign == ")"
    default: false
    }
  }
}

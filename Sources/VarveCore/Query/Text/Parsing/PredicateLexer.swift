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
  private(set) var position = 0
  /// Whether the previous token was a name or ends a name, so that a period continues the path.
  private var isAfterName = false

  init(_ text: PredicateText) { self.text = text }

  /// The next token. At the end of the text, always the `end` token.
  ///
  /// - Complexity: O(scalars of the token and of the space before it).
  mutating func next() -> Token {
    while let scalar = peek(), scalar.isSpace { position += 1 }
    let start = position
    var token = Token(kind: .end, range: start..<start)
    do throws(LexicalFault) {
      token.kind = try kind()
    } catch {
      token.kind = .fault(error.message)
      token.errorPosition = error.position ?? start
    }
    if position == start, token.kind != .end { position += 1 }
    token.range = start..<position
    if case .word(let word) = token.kind {
      token.keyword = PredicateKeyword(rawValue: word.lowercased())
    }
    isAfterName = token.endsName
    return token
  }

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    let position = position + offset
    return position < text.scalars.count ? text.scalars[position] : nil
  }

  mutating func skip(_ count: Int = 1) { position += count }

  /// Consumes a scalar, if it is the next one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  /// Consumes scalars while a condition is true.
  mutating func take(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = peek(), isIncluded(scalar) { position += 1 }
    return text.text(start..<position)
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
        position += 2
        return .sign(sign)
      }
    }
    guard Self.signs.contains(String(first)) else {
      throw LexicalFault("This character is not allowed in a predicate.")
    }
    position += 1
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
    let start = position
    position += 1
    guard peek()?.isNameStart == true else { throw LexicalFault(message) }
    _ = take(while: \.isNamePart)
    return text.text(start..<position)
  }

  private mutating func escapedName() throws(LexicalFault) -> Token.Kind {
    position += 1
    if peek()?.isQuote == true { return .name(try string()) }
    guard peek()?.isNameStart == true else {
      throw LexicalFault("A name is expected after #.")
    }
    return .name(take(while: \.isNamePart))
  }

  private mutating func variable() throws(LexicalFault) -> Token.Kind {
    if peek(1)?.isDigit == true {
      position += 1
      return .argument(try argumentNumber())
    }
    if let letter = peek(1), letter == "K" || letter == "k", peek(2)?.isDigit == true {
      position += 2
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
    position += 1
    if take("@") { return .argument(nil) }
    if take("K") { return .nameArgument(nil) }
    let start = position
    _ = take { "lqhz".unicodeScalars.contains($0) }
    if let letter = peek(), "diufgeFGEs".unicodeScalars.contains(letter) {
      position += 1
      if peek()?.isNamePart != true { return .argument(nil) }
    }
    position = start
    throw LexicalFault("Only the placeholders %@ and %K are supported.")
  }
}

/// A lexical error.
struct LexicalFault: Error {
  let message: String
  /// The position, or nil for the start of the token.
  let position: Int?

  init(_ message: String, at position: Int? = nil) {
    self.message = message
    self.position = position
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

/// Reads a predicate from its text.
package struct PredicateParser {
  /// How deep parentheses and `NOT` may be nested.
  package static let maximumDepth = 200

  private typealias Token = PredicateLexer.Token

  private let tokens: [Token]
  private let arguments: [TextPredicate.Literal.Content]
  private var place = 0
  /// How many arguments were taken.
  private var taken = 0
  private var depth = 0

  /// Reads a predicate.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arguments: What stands in the places of `%@` and `%K`, in their order.
  /// - Returns: The predicate.
  /// - Throws: ``TextPredicateError`` for what is no predicate, or none of this language, and for more or fewer arguments
  ///   than places.
  /// - Complexity: O(characters).
  package static func parse(
    _ text: String, _ arguments: [TextPredicate.Literal.Content] = []
  ) throws(TextPredicateError) -> TextPredicate {
    var parser = PredicateParser(tokens: try PredicateLexer.tokens(of: text), arguments)
    let predicate = try parser.alternatives()
    guard parser.token.kind == .end else {
      throw parser.unexpected("AND, OR or the end of the predicate is expected here.")
    }
    guard parser.taken == arguments.count else {
      throw parser.unexpected(
        "There are \(arguments.count) arguments for \(parser.taken) places.")
    }
    return predicate
  }

  private init(tokens: [Token], _ arguments: [TextPredicate.Literal.Content]) {
    self.tokens = tokens
    self.arguments = arguments
  }

  /// Takes the sign of an argument, and the argument.
  private mutating func argument() throws(TextPredicateError) -> TextPredicate.Literal.Content {
    guard taken < arguments.count else {
      throw unexpected("There are fewer arguments than places for them.")
    }
    place += 1
    taken += 1
    return arguments[taken - 1]
  }

  private var token: Token { tokens[place] }

  private func unexpected(_ message: String) -> TextPredicateError {
    TextPredicateError(message: message, position: token.position)
  }

  /// Takes a sign, or a keyword in whatever case.
  private mutating func take(_ choices: String...) -> Bool {
    let text = token.kind == .word ? token.text.uppercased() : token.text
    guard token.kind == .word || token.kind == .sign, choices.contains(text) else { return false }
    place += 1
    return true
  }

  private mutating func alternatives() throws(TextPredicateError) -> TextPredicate {
    var parts = [try conjunction()]
    while take("OR", "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(TextPredicateError) -> TextPredicate {
    var parts = [try primary()]
    while take("AND", "&&") { parts.append(try primary()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func primary() throws(TextPredicateError) -> TextPredicate {
    guard depth < Self.maximumDepth else {
      throw unexpected("Nothing may be nested deeper than \(Self.maximumDepth) levels.")
    }
    depth += 1
    defer { depth -= 1 }
    if take("NOT", "!") { return .not(try primary()) }
    if take("TRUEPREDICATE") { return .constant(true) }
    if take("FALSEPREDICATE") { return .constant(false) }
    if take("(") {
      let inner = try alternatives()
      guard take(")") else { throw unexpected("A closing parenthesis is expected here.") }
      return inner
    }
    return try comparison()
  }

  private mutating func comparison() throws(TextPredicateError) -> TextPredicate {
    if let literal = try takeLiteral() { return try reversed(literal) }
    let property = try name()
    if take("BETWEEN") {
      let bounds = try list()
      guard bounds.count == 2 else { throw unexpected("BETWEEN takes two values.") }
      return .all([
        .comparison(
          .init(property: property, operation: .greaterOrEqual, operand: .literal(bounds[0]))),
        .comparison(
          .init(property: property, operation: .lessOrEqual, operand: .literal(bounds[1]))),
      ])
    }
    let operation = try operation()
    let isCaseInsensitive = try option()
    let operand: TextPredicate.Operand =
      operation == .in ? .literals(try list()) : try operand()
    return .comparison(
      TextPredicate.Comparison(
        property: property, operation: operation, isCaseInsensitive: isCaseInsensitive,
        operand: operand))
  }

  /// A comparison that begins with the value.
  private mutating func reversed(_ literal: TextPredicate.Literal) throws(TextPredicateError)
    -> TextPredicate
  {
    let start = place
    let turned: TextPredicate.Operation? =
      switch try operation() {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .beginsWith, .endsWith, .contains, .in, .geoWithin: nil
      }
    guard let turned else {
      place = start
      throw unexpected("This comparison begins with the name of a property.")
    }
    let isCaseInsensitive = try option()
    return .comparison(
      TextPredicate.Comparison(
        property: try name(), operation: turned, isCaseInsensitive: isCaseInsensitive,
        operand: .literal(literal)))
  }

  private mutating func option() throws(TextPredicateError) -> Bool {
    guard take("[") else { return false }
    guard take("C"), take("]") else { throw unexpected("Of options only [c] is known.") }
    return true
  }

  private mutating func name() throws(TextPredicateError) -> TextPredicate.Name {
    let position = token.position
    if token.kind == .sign, token.text == "%K" {
      guard case .string(let text) = try argument() else {
        throw .argument("The argument of %K is a name.", position: position)
      }
      return TextPredicate.Name(text: text, position: position)
    }
    guard token.kind == .word, literal(of: token) == nil else {
      throw unexpected("The name of a property is expected here.")
    }
    let name = TextPredicate.Name(text: token.text, position: position)
    if ["ANY", "ALL", "NONE", "SOME", "SUBQUERY"].contains(name.text.uppercased()) {
      throw unexpected("Collections cannot be asked for yet.")
    }
    place += 1
    return name
  }

  private mutating func operation() throws(TextPredicateError) -> TextPredicate.Operation {
    if take("=", "==") { return .equal }
    if take("!=", "<>") { return .notEqual }
    if take("<") { return .less }
    if take("<=", "=<") { return .lessOrEqual }
    if take(">") { return .greater }
    if take(">=", "=>") { return .greaterOrEqual }
    if take("BEGINSWITH") { return .beginsWith }
    if take("ENDSWITH") { return .endsWith }
    if take("CONTAINS") { return .contains }
    if take("IN") { return .in }
    throw unexpected(
      "A comparison is expected here: = != < <= > >= BEGINSWITH ENDSWITH CONTAINS IN")
  }

  private mutating func operand() throws(TextPredicateError) -> TextPredicate.Operand {
    if let literal = try takeLiteral() { return .literal(literal) }
    guard token.kind == .word || token.text == "%K" else {
      throw unexpected("A value is expected here: a number, a text in quotes, TRUE, FALSE or NULL.")
    }
    return .property(try name())
  }

  private mutating func takeLiteral() throws(TextPredicateError) -> TextPredicate.Literal? {
    let position = token.position
    if token.kind == .sign, token.text == "%@" {
      return TextPredicate.Literal(content: try argument(), position: position)
    }
    guard let literal = literal(of: token) else { return nil }
    place += 1
    return literal
  }

  private mutating func list() throws(TextPredicateError) -> [TextPredicate.Literal] {
    let position = token.position
    if token.kind == .sign, token.text == "%@" {
      guard case .list(let contents) = try argument() else {
        throw .argument("The argument here is a sequence.", position: position)
      }
      return contents.map { TextPredicate.Literal(content: $0, position: position) }
    }
    guard take("{") else { throw unexpected("A list of values is expected here, such as {1, 2}.") }
    var literals: [TextPredicate.Literal] = []
    if take("}") { return literals }
    repeat {
      guard let literal = try takeLiteral() else { throw unexpected("A value is expected here.") }
      literals.append(literal)
    } while take(",")
    guard take("}") else { throw unexpected("A comma or a closing brace is expected here.") }
    return literals
  }

  private func literal(of token: Token) -> TextPredicate.Literal? {
    let content: TextPredicate.Literal.Content?
    switch token.kind {
    case .integer(let value): content = .int(value)
    case .double(let value): content = .double(value)
    case .string(let value): content = .string(value)
    case .word:
      content =
        switch token.text.uppercased() {
        case "TRUE", "YES": .bool(true)
        case "FALSE", "NO": .bool(false)
        case "NULL", "NIL": .null
        default: nil
        }
    case .sign, .end: content = nil
    }
    return content.map { TextPredicate.Literal(content: $0, position: token.position) }
  }
}

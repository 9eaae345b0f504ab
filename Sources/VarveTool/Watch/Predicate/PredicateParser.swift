import VarveCore

/// Reads a predicate from its text.
struct PredicateParser {
  /// How deep parentheses and `NOT` may be nested.
  static let maximumDepth = 200

  private typealias Token = PredicateLexer.Token

  private let tokens: [Token]
  private var place = 0
  private var depth = 0

  /// Reads a predicate.
  ///
  /// - Throws: ``PredicateError`` for what is no predicate, or none of this language.
  /// - Complexity: O(characters).
  static func parse(_ text: String) throws(PredicateError) -> Predicate {
    var parser = PredicateParser(tokens: try PredicateLexer.tokens(of: text))
    let predicate = try parser.alternatives()
    guard parser.token.kind == .end else {
      throw parser.unexpected("AND, OR or the end of the predicate is expected here.")
    }
    return predicate
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  private var token: Token { tokens[place] }

  private func unexpected(_ message: String) -> PredicateError {
    PredicateError(message: message, position: token.position)
  }

  /// Takes a sign, or a keyword in whatever case.
  private mutating func take(_ choices: String...) -> Bool {
    let text = token.kind == .word ? token.text.uppercased() : token.text
    guard token.kind == .word || token.kind == .sign, choices.contains(text) else { return false }
    place += 1
    return true
  }

  private mutating func alternatives() throws(PredicateError) -> Predicate {
    var parts = [try conjunction()]
    while take("OR", "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateError) -> Predicate {
    var parts = [try primary()]
    while take("AND", "&&") { parts.append(try primary()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func primary() throws(PredicateError) -> Predicate {
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
    return .comparison(try comparison())
  }

  private mutating func comparison() throws(PredicateError) -> Predicate.Comparison {
    guard token.kind == .word, literal(of: token) == nil else {
      throw unexpected("The name of a property is expected here.")
    }
    let property = try name()
    let operation = try operation()
    var comparison = Predicate.Comparison(
      property: property, operation: operation, operand: .literals([]))
    if take("[") {
      guard take("C"), take("]") else { throw unexpected("Of options only [c] is known.") }
      comparison.isCaseInsensitive = true
    }
    comparison.operand = operation == .in ? .literals(try list()) : try operand()
    return comparison
  }

  private mutating func name() throws(PredicateError) -> Predicate.Name {
    let name = Predicate.Name(text: token.text, position: token.position)
    if name.text.contains(".") || name.text.uppercased() == "SELF" {
      throw unexpected("Only properties of the object itself can be asked for, not paths.")
    }
    if ["ANY", "ALL", "NONE", "SOME", "SUBQUERY"].contains(name.text.uppercased()) {
      throw unexpected("Collections cannot be asked for yet.")
    }
    place += 1
    return name
  }

  private mutating func operation() throws(PredicateError) -> Predicate.Operation {
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

  private mutating func operand() throws(PredicateError) -> Predicate.Operand {
    if let literal = literal(of: token) {
      place += 1
      return .literal(literal)
    }
    guard token.kind == .word else {
      throw unexpected("A value is expected here: a number, a text in quotes, TRUE, FALSE or NULL.")
    }
    return .property(try name())
  }

  private mutating func list() throws(PredicateError) -> [Predicate.Literal] {
    guard take("{") else { throw unexpected("A list of values is expected here, such as {1, 2}.") }
    var literals: [Predicate.Literal] = []
    if take("}") { return literals }
    repeat {
      guard let literal = literal(of: token) else { throw unexpected("A value is expected here.") }
      place += 1
      literals.append(literal)
    } while take(",")
    guard take("}") else { throw unexpected("A comma or a closing brace is expected here.") }
    return literals
  }

  private func literal(of token: Token) -> Predicate.Literal? {
    let content: Predicate.Literal.Content?
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
    return content.map { Predicate.Literal(content: $0, position: token.position) }
  }
}

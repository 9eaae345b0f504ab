import VarveEncoding

/// Parses values, and arithmetic of values and paths.
extension PredicateParser {
  private var arithmeticSign: (operation: QueryArithmetic, precedence: Int)? {
    guard case .sign(let sign) = token.kind, let operation = QueryArithmetic(rawValue: sign) else {
      return nil
    }
    return (operation, operation == .add || operation == .subtract ? 1 : 2)
  }

  /// Parses operands joined by operators of at least a given precedence.
  mutating func arithmetic(_ minimum: Int) throws(TextPredicateError) -> Node {
    var left = try operand()
    while let (operation, precedence) = arithmeticSign, precedence >= minimum {
      let sign = token
      advance()
      left = try joined(left, operation, try arithmetic(precedence + 1), at: sign)
    }
    return left
  }

  private func joined(
    _ left: Node, _ operation: QueryArithmetic, _ right: Node, at sign: Token
  ) throws(TextPredicateError) -> Node {
    switch (left, right) {
    case (.fault, _), (_, .fault): return .fault
    case (.value(let left), .value(let right)):
      let joined = TextPredicate.Expression(
        .arithmetic(operation, left, right), at: left.position)
      guard joined.depth <= QueryExpression.maximumDepth else {
        throw unexpected(
          "Arithmetic can be nested at most \(QueryExpression.maximumDepth) levels deep.", at: sign)
      }
      return .value(joined)
    case (.condition, _), (_, .condition):
      throw unexpected("Operands of arithmetic cannot be conditions.", at: sign)
    }
  }

  private mutating func operand() throws(TextPredicateError) -> Node {
    if token.isSign("(") { return try parenthesis() }
    if token.isSign("-") || token.isSign("+") { return try signed() }
    if token.isSign("{") {
      let position = position
      return .value(TextPredicate.Expression(.list(try list()), at: position))
    }
    if let literal = try literal() {
      return .value(TextPredicate.Expression(.literal(literal), at: literal.position))
    }
    switch token.keyword {
    case .truepredicate where !isNamed:
      advance()
      return .condition(.constant(true))
    case .falsepredicate where !isNamed:
      advance()
      return .condition(.constant(false))
    case .subquery where following.isSign("("): return .value(try subquery())
    default: break
    }
    let path = try path()
    return .value(TextPredicate.Expression(.path(path), at: path.position))
  }

  /// Whether a keyword begins a path, because a component follows it.
  private var isNamed: Bool { following.isSign(".") || following.isSign("[") }

  private mutating func parenthesis() throws(TextPredicateError) -> Node {
    try checkDepthOrStop()
    depth += 1
    defer { depth -= 1 }
    advance()
    let open = openCount
    let inner = node()
    if take(")") { return inner }
    record(unexpected("A closing parenthesis is expected here."))
    skip(outside: open) { _ in false }
    _ = take(")")
    return .fault
  }

  /// Parses a signed operand. A sign before a number belongs to the number; before any other
  /// operand, it is arithmetic.
  private mutating func signed() throws(TextPredicateError) -> Node {
    let position = position
    if let literal = try literal() {
      return .value(TextPredicate.Expression(.literal(literal), at: position))
    }
    try checkDepthOrStop()
    depth += 1
    defer { depth -= 1 }
    let sign = token
    advance()
    let zero = TextPredicate.Literal(content: .value(.int(0)), position: position)
    return try joined(
      .value(TextPredicate.Expression(.literal(zero), at: position)),
      sign.isSign("-") ? .subtract : .add, try operand(), at: sign)
  }

  /// Checks that one more level of nesting is allowed. Exceeding the maximum depth ends parsing.
  /// See ``checkDepth(_:)``.
  mutating func checkDepthOrStop() throws(TextPredicateError) {
    do throws(TextPredicateError) {
      try checkDepth(1)
    } catch {
      record(error)
      stop()
      throw error
    }
  }

  /// Parses a list of values in braces.
  mutating func list() throws(TextPredicateError) -> [TextPredicate.Literal] {
    advance()
    var literals: [TextPredicate.Literal] = []
    if take("}") { return literals }
    repeat {
      guard let literal = try literal() else {
        throw unexpected("A value is expected here: a number, a string in quotes, TRUE or NULL.")
      }
      guard literals.count < Self.maximumListCount else {
        throw unexpected("A list can have at most \(Self.maximumListCount) values.")
      }
      literals.append(literal)
    } while take(",")
    guard take("}") else { throw unexpected("A comma or a closing brace is expected here.") }
    return literals
  }

  /// Parses a literal, with an optional sign for a number. Returns nil without consuming input if
  /// there is none.
  mutating func literal() throws(TextPredicateError) -> TextPredicate.Literal? {
    let position = position
    let isNegative = token.isSign("-")
    let hasSign = isNegative || token.isSign("+")
    let content: Argument?
    var isArgument = false
    switch hasSign ? following.kind : token.kind {
    case .integer(let magnitude): content = Self.integer(magnitude, isNegative)
    case .double(let value, nil): content = .value(.double(isNegative ? -value : value))
    case .double(let value, let exact?):
      content = .number(isNegative ? -value : value, isNegative ? exact.negated : exact)
    case .word: content = hasSign ? Self.number(following, isNegative) : isNamed ? nil : constant
    case .string(let text): content = hasSign ? nil : .value(.string(text))
    case .value(let value): content = hasSign ? nil : .value(value)
    case .argument(let number) where !hasSign:
      content = try argument(number)
      isArgument = true
    default: content = nil
    }
    guard let content else { return nil }
    if hasSign { advance() }
    advance()
    return TextPredicate.Literal(content: content, position: position, isArgument: isArgument)
  }

  private static func integer(_ magnitude: UInt64, _ isNegative: Bool) -> Argument {
    if isNegative, magnitude <= Int64.min.magnitude {
      return .value(.int(Int64(truncatingIfNeeded: 0 &- magnitude)))
    }
    if !isNegative, let value = Int64(exactly: magnitude) { return .value(.int(value)) }
    let (value, exact) = (Double(magnitude), Decimal128Bits("\(magnitude)") ?? .nan)
    return .number(isNegative ? -value : value, isNegative ? exact.negated : exact)
  }

  /// The value of a keyword.
  private var constant: Argument? {
    switch token.keyword {
    case .true, .yes: .value(.bool(true))
    case .false, .no: .value(.bool(false))
    case .null, .nil: .value(.null)
    default: Self.number(token, false)
    }
  }

  /// The value of a keyword for infinity or NaN.
  private static func number(_ token: Token, _ isNegative: Bool) -> Argument? {
    switch token.keyword {
    case .inf, .infinity: .value(.double(isNegative ? -.infinity : .infinity))
    case .nan: .value(.double(.nan))
    default: nil
    }
  }
}

/// Parses the operands of `AND` and `OR`. A parenthesis may contain a condition or a value, which
/// is only known after its content has been parsed.
extension PredicateParser {
  enum Node {
    case condition(TextPredicate)
    case value(TextPredicate.Expression)
    /// An expression with a recorded error.
    case fault
  }

  /// Parses conditions joined by `AND` and `OR`, or a single value.
  mutating func node() -> Node {
    let first = recoveringUnit()
    guard isJoin else { return first }
    // The alternatives, each with its conjuncts.
    var alternatives = [[predicate(first)]]
    while isJoin {
      let isOr = token.keyword == .or || token.isSign("||")
      advance()
      let next = predicate(recoveringUnit())
      if isOr {
        alternatives.append([next])
      } else {
        alternatives[alternatives.count - 1].append(next)
      }
    }
    let parts = alternatives.map { $0.count == 1 ? $0[0] : TextPredicate.all($0) }
    return .condition(parts.count == 1 ? parts[0] : .any(parts))
  }

  /// Converts a node to a condition. Records an error for a value.
  mutating func predicate(_ node: Node) -> TextPredicate {
    switch node {
    case .condition(let condition): return condition
    case .fault: return .constant(true)
    case .value:
      record(
        unexpected(
          "A comparison is expected here: = != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS"
            + " LIKE MATCHES TEXT"))
      skip(outside: openCount) { $0.isJoin || $0.beginsSuffix }
      return .constant(true)
    }
  }

  private mutating func recoveringUnit() -> Node {
    let open = openCount
    do throws(TextPredicateError) {
      return try unit()
    } catch {
      record(error)
      skip(outside: open) { $0.isJoin || $0.beginsSuffix }
      return .fault
    }
  }

  /// Parses a comparison with optional `NOT`, or a value.
  private mutating func unit() throws(TextPredicateError) -> Node {
    var negations = 0
    while isNegation {
      negations += 1
      try checkDepth(negations)
      advance()
    }
    depth += negations
    defer { depth -= negations }
    let node = try comparison()
    guard negations > 0 else { return node }
    var condition = predicate(node)
    for _ in 0..<negations { condition = .not(condition) }
    return .condition(condition)
  }

  private var isNegation: Bool {
    token.isSign("!") || token.keyword == .not && following.beginsOperand
  }

  /// - Throws: An error that ends parsing, if the maximum depth is exceeded.
  func checkDepth(_ added: Int) throws(TextPredicateError) {
    guard depth + added <= Self.maximumDepth else {
      throw unexpected("A predicate can be nested at most \(Self.maximumDepth) levels deep.")
    }
  }

  private mutating func comparison() throws(TextPredicateError) -> Node {
    let left = try arithmetic(1)
    let sign = token
    guard let operation = comparisonOperation else { return left }
    advance()
    let optionPosition = position
    let folding = try option()
    let right = try arithmetic(1)
    switch (left, right) {
    case (.value(let left), .value(let right)):
      return .condition(
        .comparison(
          TextPredicate.Comparison(
            left: left, operation: operation, folding: folding, right: right,
            position: position(of: sign), optionPosition: optionPosition)))
    case (.condition(let left), .condition(let right)):
      guard operation == .equal || operation == .notEqual, folding.isEmpty else {
        throw unexpected("Conditions can only be compared with == and !=.", at: sign)
      }
      return .condition(operation == .equal ? .same(left, right) : .not(.same(left, right)))
    case (.fault, _), (_, .fault): return .fault
    case (.condition, .value), (.value, .condition):
      throw unexpected("A condition and a value cannot be compared.", at: sign)
    }
  }

  private var comparisonOperation: Condition.Operation? {
    if case .sign(let sign) = token.kind { return Self.signedOperations[sign] }
    return switch token.keyword {
    case .between: .between
    case .in: .in
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .contains: .contains
    case .like: .like
    case .matches: .matches
    case .text: .text
    case .geowithin: .geoWithin
    default: nil
    }
  }

  private static let signedOperations: [String: Condition.Operation] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  /// Parses `[c]`, `[d]` or both. `[n]` has no effect.
  private mutating func option() throws(TextPredicateError) -> TextFolding {
    guard take("[") else { return [] }
    guard case .word(let word) = token.kind else {
      throw unexpected("An option is expected here: c, d, cd or n.")
    }
    var folding: TextFolding = .exact
    for letter in word.lowercased() {
      switch letter {
      case "c": folding.insert(.caseless)
      case "d": folding.insert(.diacriticless)
      case "n": break
      default: throw unexpected("Only the options c, d, cd and n are supported.")
      }
    }
    advance()
    guard take("]") else { throw unexpected("A closing bracket is expected here.") }
    return folding
  }
}

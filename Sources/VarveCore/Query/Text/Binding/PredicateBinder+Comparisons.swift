import VarveEncoding

extension PredicateBinder {
  /// One side of a comparison.
  private enum Side {
    case operand(BoundOperand)
    case literal(TextPredicate.Literal)
    case list([TextPredicate.Literal], position: Int)

    var operand: BoundOperand? {
      if case .operand(let operand) = self { operand } else { nil }
    }
  }

  /// - Throws: An error if the two sides cannot be compared.
  mutating func comparison(
    _ comparison: TextPredicate.Comparison
  ) throws(TextPredicateError) -> Condition {
    let left = try side(comparison.left)
    let right = try side(comparison.right)
    do throws(TextPredicateError) {
      if let condition = try contents(comparison, left, right) { return condition }
      return .comparison(try bound(comparison, left, right))
    } catch {
      throw (left.operand ?? right.operand).map { error.naming($0) } ?? error
    }
  }

  private mutating func side(
    _ expression: TextPredicate.Expression
  ) throws(TextPredicateError) -> Side {
    switch expression.content {
    case .literal(let literal):
      guard case .list(let contents) = literal.content else { return .literal(literal) }
      guard contents.count <= PredicateParser.maximumArgumentCount else {
        throw TextPredicateError(
          message: "An argument can have at most \(PredicateParser.maximumArgumentCount) values.",
          position: literal.position)
      }
      let literals = contents.map {
        TextPredicate.Literal(
          content: $0, position: literal.position, isArgument: literal.isArgument)
      }
      return .list(literals, position: literal.position)
    case .list(let literals): return .list(literals, position: expression.position)
    case .path, .subquery, .arithmetic: return .operand(try operand(expression))
    }
  }

  private func bound(
    _ comparison: TextPredicate.Comparison, _ left: Side, _ right: Side
  ) throws(TextPredicateError) -> Condition.Comparison {
    switch (left, right) {
    case (.operand(let left), .operand(let right)):
      return try between(left, comparison, right)
    case (.operand(let left), .literal(let literal)):
      return try bound(left, comparison, literal)
    case (.operand(let left), .list(let literals, let position)):
      return try bound(left, comparison, literals, at: position)
    case (.literal(let literal), .operand(let right)):
      return try reversed(literal, comparison, right)
    case (.list(_, let position), _):
      throw TextPredicateError(
        message: "A list of values must follow IN or BETWEEN.", position: position)
    case (.literal, .literal), (.literal, .list):
      throw TextPredicateError(
        message: "One side of a comparison must be the name of a property.",
        position: comparison.left.position)
    }
  }

  // MARK: Lists and dictionaries in values of any type

  /// Binds a comparison of mixed values with an argument that is a list or a dictionary. Returns
  /// nil for any other comparison.
  private func contents(
    _ comparison: TextPredicate.Comparison, _ left: Side, _ right: Side
  ) throws(TextPredicateError) -> Condition? {
    guard comparison.operation == .equal || comparison.operation == .notEqual,
      let operand = left.operand ?? right.operand, operand.type == .mixed,
      case .path(let path) = operand.expression
    else { return nil }
    let contents: ConstantContents
    switch left.operand == nil ? left : right {
    case .literal(let literal):
      guard case .contents(let argument) = literal.content else { return nil }
      contents = argument
    case .list(let literals, _):
      guard literals.allSatisfy(\.isArgument) else { return nil }
      var elements: [ConstantContents] = []
      for literal in literals {
        if case .contents(let argument) = literal.content {
          elements.append(argument)
        } else {
          elements.append(.constant(try constant(of: literal, beside: operand)))
        }
      }
      contents = .list(elements)
    case .operand: return nil
    }
    return .comparison(
      of: path, with: contents, isEqual: comparison.operation == .equal,
      quantifier: operand.quantifier?.kind ?? .any)
  }

  // MARK: Two operands

  private func between(
    _ left: BoundOperand, _ comparison: TextPredicate.Comparison, _ right: BoundOperand
  ) throws(TextPredicateError) -> Condition.Comparison {
    switch comparison.operation {
    case .in:
      guard right.isMany else {
        throw right.error("IN takes values in braces, or a collection.")
      }
      return try joined(right, .equal, comparison, left)
    case .contains where left.isCollection && left.quantifier == nil:
      return try joined(left, .equal, comparison, right)
    case .between:
      throw right.error("BETWEEN takes two values in braces, such as {1, 5}.")
    case .like, .matches, .text:
      throw right.error("\(comparison.operation.rawValue) takes a string in quotes.")
    case .geoWithin: throw right.error("GEOWITHIN takes a region as its argument.")
    default: return try joined(left, comparison.operation, comparison, right)
    }
  }

  private func joined(
    _ left: BoundOperand, _ operation: Condition.Operation,
    _ comparison: TextPredicate.Comparison, _ right: BoundOperand
  ) throws(TextPredicateError) -> Condition.Comparison {
    try check(left, operation, comparison)
    try check(right, operation, comparison)
    guard left.kind.isComparable(with: right.kind), areOfOneClass(left, right) else {
      throw right.error(
        "The type \(left.typeName) cannot be compared with the type \(right.typeName).")
    }
    guard !left.isMany || !right.isMany else {
      throw right.error("Only one side of a comparison may have many values.")
    }
    return Condition.Comparison(
      left.expression, operation, right.expression,
      quantifier: (left.quantifier ?? right.quantifier)?.kind ?? .any, folding: comparison.folding)
  }

  private func areOfOneClass(_ left: BoundOperand, _ right: BoundOperand) -> Bool {
    guard let first = left.target, let second = right.target else { return true }
    return first.name == second.name
  }

  private func check(
    _ operand: BoundOperand, _ operation: Condition.Operation,
    _ comparison: TextPredicate.Comparison
  ) throws(TextPredicateError) {
    func unknown(_ option: String, _ position: Int) -> TextPredicateError {
      operand.error(
        "Properties of the type \(operand.typeName) do not support \(operation.rawValue)\(option).",
        at: position)
    }
    guard operand.kind.supports(operation) else { throw unknown("", comparison.position) }
    guard operand.kind.supports(operation, comparison.folding) else {
      throw unknown(comparison.folding.suffix, comparison.optionPosition)
    }
  }

  // MARK: An operand and a literal

  private func bound(
    _ left: BoundOperand, _ comparison: TextPredicate.Comparison, _ literal: TextPredicate.Literal
  ) throws(TextPredicateError) -> Condition.Comparison {
    var operation = comparison.operation
    switch operation {
    case .in: throw list(expectedAt: literal)
    case .between: throw list(expectedAt: literal)
    case .geoWithin: return try within(left, comparison, literal)
    case .contains where left.isCollection && left.quantifier == nil: operation = .equal
    default: break
    }
    try check(left, operation, comparison)
    let constant = try constant(of: literal, beside: left)
    try checkPattern(operation, constant, comparison.folding, literal)
    return Condition.Comparison(
      left.expression, operation, .constant(constant), quantifier: left.quantifier?.kind ?? .any,
      folding: comparison.folding)
  }

  private func list(expectedAt literal: TextPredicate.Literal) -> TextPredicateError {
    TextPredicateError(
      message: literal.isArgument
        ? "The argument must be a sequence." : "A list of values is expected here, such as {1, 2}.",
      position: literal.position)
  }

  private func within(
    _ left: BoundOperand, _ comparison: TextPredicate.Comparison, _ literal: TextPredicate.Literal
  ) throws(TextPredicateError) -> Condition.Comparison {
    try check(left, .geoWithin, comparison)
    guard case .path(let path) = left.expression, path.names != nil else {
      throw left.error("GEOWITHIN takes an object with a point.")
    }
    guard case .region(let region) = literal.content else {
      throw left.error("GEOWITHIN takes a region as its argument.", at: literal.position)
    }
    for name in ["type", "coordinates"] where left.target?.knownSlot(named: name) == nil {
      throw left.error("A point needs the properties type and coordinates, which this class lacks.")
    }
    return Condition.Comparison(
      .path(path), .geoWithin, .region(region))
  }

  private func bound(
    _ left: BoundOperand, _ comparison: TextPredicate.Comparison,
    _ literals: [TextPredicate.Literal], at position: Int
  ) throws(TextPredicateError) -> Condition.Comparison {
    let operation = comparison.operation
    guard operation == .in || operation == .between else {
      throw left.error("\(operation.rawValue) takes one value.", at: position)
    }
    guard operation == .in || literals.count == 2 else {
      throw left.error("BETWEEN takes two values.", at: position)
    }
    try check(left, operation, comparison)
    var constants: [Condition.Constant] = []
    constants.reserveCapacity(literals.count)
    for literal in literals { constants.append(try constant(of: literal, beside: left)) }
    return Condition.Comparison(
      left.expression, operation, .constants(constants), quantifier: left.quantifier?.kind ?? .any,
      folding: comparison.folding)
  }

  /// Binds a comparison whose left side is a literal. The operands are exchanged if an equivalent
  /// operation exists.
  private func reversed(
    _ literal: TextPredicate.Literal, _ comparison: TextPredicate.Comparison, _ right: BoundOperand
  ) throws(TextPredicateError) -> Condition.Comparison {
    var exchanged = comparison
    switch comparison.operation {
    case .in:
      guard right.isMany else {
        throw right.error("IN takes values in braces, or a collection.")
      }
      exchanged.operation = .equal
    case .beginsWith, .endsWith, .contains:
      try check(right, comparison.operation, comparison)
      return Condition.Comparison(
        .constant(try constant(of: literal, beside: right)), comparison.operation,
        right.expression, quantifier: right.quantifier?.kind ?? .any, folding: comparison.folding)
    default:
      guard let operation = comparison.operation.turned else {
        throw right.error(
          "\(comparison.operation.rawValue) must follow the name of a property.",
          at: comparison.position)
      }
      exchanged.operation = operation
    }
    return try bound(right, exchanged, literal)
  }

  private func constant(
    of literal: TextPredicate.Literal, beside operand: BoundOperand
  ) throws(TextPredicateError) -> Condition.Constant {
    if [.link, .mixed].contains(operand.type) {
      func check(_ className: String) throws(TextPredicateError) {
        guard operand.target == nil || operand.target?.name == className else {
          throw operand.error(
            "The type \(operand.typeName) cannot be compared with an object of the type"
              + " \(className).", at: literal.position)
        }
      }
      switch literal.content {
      case .object(let object):
        try check(object.className)
        return .object(object)
      case .unmanaged(let className):
        try check(className)
        return .value(ObjectReference.nowhere)
      default: break
      }
    }
    do throws(TextPredicateError) {
      return .value(try operand.kind.value(of: literal))
    } catch {
      var error = error
      error.message = "This value cannot be compared with the type \(operand.typeName)."
      throw error.naming(operand)
    }
  }

  /// Rejects an invalid pattern.
  private func checkPattern(
    _ operation: Condition.Operation, _ constant: Condition.Constant, _ folding: TextFolding,
    _ literal: TextPredicate.Literal
  ) throws(TextPredicateError) {
    guard operation == .like || operation == .matches || operation == .text else { return }
    guard case .value(.string(let pattern)) = constant else {
      throw TextPredicateError(
        message: "\(operation.rawValue) takes a string in quotes.", position: literal.position)
    }
    if operation == .text { return }
    do throws(TextTest.Fault) {
      _ = try TextTest(operation, pattern, folding: folding)
    } catch {
      throw TextPredicateError(
        message: error.message, position: literal.position,
        details: ["at character \(error.position + 1) of the pattern"])
    }
  }
}

extension TextPredicateError {
  /// The error with the class and property of an operand, if it has none.
  func naming(_ operand: BoundOperand) -> TextPredicateError {
    var error = self
    error.className = className ?? operand.className
    error.propertyName = propertyName ?? operand.propertyName
    return error
  }
}

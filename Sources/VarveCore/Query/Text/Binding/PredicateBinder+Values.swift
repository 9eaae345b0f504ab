import VarveEncoding

/// Binds arithmetic, and the suffixes of a predicate.
extension PredicateBinder {
  /// Binds an expression that is not a constant.
  mutating func operand(
    _ expression: TextPredicate.Expression
  ) throws(TextPredicateError) -> BoundOperand {
    switch expression.content {
    case .path(let path): return try operand(path)
    case .subquery(let subquery): return try operand(subquery, at: expression.position)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right, at: expression.position)
    case .literal(let literal): return try number(literal, beside: nil)
    case .list: throw Self.noNumber(at: expression.position)
    }
  }

  private static func noNumber(at position: Int) -> TextPredicateError {
    TextPredicateError(message: "Operands of arithmetic must be numbers.", position: position)
  }

  private mutating func arithmetic(
    _ operation: QueryArithmetic, _ left: TextPredicate.Expression,
    _ right: TextPredicate.Expression, at position: Int
  ) throws(TextPredicateError) -> BoundOperand {
    let first: BoundOperand
    let second: BoundOperand
    if case .literal(let literal) = left.content {
      second = try operand(right)
      first = try number(literal, beside: second)
    } else if case .literal(let literal) = right.content {
      first = try operand(left)
      second = try number(literal, beside: first)
    } else {
      first = try operand(left)
      second = try operand(right)
    }
    for side in [first, second] {
      guard side.type.mayBeNumber else {
        throw side.error("Operands of arithmetic must be numbers.")
      }
      guard !side.isMany else {
        throw side.error(
          "Operands of arithmetic must be single values, such as an @sum of many values.")
      }
    }
    var result = first.className == nil ? second : first
    result.expression = .arithmetic(operation, first.expression, second.expression)
    result.kind = PropertyKind(type: Self.type(first.type, second.type), isNullable: true)
    result.position = position
    return result
  }

  /// The result type of arithmetic on numbers of two types.
  private static func type(_ first: PropertyType, _ second: PropertyType) -> PropertyType {
    if first == .mixed || second == .mixed { return .mixed }
    if first == .decimal128 || second == .decimal128 { return .decimal128 }
    return first.isInteger && second.isInteger ? .int64 : .double
  }

  /// Binds a number in arithmetic.
  private func number(
    _ literal: TextPredicate.Literal, beside operand: BoundOperand?
  ) throws(TextPredicateError) -> BoundOperand {
    let type: PropertyType
    switch literal.content {
    case .value(.int): type = .int64
    case .value(.double), .number: type = operand?.type == .decimal128 ? .decimal128 : .double
    case .value(.decimal): type = .decimal128
    case .value(.float): type = .double
    case .value, .object, .unmanaged, .region, .list, .contents:
      let error = Self.noNumber(at: literal.position)
      throw operand.map { error.naming($0) } ?? error
    }
    let kind = PropertyKind(type: type)
    return BoundOperand(
      expression: .constant(.value(try kind.value(of: literal))), kind: kind,
      position: literal.position)
  }

  // MARK: Suffixes

  /// Binds the suffixes of the condition.
  mutating func suffixes(_ suffixes: [ParsedPredicate.Suffix]) -> [BoundPredicateText.Suffix] {
    var bound: [BoundPredicateText.Suffix] = []
    for suffix in suffixes {
      do throws(TextPredicateError) {
        bound.append(try self.suffix(suffix))
      } catch {
        record(error)
      }
    }
    return bound
  }

  private func suffix(
    _ suffix: ParsedPredicate.Suffix
  ) throws(TextPredicateError) -> BoundPredicateText.Suffix {
    switch suffix {
    case .limit(let count): return .limit(count)
    case .sort(let keys):
      var bound: [ElementQuery.SortKey] = []
      for key in keys {
        let names = try names(key.path)
        bound.append(ElementQuery.SortKey(path: names, isAscending: key.isAscending))
        guard case .objects(let model) = root, let key = bound.last else { continue }
        try checking(keys[bound.count - 1].path) { () throws(Failure) in try key.check(on: model) }
      }
      return .sort(bound)
    case .distinct(let paths):
      var bound: [[String]] = []
      for path in paths {
        let names = try names(path)
        bound.append(names)
        guard case .objects(let model) = root else { continue }
        try checking(path) { () throws(Failure) in try model.checkDistinct(by: names) }
      }
      return .distinct(bound)
    }
  }

  /// The names of a path of to-one links and properties. For values, the name is `self`.
  private func names(_ path: TextPredicate.Path) throws(TextPredicateError) -> [String] {
    var names: [String] = []
    var isPlain = path.quantifier == nil && path.variable == nil
    for component in path.components {
      if case .name(let name) = component.step { names.append(name) } else { isPlain = false }
    }
    let fault: String? =
      switch root {
      case .values where names.isEmpty && isPlain: nil
      case .values: "Values have no properties; use SELF."
      case .objects where !isPlain: "SORT and DISTINCT require the names of properties."
      case .objects where names.isEmpty: "SORT and DISTINCT require the names of properties."
      case .objects: nil
      }
    guard let fault else { return names.isEmpty ? ["self"] : names }
    throw TextPredicateError(
      message: fault, position: path.position, className: className, propertyName: path.text)
  }

  private func checking(
    _ path: TextPredicate.Path, _ check: () throws(Failure) -> Void
  ) throws(TextPredicateError) {
    do throws(Failure) {
      try check()
    } catch {
      var found = TextPredicateError(
        message: error.message, position: path.position, className: error.className,
        propertyName: error.propertyName ?? path.text)
      found.isOfName = error.code == .unknownProperty
      throw found
    }
  }
}

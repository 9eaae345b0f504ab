package import VarveEncoding

extension TextPredicate {
  /// The condition on objects of a class.
  ///
  /// - Parameter model: The class.
  /// - Returns: The condition.
  /// - Throws: ``TextPredicateError`` for a name that its class does not have, a path through what is no to-one link, and a
  ///   comparison that properties of the type do not know.
  /// - Complexity: O(parts).
  package func condition(on model: ClassDescription) throws(TextPredicateError) -> Condition {
    try condition { (name) throws(TextPredicateError) in try model.operand(name) }
  }

  /// The condition on values of a kind, which `SELF` stands for.
  ///
  /// - Throws: as ``condition(on:)``.
  package func condition(onValues kind: PropertyKind) throws(TextPredicateError) -> Condition {
    try condition { (name) throws(TextPredicateError) in
      guard name.path.isEmpty else {
        throw TextPredicateError(
          message: "Values have no properties: SELF stands for them.", position: name.position,
          propertyName: name.text)
      }
      return NamedOperand(path: [], kind: kind, className: nil)
    }
  }

  private func condition(
    _ find: (Name) throws(TextPredicateError) -> NamedOperand
  ) throws(TextPredicateError) -> Condition {
    switch self {
    case .constant(let value): return value ? .always : .never
    case .not(let inner): return .not(try inner.condition(find))
    case .all(let parts):
      return try TextPredicate.joined(parts, .always, find) { Condition.and($0, $1) }
    case .any(let parts):
      return try TextPredicate.joined(parts, .never, find) { Condition.or($0, $1) }
    case .comparison(let comparison): return try comparison.condition(find)
    }
  }

  private static func joined(
    _ parts: [TextPredicate], _ empty: Condition,
    _ find: (Name) throws(TextPredicateError) -> NamedOperand,
    _ join: (Condition, Condition) -> Condition
  ) throws(TextPredicateError) -> Condition {
    var joined: Condition?
    for part in parts {
      let condition = try part.condition(find)
      joined = joined.map { join($0, condition) } ?? condition
    }
    return joined ?? empty
  }
}

/// What a name in a predicate stands for.
private struct NamedOperand {
  let path: [String]
  let kind: PropertyKind
  /// The class that the property belongs to.
  let className: String?
}

extension ClassDescription {
  fileprivate func operand(_ name: TextPredicate.Name) throws(TextPredicateError) -> NamedOperand {
    let path = name.path
    if path.isEmpty {
      return NamedOperand(path: [], kind: PropertyKind(type: .link), className: self.name)
    }
    let found: (model: ClassDescription, slot: Int)?
    do throws(Failure) {
      found = try properties(along: path).last
    } catch {
      let known = properties.map(\.name).joined(separator: ", ")
      throw TextPredicateError(
        message: error.message, position: name.position,
        details: error.code == .unknownProperty ? ["properties: \(known)"] : [],
        className: error.className, propertyName: error.propertyName ?? name.text)
    }
    guard let (owner, slot) = found else {
      throw TextPredicateError(message: "The name is empty.", position: name.position)
    }
    let property = owner.properties[slot]
    guard property.isStored, property.kind.collection == .none else {
      throw TextPredicateError(
        message: "Collections cannot be asked for yet.", position: name.position,
        className: owner.name, propertyName: property.name)
    }
    return NamedOperand(path: path, kind: property.kind, className: owner.name)
  }
}

extension TextPredicate.Comparison {
  fileprivate func condition(
    _ find: (TextPredicate.Name) throws(TextPredicateError) -> NamedOperand
  ) throws(TextPredicateError) -> Condition {
    let left = try find(property)
    do throws(TextPredicateError) {
      try left.kind.check(self)
      let operand: Condition.Operand =
        switch operand {
        case .literal(let literal): .constant(try left.kind.constant(of: literal))
        case .literals(let literals): .constants(try constants(literals, left.kind))
        case .property(let name): .path(try comparable(try find(name), with: left, name))
        }
      return .comparison(
        Condition.Comparison(
          left.path, operation, operand, isCaseInsensitive: isCaseInsensitive))
    } catch {
      var error = error
      error.className = error.className ?? left.className
      error.propertyName = error.propertyName ?? property.text
      throw error
    }
  }

  private func constants(
    _ literals: [TextPredicate.Literal], _ kind: PropertyKind
  ) throws(TextPredicateError) -> [Condition.Constant] {
    var constants: [Condition.Constant] = []
    for literal in literals { constants.append(try kind.constant(of: literal)) }
    return constants
  }

  private func comparable(
    _ right: NamedOperand, with left: NamedOperand, _ name: TextPredicate.Name
  ) throws(TextPredicateError) -> [String] {
    guard left.kind.isComparable(with: right.kind) else {
      throw TextPredicateError(
        message:
          "The type \(left.kind.typeName(target: nil)) cannot be compared with the type "
          + "\(right.kind.typeName(target: nil)).", position: name.position)
    }
    return right.path
  }
}

extension PropertyKind {
  fileprivate func constant(
    of literal: TextPredicate.Literal
  ) throws(TextPredicateError) -> Condition.Constant {
    if case .object(let object) = literal.content, type == .link || type == .mixed {
      return .object(object)
    }
    return .value(try value(of: literal))
  }
}

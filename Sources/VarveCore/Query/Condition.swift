package import VarveEncoding

/// A condition on objects of one class, by property names; it knows nothing of a file.
///
/// Conditions are joined in constant time, and may be joined to any depth: nothing that is done with
/// one, its release included, needs stack in proportion to its size.
///
/// Thread safety: an immutable value.
package struct Condition: Sendable {
  let root: ConditionNode

  init(_ root: ConditionNode) { self.root = root }

  /// Holds for every object.
  package static let always = Condition(ConditionNode(.constant(true)))
  /// Holds for no object.
  package static let never = Condition(ConditionNode(.constant(false)))

  /// Whether the condition is ``always``, without parts.
  package var isAlways: Bool {
    if case .constant(true) = root.kind { true } else { false }
  }

  package static func comparison(_ comparison: Comparison) -> Condition {
    Condition(ConditionNode(.comparison(comparison)))
  }

  package static func and(_ left: Condition, _ right: Condition) -> Condition {
    Condition(ConditionNode(.and, left.root, right.root))
  }

  package static func or(_ left: Condition, _ right: Condition) -> Condition {
    Condition(ConditionNode(.or, left.root, right.root))
  }

  package static func not(_ inner: Condition) -> Condition {
    Condition(ConditionNode(.not, inner.root))
  }

  /// Holds where both conditions hold, and where neither does.
  package static func same(_ left: Condition, _ right: Condition) -> Condition {
    Condition(ConditionNode(.same, left.root, right.root))
  }
}

extension Condition {
  /// One comparison of a property with a constant, or with another property.
  package struct Comparison: Sendable {
    /// The names of links, then of the property; empty for the object itself.
    package var path: [String]
    package var operation: Operation
    package var operand: Operand
    package var isCaseInsensitive: Bool

    package init(
      _ path: [String], _ operation: Operation, _ operand: Operand, isCaseInsensitive: Bool = false
    ) {
      self.path = path
      self.operation = operation
      self.operand = operand
      self.isCaseInsensitive = isCaseInsensitive
    }
  }

  package enum Operation: String, Sendable, Hashable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case `in` = "IN"
    case geoWithin = "GEOWITHIN"
  }

  package enum Operand: Sendable {
    case constant(Constant)
    case constants([Constant])
    case path([String])
    /// Where the point of the object at the end of the path lies.
    case region(GeoRegion)
  }

  /// What a property is compared with.
  package enum Constant: Sendable {
    case value(Value)
    case object(ObjectReference)
  }
}

package import VarveEncoding

/// A condition on objects of one class, by property names; it knows nothing of a file.
///
/// Thread safety: an immutable value.
package indirect enum Condition: Sendable, Hashable {
  case always
  case never
  case comparison(Comparison)
  case and(Condition, Condition)
  case or(Condition, Condition)
  case not(Condition)

  /// One comparison of a property with a constant, or with another property.
  package struct Comparison: Sendable, Hashable {
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
  }

  package enum Operand: Sendable, Hashable {
    case value(Value)
    case values([Value])
    case path([String])
  }
}

extension Condition: CustomStringConvertible {
  package var description: String {
    switch self {
    case .always: "TRUEPREDICATE"
    case .never: "FALSEPREDICATE"
    case .comparison(let comparison): comparison.description
    case .and(let left, let right): "(\(left) AND \(right))"
    case .or(let left, let right): "(\(left) OR \(right))"
    case .not(let inner): "NOT \(inner)"
    }
  }
}

extension Condition.Comparison: CustomStringConvertible {
  package var description: String {
    let right =
      switch operand {
      case .value(let value): value.text
      case .values(let values): "{" + values.map(\.text).joined(separator: ", ") + "}"
      case .path(let path): path.joined(separator: ".")
      }
    let folding = isCaseInsensitive ? "[c]" : ""
    return "\(path.joined(separator: ".")) \(operation.rawValue)\(folding) \(right)"
  }
}

package import VarveEncoding

/// A condition on objects of one class, which refers to properties by name and is independent of a
/// file.
///
/// Conditions are combined in constant time and to any depth: no operation, including deallocation,
/// needs stack space in proportion to the size of a condition.
package struct Condition: Sendable {
  let root: ConditionNode

  init(_ root: ConditionNode) { self.root = root }

  /// A condition that is true for every object.
  package static let always = Condition(ConditionNode(.constant(true)))
  /// A condition that is false for every object.
  package static let never = Condition(ConditionNode(.constant(false)))

  /// Whether the condition is the constant ``always``.
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

  /// A condition that is true if both operands are true or both are false.
  package static func same(_ left: Condition, _ right: Condition) -> Condition {
    Condition(ConditionNode(.same, left.root, right.root))
  }
}

extension Condition {
  /// One comparison of two expressions.
  package struct Comparison: Equatable, Sendable {
    package var left: QueryExpression
    package var operation: Operation
    package var right: QueryExpression
    /// The quantifier of the side that has many values.
    package var quantifier: Quantifier
    /// The differences between texts that are ignored.
    package var folding: TextFolding

    package init(
      _ left: QueryExpression, _ operation: Operation, _ right: QueryExpression,
      quantifier: Quantifier = .any, folding: TextFolding = .exact
    ) {
      self.left = left
      self.operation = operation
      self.right = right
      self.quantifier = quantifier
      self.folding = folding
    }
  }

  package enum Quantifier: String, Sendable, Hashable {
    /// At least one value.
    case any = "ANY"
    /// Every value. True for no values.
    case all = "ALL"
    /// No value.
    case none = "NONE"
  }

  package enum Operation: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Between two constants, both inclusive.
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    /// The words of a text, as a full-text index contains them.
    case text = "TEXT"
    case `in` = "IN"
    /// Whether the point of the object at the end of the path is within a region.
    case geoWithin = "GEOWITHIN"
    /// Whether a value sorts after another value, or an object after another object of its class.
    /// Used for pagination; not part of the predicate language.
    case follows = "FOLLOWS"
    case precedes = "PRECEDES"
    /// Whether a value sorts before another value or equal to it. Includes null and NaN.
    case doesNotFollow = "DOESNOTFOLLOW"
    /// Whether a value sorts after another value or equal to it.
    case doesNotPrecede = "DOESNOTPRECEDE"

    /// Whether the operation compares the order of values.
    package var isOrder: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
      default: false
      }
    }
  }

  /// A constant operand of a comparison.
  package enum Constant: Equatable, Sendable {
    case value(Value)
    case object(ObjectReference)
  }
}

extension Condition {
  /// The condition with each comparison replaced by the result of `change`, such as a condition on
  /// the elements of a path rewritten to begin where the path begins.
  ///
  /// - Complexity: O(n).
  package func mapped(_ change: (Comparison) -> Comparison) -> Condition {
    enum Task {
      case visit(ConditionNode)
      case join(ConditionNode)
    }
    var tasks = [Task.visit(root)]
    var made: [ConditionNode] = []
    while let task = tasks.popLast() {
      switch task {
      case .visit(let node):
        guard node.left != nil else {
          if case .comparison(let comparison) = node.kind {
            made.append(ConditionNode(.comparison(change(comparison))))
          } else {
            made.append(node)
          }
          continue
        }
        tasks.append(.join(node))
        if let right = node.right { tasks.append(.visit(right)) }
        if let left = node.left { tasks.append(.visit(left)) }
      case .join(let node):
        let right = node.right == nil ? nil : made.popLast()
        let left = made.popLast()
        made.append(ConditionNode(node.kind, left, right))
      }
    }
    return Condition(made[0])
  }
}

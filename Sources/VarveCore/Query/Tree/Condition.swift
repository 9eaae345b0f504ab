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
  /// One comparison of two expressions.
  package struct Comparison: Equatable, Sendable {
    package var left: QueryExpression
    package var operation: Operation
    package var right: QueryExpression
    /// For how many of the values on the side that has many the comparison has to hold.
    package var quantifier: Quantifier
    /// What does not matter of texts.
    package var folding: TextFolding

    package init(
      _ left: QueryExpression, _ operation: Operation, _ right: QueryExpression,
      quantifier: Quantifier = .any, folding: TextFolding = []
    ) {
      self.left = left
      self.operation = operation
      self.right = right
      self.quantifier = quantifier
      self.folding = folding
    }
  }

  package enum Quantifier: String, Sendable, Hashable {
    /// For at least one.
    case any = "ANY"
    /// For each; for none too.
    case all = "ALL"
    /// For not one.
    case none = "NONE"
  }

  package enum Operation: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// From the first to the second of two constants, both included.
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    /// The words of a text, as a full-text index has them.
    case text = "TEXT"
    case `in` = "IN"
    /// Where the point of the object at the end of the path lies.
    case geoWithin = "GEOWITHIN"
    /// Whether a value stands behind another one in the order of sorting, an object in that of its class. Pages ask that,
    /// and no text does.
    case follows = "FOLLOWS"
    case precedes = "PRECEDES"
    /// Whether a value stands before another one in the order of sorting, or with it: null and NaN do.
    case doesNotFollow = "DOESNOTFOLLOW"
    /// Whether a value stands behind another one in the order of sorting, or with it.
    case doesNotPrecede = "DOESNOTPRECEDE"

    /// Whether the operation asks for the order of values.
    package var isOrder: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
      default: false
      }
    }
  }

  /// What a property is compared with.
  package enum Constant: Equatable, Sendable {
    case value(Value)
    case object(ObjectReference)
  }
}

extension Condition {
  /// The same condition on the elements that a path leads to, asked of where the path begins: `change` makes another
  /// comparison of each.
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

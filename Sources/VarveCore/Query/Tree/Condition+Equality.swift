import VarveEncoding

extension Condition {
  /// Whether two conditions are made of the same comparisons in the same way. Others may hold for the same objects.
  ///
  /// - Complexity: O(size of the condition), up to the first difference; no stack in proportion to it.
  func isSame(as other: Condition) -> Bool {
    var rest = [(root, other.root)]
    while let (first, second) = rest.popLast() {
      if first === second { continue }
      guard first.leafCount == second.leafCount, first.kind.isSame(as: second.kind) else {
        return false
      }
      if let left = first.left, let other = second.left { rest.append((left, other)) }
      if let right = first.right, let other = second.right { rest.append((right, other)) }
    }
    return true
  }
}

extension ConditionNode.Kind {
  fileprivate func isSame(as other: ConditionNode.Kind) -> Bool {
    switch (self, other) {
    case (.constant(let a), .constant(let b)): a == b
    case (.comparison(let a), .comparison(let b)): a.isSame(as: b)
    case (.and, .and), (.or, .or), (.not, .not), (.same, .same): true
    default: false
    }
  }
}

extension Condition.Comparison {
  fileprivate func isSame(as other: Condition.Comparison) -> Bool {
    operation == other.operation && quantifier == other.quantifier && folding == other.folding
      && left.isSame(as: other.left) && right.isSame(as: other.right)
  }
}

extension QueryExpression {
  fileprivate func isSame(as other: QueryExpression) -> Bool {
    switch (self, other) {
    case (.constant(let a), .constant(let b)): a.isSame(as: b)
    case (.constants(let a), .constants(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.path(let a), .path(let b)): a == b
    case (.aggregate(let a), .aggregate(let b)): a == b
    case (.matchCount(let a, let x), .matchCount(let b, let y)): a == b && x.isSame(as: y)
    case (.arithmetic(let a, let x, let z), .arithmetic(let b, let y, let w)):
      a == b && x.isSame(as: y) && z.isSame(as: w)
    case (.region(let a), .region(let b)): a == b
    default: false
    }
  }
}

extension Condition.Constant {
  fileprivate func isSame(as other: Condition.Constant) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a.isIdentical(to: b)
    case (.object(let a), .object(let b)): a === b || a.isSame(as: b)
    default: false
    }
  }
}

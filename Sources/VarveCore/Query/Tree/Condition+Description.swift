import VarveEncoding

extension Condition: CustomStringConvertible {
  /// The condition in the predicate language.
  ///
  /// - Complexity: O(n).
  package var description: String {
    enum Part {
      case text(String)
      case node(ConditionNode?)
    }
    var text = ""
    var rest = [Part.node(root)]
    while let part = rest.popLast() {
      switch part {
      case .text(let word): text += word
      case .node(nil): break
      case .node(let node?):
        switch node.kind {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): text += comparison.description
        case .not: rest += [.node(node.left), .text("NOT ")]
        case .same:
          rest += [.text("))"), .node(node.right), .text(") == ("), .node(node.left), .text("((")]
        case .and, .or:
          let word = node.kind.word
          rest += [.text(")"), .node(node.right), .text(word), .node(node.left), .text("(")]
        }
      }
    }
    return text
  }
}

extension ConditionNode.Kind {
  fileprivate var word: String {
    switch self {
    case .and: " AND "
    case .or: " OR "
    case .constant, .comparison, .not, .same: ""
    }
  }
}

extension Condition.Comparison: CustomStringConvertible {
  package var description: String {
    let word = "\(quantifier.rawValue) "
    let (first, second) = (left.isMany ? word : "", right.isMany ? word : "")
    return "\(first)\(left) \(operation.rawValue)\(folding.suffix) \(second)\(right)"
  }
}

extension TextFolding {
  /// The options in the predicate language, such as `[cd]`.
  var suffix: String {
    if isEmpty { return "" }
    return "[" + (contains(.caseless) ? "c" : "") + (contains(.diacriticless) ? "d" : "") + "]"
  }
}

extension QueryExpression: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant(let constant): constant.description
    case .constants(let constants):
      "{" + constants.map(\.description).joined(separator: ", ") + "}"
    case .path(let path): path.description
    case .aggregate(let aggregate): aggregate.description
    case .matchCount(let path, let condition):
      "SUBQUERY(\(path), $x, \(condition.mapped { $0.fromVariable })).@count"
    case .arithmetic(let operation, let left, let right):
      "(\(left) \(operation.rawValue) \(right))"
    case .region(let region): region.description
    }
  }

  /// The expression inside a subquery, where paths begin at its variable.
  fileprivate var fromVariable: QueryExpression {
    switch self {
    case .path(let path): .path(path.fromVariable)
    case .aggregate(let aggregate):
      .aggregate(QueryAggregate(aggregate.function, aggregate.path.fromVariable))
    case .matchCount(let path, let condition): .matchCount(path.fromVariable, condition)
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.fromVariable, right.fromVariable)
    case .constant, .constants, .region: self
    }
  }
}

extension Condition.Comparison {
  fileprivate var fromVariable: Condition.Comparison {
    var comparison = self
    comparison.left = left.fromVariable
    comparison.right = right.fromVariable
    return comparison
  }
}

extension QueryPath {
  fileprivate var fromVariable: QueryPath { QueryPath([.property("$x")] + steps) }
}

extension QueryAggregate: CustomStringConvertible {
  package var description: String {
    // The steps after the collection follow the function: dogs.@sum.age.
    guard function != .count, let position = path.steps.lastIndex(of: .elements) else {
      var whole = path
      if whole.steps.last == .elements { whole.steps.removeLast() }
      return "\(whole).\(function.rawValue)"
    }
    let collection = QueryPath(Array(path.steps[..<position]))
    let rest = QueryPath(Array(path.steps[(position + 1)...]))
    return "\(collection).\(function.rawValue)" + (rest.steps.isEmpty ? "" : ".\(rest)")
  }
}

extension Condition.Constant: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let value): value.literal
    case .object(let object): object.description
    }
  }
}

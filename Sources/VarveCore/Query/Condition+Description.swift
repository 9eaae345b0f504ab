import VarveEncoding

extension Condition: CustomStringConvertible {
  /// The condition in the words of the predicate language.
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
        case .and, .or, .same:
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
    case .same: " == "
    case .constant, .comparison, .not: ""
    }
  }
}

extension Condition.Comparison: CustomStringConvertible {
  package var description: String {
    let right =
      switch operand {
      case .constant(let constant): constant.description
      case .constants(let constants):
        "{" + constants.map(\.description).joined(separator: ", ") + "}"
      case .path(let path): Condition.Comparison.name(of: path)
      case .region(let region): region.description
      }
    let folding = isCaseInsensitive ? "[c]" : ""
    return "\(Condition.Comparison.name(of: path)) \(operation.rawValue)\(folding) \(right)"
  }

  private static func name(of path: [String]) -> String {
    path.isEmpty ? "SELF" : path.joined(separator: ".")
  }
}

extension Condition.Constant: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let value): value.text
    case .object(let object): object.description
    }
  }
}

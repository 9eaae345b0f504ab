import VarveEncoding

extension Condition {
  /// How many parts of a condition a plan looks at; the others only filter.
  static let plannedParts = 64

  /// The parts that all have to hold: those that AND joins, in their order.
  ///
  /// - Returns: at most ``plannedParts``, of which the last one is what is left.
  /// - Complexity: O(parts looked at).
  var conjuncts: [Condition] { parts { if case .and = $0 { true } else { false } } ?? [self] }

  /// The parts of which one has to hold: those that OR joins.
  ///
  /// - Returns: nil where there are more than ``plannedParts``.
  var disjuncts: [Condition]? {
    guard root.leafCount <= Condition.plannedParts else { return nil }
    return parts { if case .or = $0 { true } else { false } }
  }

  private func parts(_ joins: (ConditionNode.Kind) -> Bool) -> [Condition]? {
    var parts: [Condition] = []
    var rest = [root]
    while let node = rest.popLast() {
      let isFull = parts.count + rest.count >= Condition.plannedParts - 1
      if !isFull, joins(node.kind), let left = node.left, let right = node.right {
        rest.append(right)
        rest.append(left)
      } else {
        parts.append(Condition(node))
      }
    }
    return parts
  }

  /// A condition that all of some parts make; without any it always holds.
  static func all(_ parts: some Sequence<Condition>) -> Condition {
    var joined: Condition?
    for part in parts { joined = joined.map { .and($0, part) } ?? part }
    return joined ?? .always
  }

  /// As ``all(_:)``, without the parts at some places, which a range answers, and without constants.
  ///
  /// - Precondition: no part is the constant false.
  static func all(_ parts: [Condition], except answered: Set<Int>) -> Condition {
    all(
      parts.indices.filter { !answered.contains($0) && parts[$0].constant == nil }
        .map { parts[$0] })
  }

  /// The comparison that the condition is; nil for another one.
  package var comparison: Comparison? {
    if case .comparison(let comparison) = root.kind { comparison } else { nil }
  }

  /// Whether the condition is a constant.
  var constant: Bool? {
    if case .constant(let value) = root.kind { value } else { nil }
  }
}

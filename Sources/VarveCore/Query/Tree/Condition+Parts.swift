import VarveEncoding

extension Condition {
  /// The maximum number of conjuncts or disjuncts that a plan considers. The remaining conjuncts
  /// only filter.
  static let plannedParts = 64

  /// The operands of the top-level conjunctions, in order.
  ///
  /// - Returns: At most ``plannedParts`` conditions. The last one contains the remaining operands.
  /// - Complexity: O(returned parts).
  var conjuncts: [Condition] { parts { if case .and = $0 { true } else { false } } ?? [self] }

  /// The operands of the top-level disjunctions.
  ///
  /// - Returns: nil if there are more than ``plannedParts``.
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

  /// The conjunction of conditions, or ``always`` for an empty sequence.
  static func all(_ parts: some Sequence<Condition>) -> Condition {
    var joined: Condition?
    for part in parts { joined = joined.map { .and($0, part) } ?? part }
    return joined ?? .always
  }

  /// The conjunction of the conditions, without the positions that a range satisfies and without
  /// constants. See ``all(_:)``.
  ///
  /// - Precondition: No part is the constant false.
  static func all(_ parts: [Condition], except answered: Set<Int>) -> Condition {
    all(
      parts.indices.filter { !answered.contains($0) && parts[$0].constant == nil }
        .map { parts[$0] })
  }

  /// The comparison, if the condition consists of a single one.
  package var comparison: Comparison? {
    if case .comparison(let comparison) = root.kind { comparison } else { nil }
  }

  /// The constant, if the condition is one.
  var constant: Bool? {
    if case .constant(let value) = root.kind { value } else { nil }
  }
}

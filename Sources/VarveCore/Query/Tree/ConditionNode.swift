/// One node of a condition.
///
/// Nodes refer to their parts, and a chain of a hundred thousand is as deep as it is long. What walks
/// them keeps a stack of its own: ``ConditionFlow``, the description, and the release here.
///
/// Thread safety: immutable.
final class ConditionNode: @unchecked Sendable {
  // Safe because `left` and `right` change only while a node is released, when nobody else holds it.

  enum Kind: Equatable, Sendable {
    case constant(Bool)
    case comparison(Condition.Comparison)
    case and, or, not, same
  }

  let kind: Kind
  /// The number of comparisons and constants below.
  let leafCount: Int
  private(set) var left: ConditionNode?
  private(set) var right: ConditionNode?

  init(_ kind: Kind, _ left: ConditionNode? = nil, _ right: ConditionNode? = nil) {
    self.kind = kind
    self.left = left
    self.right = right
    let count = (left?.leafCount ?? 0) &+ (right?.leafCount ?? 0)
    leafCount = left == nil ? 1 : count
  }

  deinit {
    guard left != nil else { return }
    // Left to themselves, parts would release their parts in turn: one call inside the other.
    var released: [ConditionNode] = []
    moveParts(to: &released)
    while var node = released.popLast() {
      if isKnownUniquelyReferenced(&node) { node.moveParts(to: &released) }
    }
  }

  private func moveParts(to released: inout [ConditionNode]) {
    if let left { released.append(left) }
    if let right { released.append(right) }
    left = nil
    right = nil
  }
}

/// A node of a condition.
///
/// A chain of a hundred thousand nodes is as deep as it is long. The code that traverses nodes
/// therefore uses an explicit stack: ``ConditionFlow``, the description, and the deinitializer
/// below.
final class ConditionNode: @unchecked Sendable {
  // Safe because `left` and `right` change only in the deinitializer, when no other reference
  // exists.

  enum Kind: Equatable, Sendable {
    case constant(Bool)
    case comparison(Condition.Comparison)
    case and, or, not, same
  }

  let kind: Kind
  /// The number of comparisons and constants below the node.
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
    // Releasing the children recursively would nest one call for each level.
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

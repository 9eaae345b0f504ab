import Testing

@testable import VarveCore

extension CountedTree {
  /// Expects the invariants of editing: counts and first keys are correct, all leaves have the same
  /// depth, and no node is empty or too large.
  func expectSound(
    _ comment: Comment, sameKey: (Leaf.Key, Leaf.Key) -> Bool, leaf isSound: (Leaf) -> Bool
  ) {
    #expect(root.elementCount == count, comment)
    #expect(root.children.count != 1, comment)
    guard count > 0 else {
      #expect(root.children.isEmpty && root.leaf.count == 0, comment)
      return
    }
    _ = expectSound(root, comment, sameKey, isSound)
  }

  /// - Returns: The number of levels of the node.
  private func expectSound(
    _ node: CountedNode<Leaf>, _ comment: Comment, _ sameKey: (Leaf.Key, Leaf.Key) -> Bool,
    _ isSound: (Leaf) -> Bool
  ) -> Int {
    guard !node.children.isEmpty else {
      #expect(node.leaf.count > 0 && isSound(node.leaf), comment)
      return 1
    }
    #expect(
      node.leaf.count == 0 && node.children.count <= CountedNode<Leaf>.maximumChildren, comment)
    var levels: Set<Int> = []
    for child in node.children {
      levels.insert(expectSound(child.node, comment, sameKey, isSound))
      #expect(child.count == child.node.elementCount, comment)
      #expect(sameKey(child.firstKey, child.node.firstKey), comment)
    }
    #expect(levels.count == 1, comment)
    return 1 + (levels.first ?? 0)
  }

  /// The leaves in order.
  var leaves: [Leaf] { nodesByLevel.last?.map(\.leaf) ?? [] }

  var levels: Int { nodesByLevel.count }

  /// The nodes by level, from the root down to the leaves.
  var nodesByLevel: [[CountedNode<Leaf>]] {
    var levels = [[root]]
    while let level = levels.last, level.contains(where: { !$0.children.isEmpty }) {
      levels.append(level.flatMap { $0.children.map(\.node) })
    }
    return levels
  }
}

extension Array {
  /// The address of the elements: equal for copies that have not been edited.
  var address: Int { withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
}

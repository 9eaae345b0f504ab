import Testing
import Varve

/// Rejected new objects that link to new objects: the linked objects stay unmanaged and can be
/// added later.
@Suite struct FilledObjectFailureTests {
  private func expectUnmanaged(
    _ objects: [Object], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for object in objects {
      #expect(object.realm == nil && !object.isInvalidated, sourceLocation: sourceLocation)
    }
  }

  @Test func duplicateKeyLeavesLinkedObjectsUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Node(value: ["key": "a"])) }
      let node = Node(value: ["key": "a"])
      let leaf = Leaf(value: ["id": 7])
      node.leaves.append(leaf)
      node.leaf = Leaf(value: ["id": 8])
      let other = try #require(node.leaf)
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(node) } }
      expectUnmanaged([node, leaf, other])
      #expect(leaf.id == 7 && node.leaves.count == 1)
      node.key = "b"
      try realm.write { realm.add(node) }
      #expect(node.leaves.map(\.id) == [7] && node.leaf?.id == 8 && leaf.holders.count == 1)
      try store.check()
    }
  }

  @Test func recordedErrorLeavesLinkedObjectsUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      let leaves = [Leaf(value: ["id": 1]), Leaf(value: ["id": 2, "rank": "x"])]
      let node = Node(value: ["key": "a", "name": 1])
      node.leaves.append(leaves[0])
      expectError(.typeMismatch) { try realm.write { realm.add(node) } }
      expectUnmanaged([node, leaves[0]])
      // The failure of a linked object.
      let fine = Node(value: ["key": "b"])
      fine.leaves.append(objectsIn: leaves)
      expectError(.typeMismatch) { try realm.write { realm.add(fine) } }
      expectUnmanaged([fine] + leaves)
      fine.leaves.removeLast()
      try realm.write { realm.add(fine) }
      #expect(realm.objects(Leaf.self).map(\.id) == [1])
      try store.check()
    }
  }

  /// Also if objects of one class link to each other.
  @Test(arguments: [false, true])
  func invalidMapKeyLeavesLinkedObjectsUnmanaged(isGraph: Bool) throws {
    try withTemporaryRealm { realm, store in
      let node = Node(value: ["key": "a"])
      let leaf = Leaf(value: ["id": 1])
      if isGraph { node.next = Node(value: ["key": "next"]) }
      node.leaf = leaf
      node.words["a.b"] = "not allowed"
      expectError(.invalidKey) { try realm.write { realm.add(node) } }
      expectUnmanaged([node, leaf] + [node.next].compactMap(\.self))
      node.words["a.b"] = nil
      try realm.write { realm.add(node) }
      #expect(node.leaf?.id == 1 && leaf.owners.count == 1 && node.words.isEmpty)
      try store.check()
    }
  }

  @Test func duplicateLinkedKeysLeaveBothUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Coin(5)) }
      for keys in [[1, 2, 1], [3, 5]] {
        let coins = keys.map { Coin($0) }
        let purse = Purse()
        purse.row.append(objectsIn: coins)
        expectError(.duplicatePrimaryKey) { try realm.write { realm.add(purse) } }
        expectUnmanaged([purse] + coins)
        let others = coins.indices.map { keys[0] * 10 + $0 }
        for (coin, key) in zip(coins, others) { coin.id = key }
        purse.id = keys[0]
        try realm.write { realm.add(purse) }
        #expect(purse.row.map(\.id) == others)
      }
      // The same object twice is not a duplicate.
      let coin = Coin(9)
      let purse = Purse(value: ["id": 9])
      purse.best = coin
      purse.row.append(objectsIn: [coin, coin])
      try realm.write { realm.add(purse) }
      #expect(coin.rowsOf.count == 2 && coin.bestOf.count == 1)
      try store.check()
    }
  }

  @Test func deletedTargetLeavesNewObjectsUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      let gone = Coin(1)
      try realm.write { realm.add(gone) }
      try realm.write { realm.delete(gone) }
      let (coin, purse) = (Coin(2), Purse())
      purse.row.append(objectsIn: [coin, gone])
      expectError(.invalidatedObject) { try realm.write { realm.add(purse) } }
      expectUnmanaged([purse, coin])
      purse.row.removeLast()
      try realm.write { realm.add(purse) }
      #expect(coin.rowsOf.count == 1)
      try store.check()
    }
  }
}

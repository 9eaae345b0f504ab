import Foundation
import Testing
import Varve
import VarveTestSupport

/// Objects whose collections were filled before they were added.
@Suite struct FilledObjectTests {
  private static let texts = ["", "a", "\u{e9}", String(repeating: "long ", count: 300)]
  private static let keys =
    ["", "b", "a", "\u{0}"] + (0..<3).map { "k\(String(repeating: "l", count: 500))\($0)" }

  /// An object that is filled and then added equals a stored object that is filled afterwards.
  @Test func fillingBeforeAndAfterAddingIsEquivalent() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var leaves: [Leaf] = []
      try realm.write {
        leaves = (0..<20).map { realm.create(Leaf.self, value: ["id": $0]) }
      }
      for round in 0..<60 {
        let texts = (0..<random.below(6)).map { _ in random.pick(Self.texts) }
        let numbers: [Int?] = (0..<random.pick([0, 1, 5, 3000])).map {
          random.chance(20) ? nil : $0 &* 7
        }
        let words = Dictionary(
          (0..<random.below(6)).map { _ in (random.pick(Self.keys), random.pick(Self.texts)) }
        ) { $1 }
        let linked = (0..<random.pick([0, 1, 4, 900])).map { _ in random.pick(leaves) }
        func fill(_ node: Node) {
          node.texts.append(objectsIn: texts)
          node.numbers.append(objectsIn: numbers)
          for (key, word) in words { node.words[key] = word }
          node.leaves.append(objectsIn: linked)
          node.leaf = linked.first
        }
        let added = Node(value: ["key": "added \(round)"])
        fill(added)
        let (list, map) = (added.texts, added.words)
        try realm.write {
          realm.add(added)
          fill(realm.create(Node.self, value: ["key": "filled \(round)"]))
          // Inside the write the collections can already be read and changed.
          #expect(
            list.realm != nil && map.count == words.count && added.leaves.count == linked.count)
          if random.chance(50) {
            let round = " \(round)"
            for node in try realm.objects(Node.self).filter("key ENDSWITH %@", round) {
              node.texts.append("more")
              node.words["more"] = "x"
              if !node.numbers.isEmpty { node.numbers.remove(at: 0) }
            }
          }
        }
        let filled = try #require(
          realm.object(ofType: Node.self, forPrimaryKey: "filled \(round)"))
        #expect(Array(added.texts) == Array(filled.texts))
        #expect(Array(added.numbers) == Array(filled.numbers))
        #expect(added.words.keys.map { Array($0.utf8) } == filled.words.keys.map { Array($0.utf8) })
        #expect(added.words.values == filled.words.values)
        #expect(added.leaves.map(\.id) == filled.leaves.map(\.id))
        #expect(Array(list) == Array(added.texts) && map.count == filled.words.count)
      }
      for leaf in leaves {
        let counts = Dictionary(grouping: leaf.holders, by: \.key).mapValues(\.count)
        for node in realm.objects(Node.self) {
          #expect(counts[node.key] ?? 0 == node.leaves.count { $0.id == leaf.id })
        }
        #expect(leaf.owners.count == realm.objects(Node.self).count { $0.leaf?.id == leaf.id })
      }
      try store.check()
    }
  }

  @Test func setElementsAreAddedInOrderOnce() throws {
    try withTemporaryRealm { realm, store in
      let coins = (0..<9).map { Coin($0) }
      try realm.write { realm.add(coins) }
      let bag = Bag(1, coins: [coins[7], coins[2], coins[5]])
      // Another instance for a stored object.
      bag.coins.insert(objectsIn: realm.objects(Coin.self).filter("id > 4"))
      bag.strings.insert(objectsIn: ["b", "a", String(repeating: "c", count: 900), ""])
      bag.optionalDoubles.insert(objectsIn: [1, nil, -1])
      try realm.write { realm.add(bag) }
      #expect(bag.coins.map(\.id) == [2, 5, 6, 7, 8])
      #expect(bag.strings.map(\.utf8.count) == [0, 1, 1, 900])
      #expect(Array(bag.optionalDoubles) == [nil, -1, 1])
      #expect(coins[5].bags.map(\.id) == [1] && coins[4].bags.isEmpty)
      try store.check()
    }
  }

  @Test func failureLeavesObjectAndCollectionsUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      let node = Node(value: ["key": "a"])
      node.words["b"] = "fine"
      node.words["a.b"] = "not allowed"
      node.texts.append("x")
      expectError(.invalidKey) { try realm.write { realm.add(node) } }
      #expect(node.realm == nil && node.words.realm == nil && Array(node.texts) == ["x"])
      node.words["a.b"] = nil
      try realm.write { realm.add(node) }
      #expect(node.words.count == 1 && node.texts.count == 1)
      try store.check()
    }
  }

  @Test func graphOfFilledObjectsIsAdded() throws {
    try withTemporaryRealm { realm, store in
      let nodes = (0..<50).map { number in
        let node = Node(value: ["key": "\(number)"])
        node.leaves.append(objectsIn: (0..<3).map { Leaf(value: ["id": number * 3 + $0]) })
        node.texts.append(objectsIn: ["a", "b"])
        return node
      }
      for (number, node) in nodes.enumerated() {
        node.next = nodes[(number + 1) % 50]
        node.nodes.append(objectsIn: nodes)
        node.byName["me"] = node
      }
      try realm.write { realm.add(nodes[0]) }
      #expect(realm.objects(Node.self).count == 50 && realm.objects(Leaf.self).count == 150)
      #expect(nodes.allSatisfy { $0.texts.count == 2 && $0.holders.count == 50 })
      #expect(nodes.allSatisfy { $0.previous.count == 1 && $0.callers.map(\.key) == [$0.key] })
      try store.check()
    }
  }
}

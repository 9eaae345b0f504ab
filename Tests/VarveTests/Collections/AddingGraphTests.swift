import Foundation
import Testing
import Varve

@Suite struct AddingGraphTests {
  @Test func longChainOfNewObjectsIsAdded() throws {
    try withTemporaryRealm { realm, store in
      let chain = (0..<2_000).map { Node(value: ["key": "\($0)"]) }
      for (node, next) in zip(chain, chain.dropFirst()) { node.next = next }
      try realm.write { realm.add(chain[0]) }
      #expect(realm.objects(Node.self).count == 2_000)
      #expect(chain[1_998].next?.key == "1999")
      try store.check()
    }
  }

  @Test func equalKeysInGraphMergeOrThrow() throws {
    try withTemporaryRealm { realm, store in
      func hub() -> Node {
        let hub = Node(value: ["key": "hub"])
        let leaves = [(1, 10), (2, 20), (1, 30)].map { Leaf(value: ["id": $0, "rank": $1]) }
        hub.leaves.append(objectsIn: leaves)
        hub.nodes.append(objectsIn: [Node(value: ["key": "x"]), Node(value: ["key": "x"])])
        return hub
      }
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(hub()) } }
      #expect(realm.isEmpty)
      for policy in [Realm.UpdatePolicy.modified, .all, .modified] {
        let added = hub()
        try realm.write { realm.add(added, update: policy) }
        #expect(added.leaves.map(\.id) == [1, 2, 1] && added.nodes.map(\.key) == ["x", "x"])
        #expect(realm.objects(Leaf.self).map(\.rank) == [30, 20])
        #expect(realm.objects(Node.self).count == 2)
        try store.check()
      }
    }
  }

  @Test func cyclicGraphIsAddedOnce() throws {
    try withTemporaryRealm { realm, store in
      let nodes = (0..<30).map { Node(value: ["key": "\($0)"]) }
      for (index, node) in nodes.enumerated() {
        node.next = nodes[(index * 7 + 3) % 30]
        node.nodes.append(objectsIn: nodes)
        node.byName["x"] = .some(nodes[(index * 11) % 30])
        node.leaf = Leaf(value: ["id": index])
        node.leaves.append(objectsIn: nodes.prefix(index).compactMap(\.leaf))
      }
      try realm.write { realm.add(nodes[4]) }
      #expect(realm.objects(Node.self).count == 30 && realm.objects(Leaf.self).count == 30)
      #expect(nodes.allSatisfy { $0.realm == realm && $0.nodes.count == 30 })
      #expect(nodes[10].leaves.map(\.id) == Array(0..<10))
      #expect(nodes[3].holders.count == 30)
      try store.check()
    }
  }
}

import Foundation
import Varve

/// A class with every kind of property that a change may affect: a key, indexes, blobs, links,
/// lists and maps of values and of objects.
@Model final class Node: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var name: String?
  @Persisted(indexed: true) var weight: Double
  @Persisted var data: Data?
  @Persisted var next: Node?
  @Persisted var leaf: Leaf?
  @Persisted var nodes: List<Node>
  @Persisted var leaves: List<Leaf>
  @Persisted var texts: List<String>
  @Persisted var numbers: List<Int?>
  @Persisted var byName: Map<String, Node?>
  @Persisted var words: Map<String, String>
  @Persisted(originProperty: "next") var previous: LinkingObjects<Node>
  @Persisted(originProperty: "nodes") var holders: LinkingObjects<Node>
  @Persisted(originProperty: "byName") var callers: LinkingObjects<Node>
}

@Model final class Leaf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var rank: Int?
  @Persisted(originProperty: "leaf") var owners: LinkingObjects<Node>
  @Persisted(originProperty: "leaves") var holders: LinkingObjects<Node>
}

/// The expected content of a store of nodes and leaves.
struct GraphModel {
  struct NodeState {
    var name: String?
    var weight = 0.0
    var data: Data?
    var next: String?
    var leaf: Int?
    var nodes: [String] = []
    var leaves: [Int] = []
    var texts: [String] = []
    var numbers: [Int?] = []
    var byName: [String: String?] = [:]
    var words: [String: String] = [:]
  }

  var nodes: [String: NodeState] = [:]
  /// The rank of each leaf.
  var leaves: [Int: Int?] = [:]

  mutating func delete(nodes gone: Set<String>) {
    for key in gone { nodes[key] = nil }
    for key in nodes.keys {
      guard var state = nodes[key] else { continue }
      if let next = state.next, gone.contains(next) { state.next = nil }
      state.nodes.removeAll { gone.contains($0) }
      for (name, target) in state.byName {
        if let target, gone.contains(target) { state.byName[name] = .some(nil) }
      }
      nodes[key] = state
    }
  }

  mutating func delete(leaves gone: Set<Int>) {
    for id in gone { leaves[id] = nil }
    for key in nodes.keys {
      if let leaf = nodes[key]?.leaf, gone.contains(leaf) { nodes[key]?.leaf = nil }
      nodes[key]?.leaves.removeAll { gone.contains($0) }
    }
  }
}

import Foundation
import Testing
import Varve

extension GraphModel {
  /// All differences between a realm and the model.
  func differences(_ realm: Realm) -> [String] {
    var found: [String] = []
    func expect(_ isSame: Bool, _ what: @autoclosure () -> String) {
      if !isSame { found.append(what()) }
    }
    let stored = realm.objects(Node.self)
    expect(stored.count == nodes.count, "\(stored.count) nodes for \(nodes.count)")
    expect(Set(stored.map(\.key)) == Set(nodes.keys), "the keys of the nodes")
    for (key, state) in nodes {
      guard let node = realm.object(ofType: Node.self, forPrimaryKey: key) else {
        found.append("node \(key) is missing")
        continue
      }
      compare(node, key, state, expect)
    }
    expect(
      realm.objects(Leaf.self).map(\.id) == leaves.keys.sorted(), "the ids of the leaves")
    for (id, rank) in leaves {
      let leaf = realm.object(ofType: Leaf.self, forPrimaryKey: id)
      expect(leaf != nil && leaf?.rank == rank, "leaf \(id)")
      expect(
        leaf?.owners.map(\.key).sorted() == nodes.filter { $0.value.leaf == id }.keys.sorted(),
        "the owners of leaf \(id)")
    }
    return found
  }

  private func compare(
    _ node: Node, _ key: String, _ state: NodeState,
    _ expect: (Bool, @autoclosure () -> String) -> Void
  ) {
    expect(node.name == state.name, "\(key).name")
    expect(node.weight == state.weight, "\(key).weight")
    expect(node.data == state.data, "\(key).data")
    expect(node.next?.key == state.next, "\(key).next")
    expect(node.leaf?.id == state.leaf, "\(key).leaf")
    expect(node.nodes.map(\.key) == state.nodes, "\(key).nodes")
    expect(node.leaves.map(\.id) == state.leaves, "\(key).leaves")
    expect(Array(node.texts) == state.texts, "\(key).texts")
    expect(Array(node.numbers) == state.numbers, "\(key).numbers")
    expect(node.numbers.indices.map { node.numbers[$0] } == state.numbers, "\(key).numbers[]")
    expect(node.nodes.count == state.nodes.count && node.texts.count == state.texts.count, "counts")
    let byName = Dictionary(
      node.byName.map { ($0.key, $0.value?.key) }, uniquingKeysWith: { first, _ in first })
    expect(byName == state.byName && node.byName.count == byName.count, "\(key).byName")
    let words = Dictionary(
      node.words.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    expect(words == state.words && node.words.count == words.count, "\(key).words")
    let sorted = state.words.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    expect(node.words.keys == sorted, "the order of \(key).words")
    compareLinks(node, key, expect)
  }

  private func compareLinks(
    _ node: Node, _ key: String, _ expect: (Bool, @autoclosure () -> String) -> Void
  ) {
    let previous = nodes.filter { $0.value.next == key }.keys.sorted()
    expect(node.previous.map(\.key).sorted() == previous, "\(key).previous")
    let holders = nodes.flatMap { holder, state in
      state.nodes.filter { $0 == key }.map { _ in holder }
    }
    expect(node.holders.map(\.key).sorted() == holders.sorted(), "\(key).holders")
    expect(node.holders.count == holders.count, "the count of \(key).holders")
    let callers = nodes.flatMap { caller, state in
      state.byName.values.filter { $0 == key }.map { _ in caller }
    }
    expect(node.callers.map(\.key).sorted() == callers.sorted(), "\(key).callers")
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

/// A long random history of writes to a store of nodes and leaves, and the model of the expected
/// content.
struct GraphHistory {

  var model = GraphModel()
  var random: SeededRandom
  private var nextKey = 0
  private var nextLeaf = 0

  init(_ random: SeededRandom) { self.random = random }

  /// One write of several steps, which is sometimes rolled back and sometimes read from inside.
  mutating func write(_ realm: Realm) throws {
    let before = model
    let steps = 1 + random.below(random.chance(10) ? 60 : 12)
    let isCancelled = random.chance(12)
    do {
      try realm.write {
        for _ in 0..<steps { step(realm) }
        if random.chance(15) {
          let found = model.differences(realm)
          #expect(found.isEmpty, "in the write: \(found.prefix(5)), seed \(random.seed)")
        }
        if isCancelled { throw Cancelled() }
      }
    } catch is Cancelled {
      model = before
    }
  }

  private mutating func step(_ realm: Realm) {
    switch random.below(100) {
    case ..<14: createNode(realm)
    case ..<22: createLeaf(realm)
    case ..<26: deleteNodes(realm)
    case ..<29: deleteLeaves(realm)
    case 99 where random.chance(5):
      realm.deleteAll()
      model = GraphModel()
    default:
      guard let key = random.element(model.nodes.keys.sorted()),
        let node = realm.object(ofType: Node.self, forPrimaryKey: key)
      else { return createNode(realm) }
      change(node, key, realm)
    }
  }

  // MARK: Objects

  private mutating func createNode(_ realm: Realm) {
    nextKey += 1
    // Some keys are longer than LMDB's maximum key size.
    let length = random.chance(20) ? 430 + random.below(40) : 0
    let key = String(repeating: "k", count: length) + "\(nextKey)"
    var state = GraphModel.NodeState()
    state.name = random.chance(50) ? name() : nil
    state.weight = Double(random.below(5))
    state.texts = (0..<random.below(3)).map { _ in text() }
    let node = Node(value: ["key": key, "weight": state.weight, "texts": state.texts])
    node.name = state.name
    realm.add(node)
    model.nodes[key] = state
  }

  private mutating func createLeaf(_ realm: Realm) {
    nextLeaf += 1
    let id = random.chance(50) ? nextLeaf : -nextLeaf
    let rank: Int? = random.chance(70) ? random.below(4) : nil
    let leaf = Leaf()
    leaf.id = id
    leaf.rank = rank
    realm.add(leaf)
    model.leaves[id] = .some(rank)
  }

  private mutating func deleteNodes(_ realm: Realm) {
    let count = random.chance(20) ? 6 : 1
    let keys = Set(model.nodes.keys.sorted().shuffled(using: &random).prefix(count))
    realm.delete(keys.compactMap { realm.object(ofType: Node.self, forPrimaryKey: $0) })
    model.delete(nodes: keys)
  }

  private mutating func deleteLeaves(_ realm: Realm) {
    let rank = random.below(4)
    if random.chance(10) {
      realm.delete(realm.objects(Leaf.self).where { $0.rank == rank })
      model.delete(leaves: Set(model.leaves.filter { $0.value == rank }.keys))
    } else if let id = random.element(model.leaves.keys.sorted()),
      let leaf = realm.object(ofType: Leaf.self, forPrimaryKey: id)
    {
      realm.delete(leaf)
      model.delete(leaves: [id])
    }
  }

  // MARK: Properties

  private mutating func change(_ node: Node, _ key: String, _ realm: Realm) {
    guard var state = model.nodes[key] else { return }
    switch random.below(12) {
    case 0:
      state.name = random.chance(70) ? name() : nil
      node.name = state.name
    case 1:
      state.weight = Double(random.below(5))
      node.weight = state.weight
    case 2:
      state.data =
        random.chance(30)
        ? nil : Data(repeating: 1, count: [0, 5, 512, 513, 3_000][random.below(5)])
      node.data = state.data
    case 3:
      let target = random.chance(80) ? random.element(model.nodes.keys.sorted()) : nil
      state.next = target
      node.next = target.flatMap { realm.object(ofType: Node.self, forPrimaryKey: $0) }
    case 4:
      let target = random.chance(80) ? random.element(model.leaves.keys.sorted()) : nil
      state.leaf = target
      node.leaf = target.flatMap { realm.object(ofType: Leaf.self, forPrimaryKey: $0) }
    case 5, 6: changeLists(node, &state, realm)
    case 7:
      for _ in 0..<random.below(random.chance(10) ? 800 : 6) {
        ListSteps.run(node.texts, &state.texts, &random) { random in GraphHistory.text(&random) }
      }
    case 8:
      for _ in 0..<random.below(random.chance(10) ? 800 : 6) {
        ListSteps.run(node.numbers, &state.numbers, &random) { random in
          random.chance(20) ? nil : random.below(50)
        }
      }
    case 9: changeByName(node, &state, realm)
    case 10, 11: changeWords(node, &state)
    default: break
    }
    model.nodes[key] = state
  }

  private mutating func changeLists(
    _ node: Node, _ state: inout GraphModel.NodeState, _ realm: Realm
  ) {
    let keys = model.nodes.keys.sorted()
    let targets = (0..<1 + random.below(4)).compactMap { _ in random.element(keys) }
    let objects = targets.compactMap { realm.object(ofType: Node.self, forPrimaryKey: $0) }
    node.nodes.append(objectsIn: objects)
    state.nodes += targets
    if state.nodes.count > 3, random.chance(50) {
      let index = random.below(state.nodes.count)
      node.nodes.remove(at: index)
      state.nodes.remove(at: index)
    }
    if state.nodes.count > 1, random.chance(30) {
      let first = random.below(state.nodes.count)
      let second = random.below(state.nodes.count)
      node.nodes.swapAt(first, second)
      state.nodes.swapAt(first, second)
    }
    if let id = random.element(model.leaves.keys.sorted()),
      let leaf = realm.object(ofType: Leaf.self, forPrimaryKey: id)
    {
      let index = random.below(state.leaves.count + 1)
      node.leaves.insert(leaf, at: index)
      state.leaves.insert(id, at: index)
    }
    if random.chance(8) {
      node.leaves.removeAll()
      state.leaves.removeAll()
    }
  }

  private mutating func changeByName(
    _ node: Node, _ state: inout GraphModel.NodeState, _ realm: Realm
  ) {
    let name = "n\(random.below(6))"
    if random.chance(25) {
      node.byName[name] = nil
      state.byName[name] = nil
    } else if random.chance(15) {
      node.byName[name] = .some(nil)
      state.byName[name] = .some(nil)
    } else if let target = random.element(model.nodes.keys.sorted()) {
      node.byName[name] = realm.object(ofType: Node.self, forPrimaryKey: target)
      state.byName[name] = .some(target)
    }
  }

  private mutating func changeWords(_ node: Node, _ state: inout GraphModel.NodeState) {
    // Keys with a common prefix longer than LMDB's maximum key size.
    let length = random.chance(40) ? 436 + random.below(8) : 0
    let key = String(repeating: "w", count: length) + "\(random.below(8))"
    if random.chance(5) {
      node.words.removeAll()
      state.words = [:]
    } else if random.chance(30) {
      node.words[key] = nil
      state.words[key] = nil
    } else {
      let word = text()
      node.words[key] = word
      state.words[key] = word
    }
  }

  private mutating func name() -> String { "name \(random.below(6))" }
  private mutating func text() -> String { GraphHistory.text(&random) }

  private static func text(_ random: inout SeededRandom) -> String {
    let count = random.chance(10) ? [511, 512, 513, 2_000][random.below(4)] : random.below(12)
    return String(repeating: "t", count: count) + "\(random.below(10))"
  }
}

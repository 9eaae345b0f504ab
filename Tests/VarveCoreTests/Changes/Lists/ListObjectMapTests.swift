import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct ListObjectMapTests {
  private let listID = ListTestStore.listID
  private let format = ListTestKind.link.format

  private func map(_ snapshot: Snapshot) throws -> ListObjectMap {
    try ListObjectMap(listID: listID, format: format, in: snapshot)
  }

  private func write(_ store: ListTestStore, _ objects: [UInt64]) throws -> Snapshot {
    try store.write(format) { editor in
      if editor.count > 0 { try editor.removeAll() }
      try editor.insert(contentsOf: objects, at: 0)
    }
  }

  @Test func objectsAreFoundAtTheirIndexes() throws {
    let store = try ListTestStore()
    let objects = (0..<20_000).map { UInt64($0 % 15_000) }
    let map = try map(try write(store, objects))
    #expect(map.count == 20_000)
    #expect(map.indexes(of: 3) == [3, 15_003] && map.indexes(of: 7000) == [7000])
    #expect(map.indexes(of: 15_000).isEmpty)
    let several: [UInt64] = [14_999, 99_999, 4, 3]
    #expect(Array(map.indexes(of: several)) == [3, 4, 14_999, 15_003, 15_004])
  }

  @Test func anEmptyListHasNoObjects() throws {
    let store = try ListTestStore()
    let other = try store.write(format, listID: 8) { editor in try editor.append(bits: 1) }
    var map = try map(other)
    #expect(map.count == 0 && map.indexes(of: 1).isEmpty)
    let new = try write(store, [5, 6, 5])
    let difference = ListDifference(listID: listID, format: format)
    try map.apply(try difference.changes(from: other, to: new), to: new)
    #expect(map.indexes(of: 5) == [0, 2])
  }

  @Test(arguments: [ListTestKind.link, .fewObjects])
  func theMapFollowsTheList(kind: ListTestKind) throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    var list = ModelList(kind: kind)
    list.maximumCount = 4000
    var last = try store.write(kind.format) { editor in try list.fill(editor, 2000, &random) }
    var map = try map(last)
    let difference = ListDifference(listID: listID, format: kind.format)
    for step in 0..<120 {
      let new = try store.write(kind.format) { editor in
        try list.change(editor, times: random.int(1...4), &random)
      }
      let changes = try difference.changes(from: last, to: new)
      // Now and then the map is late, and follows several versions at once.
      if random.oneIn(3) { continue }
      try map.apply(changes, to: new)
      last = new
      #expect(mapFault(map, list) == nil, "step \(step), \(random)")
    }
  }

  @Test func singleChangesKeepTheTreeInOrder() throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    let map = try map(try write(store, [1]))
    var changed = map
    var objects: [UInt64] = [1]
    for step in 0..<6000 {
      // Grows to about two thousand, shrinks to nothing, and so on.
      let grows = step / 1500 % 2 == 0
      if objects.isEmpty || random.chance(grows ? 95 : 10) {
        let place = random.int(0...objects.count)
        let id = UInt64(random.below(3000))
        changed.insert(id, at: place)
        objects.insert(id, at: place)
      } else if random.chance(70) {
        let place = random.below(objects.count)
        changed.remove(at: place)
        objects.remove(at: place)
      } else {
        let place = random.below(objects.count)
        objects[place] = UInt64(random.below(3000))
        changed.replace(at: place, objects[place])
      }
      if step % 100 == 0 {
        let found = treeFault(changed, objects)
        #expect(found == nil, "step \(step), \(random)")
      }
    }
    #expect(map.indexes(of: 1) == [0] && map.count == 1)
  }

  @Test func manyLevelsAreKept() throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    var map = try map(try write(store, []))
    var objects: [UInt64] = []
    // Always at one place: leaves and nodes split there until there are three levels of nodes.
    for id in 0..<30_000 as Range<UInt64> {
      map.insert(id, at: objects.count / 2)
      objects.append(id)
    }
    let (even, odd) = (objects.filter { $0 % 2 == 1 }, objects.filter { $0 % 2 == 0 })
    objects = even + odd.reversed()
    #expect(treeFault(map, objects) == nil)
    while objects.count > 10 {
      let place = random.below(objects.count / 8 + 1)
      map.remove(at: place)
      objects.remove(at: place)
      if objects.count % 5000 == 0 { #expect(treeFault(map, objects) == nil, "\(random)") }
    }
    #expect(treeFault(map, objects) == nil, "\(random)")
  }

  @Test func damagedNodesAreAnError() throws {
    let store = try ListTestStore()
    let old = try write(store, Array(0..<3000))
    var map = try map(old)
    let new = try store.write(format) { editor in try editor.insert(bits: 9, at: 1500) }
    let changes = try ListDifference(listID: listID, format: format).changes(from: old, to: new)
    var reader = ListNodeReader(listID: listID, format: format, snapshot: new)
    let leaves = try reader.leaves(below: try reader.root()).entries
    let leaf = leaves.first { $0.stamp == new.root.counter }
    let damaged = try store.damage(nodeID: try #require(leaf).nodeID) { $0[4] = 77 }
    expectError(.corrupted) { try map.apply(changes, to: damaged) }
    expectError(.corrupted) { try self.map(damaged) }
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.indexes(in: damaged) { $0 == 3 } }
  }

  @Test func aLeafThatCountsBillionsIsAnError() throws {
    let store = try ListTestStore()
    _ = try write(store, Array(0..<1000))
    let damaged = try store.damage(nodeID: ListNodeKey.root) { bytes in
      let inner = ListInnerBuffer()
      for node in 1...4 as ClosedRange<UInt64> {
        inner.append(ListInnerEntry(nodeID: node, stamp: 1, count: 1_000_000_000))
      }
      bytes = inner.finish { [UInt8]($0) }
    }
    expectError(.corrupted) { try map(damaged) }
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.indexes(in: damaged) { $0 == 3 } }
  }

  @Test func aScanFindsObjects() throws {
    let store = try ListTestStore()
    let snapshot = try write(store, (0..<3000).map { UInt64($0 % 1000) })
    let found = try ListDifference(listID: listID, format: format)
      .indexes(in: snapshot) { $0 == 0 || $0 == 999 }
    #expect(Array(found) == [0, 999, 1000, 1999, 2000, 2999])
  }

  // MARK: - Checks

  private func mapFault(_ map: ListObjectMap, _ list: ModelList) -> String? {
    let objects = list.items.compactMap(\.element).map { bytes in
      bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
    return treeFault(map, objects)
  }

  /// What is wrong with a map of some objects.
  private func treeFault(_ map: ListObjectMap, _ objects: [UInt64]) -> String? {
    guard map.count == objects.count else { return "\(map.count) objects, not \(objects.count)" }
    let expected = Dictionary(grouping: objects.indices) { objects[$0] }
    for (id, indexes) in expected where map.indexes(of: id) != indexes {
      return "\(id) is at \(map.indexes(of: id)), not \(indexes)"
    }
    if !Array(map.indexes(of: 5000...5100)).allSatisfy({ 5000...5100 ~= objects[$0] }) {
      return "others are found"
    }
    var found: [UInt64] = []
    if let fault = gather(map, map.root, into: &found) { return fault }
    return found == objects ? nil : "the objects are in another order"
  }

  private func gather(_ map: ListObjectMap, _ node: Int, into found: inout [UInt64]) -> String? {
    let content = map.nodes[node]
    if content.children.count > ListObjectMap.maximumChildren { return "a node is overfull" }
    for (child, count) in zip(content.children, content.counts) {
      let before = found.count
      if content.holdsLeaves {
        let leaf = map.leaves[child]
        guard leaf.parent == node, leaf.ids.count <= ListObjectMap.maximumObjects else {
          return "leaf \(child) is wrong"
        }
        if leaf.ids.isEmpty { return "leaf \(child) is empty" }
        found += leaf.ids
      } else {
        if map.nodes[child].parent != node { return "node \(child) is elsewhere" }
        if let fault = gather(map, child, into: &found) { return fault }
      }
      if found.count - before != count { return "child \(child) has another count" }
    }
    return nil
  }
}

import Foundation
import Testing
import Varve
import VarveCore

@Suite struct DeletionTests {
  private func node(_ key: String) -> Node { Node(value: ["key": key]) }

  @Test func deletionClearsLinksInEveryCollection() throws {
    try withTemporaryRealm { realm, store in
      let (a, b, gone) = (node("a"), node("b"), node("gone"))
      a.next = gone
      a.nodes.append(objectsIn: [gone, b, gone, a, gone])
      a.byName["x"] = .some(gone)
      a.byName["y"] = .some(b)
      b.byName["z"] = .some(gone)
      try realm.write { realm.add([a, b, gone]) }
      #expect(gone.holders.map(\.key) == ["a", "a", "a"])
      let frozen = realm.freeze()
      try realm.write {
        realm.delete(gone)
        #expect(a.next == nil && a.nodes.map(\.key) == ["b", "a"])
        #expect(a.byName["x"] == .some(nil) && a.byName.count == 2)
      }
      #expect(gone.isInvalidated && a.next == nil)
      #expect(a.nodes.map(\.key) == ["b", "a"] && a.nodes.count == 2)
      #expect(a.byName["x"] == .some(nil) && a.byName.keys == ["x", "y"])
      #expect(a.byName["y"]??.key == "b" && b.byName["z"] == .some(nil))
      try store.check()
      let old = try #require(frozen.object(ofType: Node.self, forPrimaryKey: "a"))
      #expect(old.next?.key == "gone" && old.nodes.count == 5 && old.byName["x"]??.key == "gone")
    }
  }

  @Test func cyclesAndSelfLinksCanBeDeleted() throws {
    try withTemporaryRealm { realm, store in
      let (a, b, c) = (node("a"), node("b"), node("c"))
      a.next = a
      a.nodes.append(objectsIn: [a, a, b])
      a.byName["me"] = .some(a)
      b.next = c
      c.next = b
      c.nodes.append(objectsIn: [b, c])
      b.byName["c"] = .some(c)
      try realm.write { realm.add([a, b, c]) }
      try store.check()
      try realm.write { realm.delete(a) }
      try store.check()
      #expect(realm.objects(Node.self).count == 2 && c.next?.key == "b")
      try realm.write { realm.delete([b, c]) }
      let report = try store.report()
      #expect(report.isSound && report.objectCount == 0, "\(report)")
      #expect(report.backlinkCount == 0 && report.collectionCount == 0)
    }
  }

  @Test func manyObjectsAreDeletedAtOnce() throws {
    try withTemporaryRealm { realm, store in
      let hub = node("hub")
      try realm.write {
        realm.add(hub)
        for id in 0..<3_000 {
          let leaf = realm.create(Leaf.self, value: ["id": id, "rank": id % 3])
          hub.leaves.append(leaf)
        }
        hub.leaves.append(objectsIn: Array(hub.leaves.prefix(100)))
      }
      try realm.write { realm.delete(realm.objects(Leaf.self).where { $0.rank == 1 }) }
      #expect(hub.leaves.count == 2_067)
      #expect(hub.leaves.allSatisfy { $0.rank != 1 })
      try store.check()
      try realm.write { realm.delete(hub.leaves) }
      #expect(hub.leaves.isEmpty && realm.objects(Leaf.self).isEmpty)
      try store.check()
    }
  }

  @Test func deleteAllRemovesEverything() throws {
    try withTemporaryRealm { realm, store in
      let kept = node("a")
      try realm.write {
        realm.add(kept)
        kept.nodes.append(kept)
        kept.leaves.append(Leaf(value: ["id": 1]))
        kept.words["a"] = String(repeating: "x", count: 1_000)
        kept.data = Data(repeating: 1, count: 1_000)
      }
      let frozen = kept.freeze()
      try realm.write {
        realm.deleteAll()
        #expect(realm.objects(Node.self).isEmpty && realm.isEmpty)
        realm.create(Leaf.self, value: ["id": 2])
      }
      #expect(kept.isInvalidated && frozen.words["a"]?.count == 1_000 && frozen.nodes.count == 1)
      let report = try store.report()
      #expect(report.isSound && report.objectCount == 1 && report.blobCount == 0, "\(report)")
    }
  }

  @Test func deletedObjectReadsAsZero() throws {
    try withTemporaryRealm { realm, _ in
      let object = AllTypes(value: ["id": 5, "int": 7, "string": "text", "ints": [1, 2]])
      object.color = .blue
      try realm.write { realm.add(object) }
      let (list, map) = (object.ints, object.intMap)
      try realm.write { realm.delete(object) }
      #expect(object.isInvalidated && list.isInvalidated && map.isInvalidated)
      #expect(object.id == 5 && object.int == 0 && object.string == "" && object.color == .red)
      #expect(object.data == Data() && object.date == Date(timeIntervalSince1970: 0))
      #expect(object.uuid == ValueSample.uuids[0] && object.objectId == ValueSample.objectIds[0])
      #expect(object.optionalInt == nil && object.link == nil && object.links.isEmpty)
      #expect(list.isEmpty && list.count == 0 && list.first == nil && Array(list).isEmpty)
      #expect(map.isEmpty && map["a"] == nil && map.keys.isEmpty)
    }
  }

  @Test func changingListOfDeletedObjectFailsWrite() throws {
    try withTemporaryRealm { realm, store in
      let object = AllTypes(value: ["id": 1, "ints": [1, 2, 3]])
      object.intMap["a"] = 1
      try realm.write { realm.add(object) }
      let (list, map) = (object.ints, object.intMap)
      for change in [{ list.append(4) }, { list.removeAll() }, { map["b"] = 2 }] as [() -> Void] {
        let code = errorCode {
          try realm.write {
            list.append(9)
            map["c"] = 3
            realm.delete(object)
            change()
          }
        }
        #expect(code == .invalidatedObject)
        #expect(Array(list) == [1, 2, 3] && map.keys == ["a"])
      }
      try store.check()
    }
  }

  @Test func deletingTwiceFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let a = node("a")
      try realm.write { realm.add(a) }
      let code = errorCode {
        try realm.write {
          realm.delete(a)
          realm.delete(a)
        }
      }
      #expect(code == .invalidatedObject)
      #expect(!a.isInvalidated)
      try realm.write { realm.delete([a, a]) }
      #expect(a.isInvalidated)
    }
  }

  @Test func moreChangedRowsThanWriteCaches() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<21_000 { realm.create(Leaf.self, value: ["id": id, "rank": 0]) }
        for key in 0..<50 { realm.add(node("\(key)")) }
      }
      let leaves = Array(realm.objects(Leaf.self))
      let nodes = Array(realm.objects(Node.self))
      // More changed rows than a write caches, while lists and maps are changed.
      try realm.write {
        for (index, leaf) in leaves.enumerated() {
          leaf.rank = index % 7
          if index % 100 == 0 { nodes[index / 100 % 50].leaves.append(leaf) }
          if index % 500 == 0 { nodes[index / 500 % 50].words["\(index)"] = "w" }
        }
        for node in nodes { node.leaf = leaves[0] }
      }
      #expect(realm.objects(Leaf.self).where { $0.rank == 3 }.count == 3_000)
      #expect(nodes.map(\.leaves.count).reduce(0, +) == 210)
      #expect(leaves[0].owners.count == 50)
      try store.check()
    }
  }
}

import Testing
import Varve
import VarveCore
import VarveStorage

/// Links in lists and maps that are in rows, and their backlinks.
@Suite struct CollectionsInRowsLinkTests {
  private func withTray(_ body: (Realm, Tray, TemporaryRealm) throws -> Void) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let (realm, tray) = try store.openWithTray()
    try body(realm, tray, store)
  }

  private func pebble(_ realm: Realm, _ id: Int) throws -> Pebble {
    try #require(realm.object(ofType: Pebble.self, forPrimaryKey: id))
  }

  @Test(arguments: [5, 40])
  func deletedTargetLeavesListAndNullsMap(count: Int) throws {
    try withTray { realm, tray, store in
      try realm.write {
        TrayProperty.pebbles.assign(Array(0..<count), to: tray, realm)
        TrayProperty.named.assign(Array(0..<count), to: tray, realm)
        tray.pebbles.append(objectsIn: [tray.pebbles[1], tray.pebbles[3]])
      }
      #expect(try store.isInRow(.pebbles) == (count == 5))
      #expect(try store.isInRow(.named) == (count == 5))
      let frozen = tray.freeze()
      let gone = try [1, 4].map { try pebble(realm, $0) }
      let inside = try realm.write {
        realm.delete(gone)
        return (tray.pebbles.map(\.id), tray.named["k001"], tray.named["k003"]??.id)
      }
      let rest = (0..<count).filter { $0 != 1 && $0 != 4 } + [3]
      #expect(inside.0 == rest && inside.1 == .some(nil) && inside.2 == 3)
      #expect(tray.pebbles.map(\.id) == rest && tray.pebbles.count == count - 1)
      #expect(tray.named["k001"] == .some(nil) && tray.named["k004"] == .some(nil))
      #expect(tray.named.count == count && tray.named["k000"]??.id == 0)
      try store.check()
      #expect(frozen.pebbles.count == count + 2 && frozen.named["k001"]??.id == 1)
      // All others.
      try realm.write { realm.delete(realm.objects(Pebble.self)) }
      #expect(tray.pebbles.isEmpty && tray.named.values.allSatisfy { $0 == nil })
      #expect(tray.named.count == count)
      let report = try store.report()
      #expect(report.isSound && report.backlinkCount == 0, "\(report)")
    }
  }

  /// Several owners, some of which have the target outside their rows.
  @Test func deletedTargetLeavesEveryOwner() throws {
    try withTray { realm, _, store in
      try realm.write {
        for id in 2..<30 {
          let tray = Tray(id)
          TrayProperty.pebbles.assign(Array(0..<(id % 3 == 0 ? 40 : id % 5)), to: tray, realm)
          TrayProperty.named.assign(Array(0..<(id % 4 == 0 ? 40 : id % 5)), to: tray, realm)
          realm.add(tray)
        }
      }
      let gone = try pebble(realm, 0)
      let (trays, namedIn) = (gone.trays.count, gone.namedIn.count)
      #expect(trays > 10 && namedIn > 10)
      let before = realm.freeze()
      try realm.write { realm.delete(gone) }
      var (changed, nulled) = (0, 0)
      for tray in realm.objects(Tray.self) {
        let old = try #require(before.object(ofType: Tray.self, forPrimaryKey: tray.id))
        #expect(tray.pebbles.map(\.id) == old.pebbles.map(\.id).filter { $0 != 0 })
        #expect(tray.named.keys == old.named.keys)
        #expect(tray.named.allSatisfy { $0.value?.id ?? 0 == old.named[$0.key]??.id })
        changed += tray.pebbles.count < old.pebbles.count ? 1 : 0
        nulled += tray.named["k000"] == .some(nil) ? 1 : 0
      }
      #expect(changed == trays && nulled == namedIn)
      let found = try realm.changes(since: before).objects(Tray.self).modifications
      #expect(found.count { $0.properties.map(\.name).contains("pebbles") } == changed)
      #expect(found.count { $0.properties.map(\.name).contains("named") } == nulled)
      try store.check()
    }
  }

  @Test func backlinksAreEqualWhereverCollectionIs() throws {
    try withTray { realm, tray, store in
      let other = Tray(2)
      try realm.write {
        realm.add(other)
        for owner in [tray, other] {
          TrayProperty.pebbles.assign([3, 7, 3], to: owner, realm)
          TrayProperty.named.assign([3, 8], to: owner, realm)
        }
      }
      let (three, seven) = (try pebble(realm, 3), try pebble(realm, 7))
      func expectLinks(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(three.trays.map(\.id) == [1, 1, 2, 2], sourceLocation: sourceLocation)
        #expect(three.namedIn.map(\.id) == [1, 2], sourceLocation: sourceLocation)
        #expect(seven.trays.map(\.id) == [1, 2], sourceLocation: sourceLocation)
        #expect(seven.namedIn.isEmpty, sourceLocation: sourceLocation)
        let owners = realm.objects(Tray.self).where { $0.pebbles.contains(three) }
        #expect(owners.map(\.id) == [1, 2], sourceLocation: sourceLocation)
      }
      let backlinks = try store.report().backlinkCount
      expectLinks()
      for round in 0..<6 {
        let isLong = round % 2 == 0
        let rest = isLong ? Array(20..<60) : []
        let before = realm.freeze()
        let inside = try realm.write {
          TrayProperty.pebbles.assign([3, 7, 3] + rest, to: tray, realm)
          TrayProperty.named.assign([3, 8] + rest, to: tray, realm)
          return (three.trays.map(\.id), three.namedIn.map(\.id))
        }
        #expect(inside == ([1, 1, 2, 2], [1, 2]))
        #expect(try store.isInRow(.pebbles) == !isLong && store.isInRow(.named) == !isLong)
        expectLinks()
        let report = try store.report()
        #expect(report.isSound && report.backlinkCount == backlinks + 2 * rest.count, "\(report)")
        let changes = try realm.changes(since: before)
        let found = [
          try changes.changes(of: three.trays), try changes.changes(of: three.namedIn),
        ]
        #expect(found.allSatisfy { $0.deletions.isEmpty && $0.insertions.isEmpty })
      }
    }
  }

  @Test(arguments: [3, 30])
  func deletedOwnerReleasesItsLinks(count: Int) throws {
    try withTray { realm, tray, store in
      try realm.write {
        TrayProperty.pebbles.assign(Array(0..<count), to: tray, realm)
        TrayProperty.named.assign(Array(0..<count), to: tray, realm)
        tray.notes["a"] = String(repeating: "b", count: 700)
        tray.words.append(String(repeating: "b", count: 700))
      }
      // Changed by the write that deletes the owner.
      try realm.write {
        TrayProperty.pebbles.assign(Array(0..<33 - count), to: tray, realm)
        TrayProperty.named.assign(Array(0..<33 - count), to: tray, realm)
        TrayProperty.scores.assign(Array(0..<33 - count), to: tray, realm)
        realm.delete(tray)
      }
      #expect(try pebble(realm, 0).trays.isEmpty && pebble(realm, 0).namedIn.isEmpty)
      let report = try store.report()
      #expect(report.isSound && report.backlinkCount == 0 && report.blobCount == 0, "\(report)")
      #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
    }
  }

  // MARK: Embedded objects

  /// A branch with branches in a list and in a map, which have two in each.
  private func branch(_ name: String, _ count: Int, depth: Int = 2) -> Branch {
    let branch = Branch(value: ["name": name])
    guard depth > 0 else { return branch }
    for index in 0..<count {
      branch.branches.append(self.branch("\(name) \(index)", 2, depth: depth - 1))
      branch.byName["\(index)"] = .some(self.branch("\(name) k\(index)", 2, depth: depth - 1))
    }
    return branch
  }

  @Test(arguments: [2, 40])
  func deletionCascadesToEmbeddedObjects(count: Int) throws {
    try withTemporaryRealm { realm, store in
      let tree = Tree(value: ["name": "oak"])
      for index in 0..<3 { tree.branches.append(branch("b\(index)", count)) }
      try realm.write { realm.add(tree) }
      let each = 1 + 2 * count * 5
      #expect(try store.report().objectCount == 1 + 3 * each)
      #expect(try (store.count(.lists) == 0) == (count == 2))
      #expect(try (store.count(.dictionaries) == 0) == (count == 2))
      try store.check()

      // One below another; then a value that is replaced, and one that is removed.
      let first = tree.branches[0]
      try realm.write {
        first.branches.remove(at: 1)
        realm.delete(first.branches[0])
      }
      #expect(first.branches.count == count - 2)
      #expect(try store.report().objectCount == 1 + 3 * each - 10)
      try store.check()
      try realm.write {
        first.byName["0"] = .some(Branch(value: ["name": "new"]))
        first.byName["1"] = nil
      }
      #expect(first.byName.count == count - 1 && first.byName["0"]??.name == "new")
      #expect(try store.report().objectCount == 1 + 3 * each - 19)
      try store.check()
      // A deleted value leaves null.
      try realm.write { if let value = first.byName["0"] ?? nil { realm.delete(value) } }
      #expect(first.byName["0"] == .some(nil) && first.byName.count == count - 1)
      try store.check()
      try realm.write { tree.branches.removeFirst() }
      #expect(try store.report().objectCount == 1 + 2 * each)
      try realm.write { realm.delete(tree) }
      let report = try store.report()
      #expect(report.isSound && report.objectCount == 0 && report.backlinkCount == 0, "\(report)")
      #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
    }
  }

  /// The parent of an embedded object is the same while the collection grows out of the row.
  @Test func embeddedObjectsKeepParentsOfMovedCollections() throws {
    try withTemporaryRealm { realm, store in
      let tree = Tree(value: ["name": "oak"])
      let parent = Branch(value: ["name": "parent"])
      tree.branches.append(parent)
      try realm.write { realm.add(tree) }
      for count in [2, 50, 3, 0, 60] {
        try realm.write {
          while parent.branches.count > count { parent.branches.removeLast() }
          while parent.branches.count < count {
            parent.branches.append(Branch(value: ["name": "\(parent.branches.count)"]))
          }
          for index in 0..<60 {
            if index >= count {
              parent.byName["k\(index)"] = nil
            } else if parent.byName["k\(index)"] == nil {
              parent.byName["k\(index)"] = .some(Branch(value: ["name": "k"]))
            }
          }
        }
        #expect(parent.branches.map(\.name) == (0..<count).map { "\($0)" })
        #expect(parent.branches.allSatisfy { $0.parents.map(\.name) == ["parent"] })
        #expect(parent.byName.count == count)
        #expect(try store.report().objectCount == 2 + 2 * count)
        try store.check("\(count) branches")
      }
    }
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines

/// Embedded classes that embed themselves.
@Suite struct EmbeddedTreeTests {
  private func value(_ name: String, _ depth: Int) -> [String: Any] {
    guard depth > 0 else { return ["name": name] }
    return [
      "name": name, "next": value(name + "n", depth - 1),
      "branches": [value(name + "0", depth - 1), value(name + "1", 0)],
      "byName": ["x": value(name + "x", 0)], "nest": ["twigs": [value(name + "t", 0)]],
    ]
  }

  private func withTree(_ body: (Realm, TemporaryRealm, Tree) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let tree = try realm.write {
        realm.create(
          Tree.self, value: ["name": "oak", "stem": value("s", 3), "branches": [value("b", 1)]])
      }
      try body(realm, store, tree)
      try store.check()
    }
  }

  private func counts(_ store: TemporaryRealm, _ realm: Realm) throws -> [Int] {
    [
      try realm.dynamicObjects("Tree").count, try realm.dynamicObjects("Branch").count,
      try realm.dynamicObjects("Nest").count,
    ]
  }

  @Test func treeIsStoredChangedAndDeleted() throws {
    try withTree { realm, store, tree in
      #expect(tree.stem?.next?.branches[0].branches[1].name == "sn01")
      #expect(tree.stem?.branches[0].nest?.twigs.first?.name == "s0t")
      #expect(tree.stem?.branches[0].parents.first?.name == "s")
      // A branch of depth 1 has 6 objects including itself, of depth 2 16, and of depth 3 36.
      #expect(try counts(store, realm) == [1, 42, 8])
      let inner = try #require(tree.stem?.next?.next)
      try realm.write {
        tree.stem?.next = Branch(value: ["name": "new"])
        #expect(inner.isInvalidated)
      }
      #expect(try counts(store, realm) == [1, 27, 5])
      try realm.write { tree.stem?.branches.move(from: 1, to: 0) }
      #expect(tree.stem?.branches.map(\.name) == ["s1", "s0"])
      let copy = Branch(value: try #require(tree.stem))
      try realm.write { tree.branches.append(copy) }
      #expect(tree.branches[1].branches[1].next?.name == "s0n")
      let dynamic = try #require(try realm.dynamicObjects("Tree").first)
      #expect(try dynamic.value(forKeyPath: "stem.next.name") as? String == "new")
      try realm.write { realm.delete(tree) }
      #expect(try counts(store, realm) == [0, 0, 0])
    }
  }

  @Test func queriesAndCodingFollowBranches() throws {
    try withTree { realm, _, tree in
      let trees = realm.objects(Tree.self)
      #expect(trees.where { $0.stem.next.next.name == "snn" }.count == 1)
      #expect(tree.stem?.branches.where { $0.next.name == "s0n" }.map(\.name) == ["s0"])
      let text = try JSONEncoder().encode(tree)
      let decoded = try JSONDecoder().decode(Tree.self, from: text)
      #expect(decoded.stem?.next?.branches[0].branches[1].name == "sn01")
      let frozen = tree.freeze()
      try realm.write { tree.stem = nil }
      #expect(frozen.stem?.branches[0].name == "s0" && tree.stem == nil)
    }
  }

  @Test func changeOfBranchChangesTree() throws {
    try withTree { realm, _, tree in
      let events = EventRecorder<[String]>()
      let token = try tree.observe(keyPaths: ["stem.next.branches.name"]) { change in
        if case .change(_, let properties) = change { events.note(properties.map(\.name)) }
      }
      try realm.write { tree.stem?.next?.branches[0].name = "renamed" }
      #expect(events.wait(for: 1) == [["stem"]])
      token.invalidate()
    }
  }

  @Test func branchCannotContainItself() throws {
    try withTree { realm, _, tree in
      let stem = try #require(tree.stem)
      for change in [
        { stem.next?.next = stem }, { stem.branches[0].branches.append(stem) },
        { stem.branches.replaceSubrange(0..<1, with: [stem.branches[0].branches[0]]) },
        { tree.stem = stem.next }, { stem.byName["x"] = stem },
        {
          // In a separate cycle.
          let (first, second) = (Branch(), Branch())
          first.next = second
          second.branches.append(first)
          tree.branches.append(first)
        },
        {
          let branch = Branch()
          branch.next = branch
          tree.branches[0] = branch
        },
      ] {
        expectError(.alreadyEmbedded) { try realm.write { change() } }
      }
      #expect(tree.stem?.isSameObject(as: stem) == true && tree.branches.count == 1)
    }
  }

  /// Nests branches in the first branches, one at a time.
  private func grow(_ tree: Tree, by count: Int) {
    var branches = tree.branches
    while let first = branches.first { branches = first.branches }
    for number in 0..<count {
      branches.append(Branch(value: ["name": "\(number)"]))
      branches = branches[0].branches
    }
  }

  @Test func treeDepthIsLimitedTo100() throws {
    try withTemporaryRealm { realm, store in
      let tree = try realm.write { realm.create(Tree.self, value: ["name": "tall"]) }
      onASmallStack {
        try realm.write { grow(tree, by: 100) }
        for count in [1, 3_000] {
          let error = thrownError { try realm.write { grow(tree, by: count) } }
          #expect(error?.code == .invalidInput && error?.className == "Branch")
        }
        #expect(try realm.dynamicObjects("Branch").count == 100)
        // Created at once through a property, a list and a dictionary.
        let tall = Branch()
        var top = tall
        for number in 0..<100_000 {
          let next = Branch()
          switch number % 3 {
          case 0: top.next = next
          case 1: top.branches.append(next)
          default: top.byName["a"] = next
          }
          top = next
        }
        let error = thrownError { try realm.write { tree.stem = tall } }
        #expect(error?.code == .invalidInput && error?.className == "Branch")
        #expect(tree.stem == nil)
      }
      let url = store.directory.appending(path: "tall.jsonl")
      onASmallStack(size: 8 << 20) {
        try realm.exportJSONLines(to: url)
        let text = try JSONEncoder().encode(tree)
        #expect(try JSONDecoder().decode(Tree.self, from: text).branches[0].name == "0")
        try realm.write { tree.branches[0].branches[0].branches.removeAll() }
        #expect(try realm.dynamicObjects("Branch").count == 2)
      }
      try store.check()
    }
  }

  @Test func treeIsExportedAndImported() throws {
    try withTemporaryRealm { realm, store in
      let tree = Tree(value: ["name": "tall"])
      try realm.write {
        realm.add(tree)
        var branches = tree.branches
        for number in 0..<100 {
          branches.append(Branch(value: ["name": "\(number)"]))
          branches = branches[0].branches
        }
      }
      let url = store.directory.appending(path: "tall.jsonl")
      try realm.exportJSONLines(to: url)
      try withTemporaryRealm { other, copy in
        try other.importJSONLines(from: url)
        #expect(try other.dynamicObjects("Branch").count == 100)
        try copy.check()
        let again = copy.directory.appending(path: "again.jsonl")
        try other.exportJSONLines(to: again)
        #expect(try Data(contentsOf: again) == Data(contentsOf: url))
      }
    }
  }
}

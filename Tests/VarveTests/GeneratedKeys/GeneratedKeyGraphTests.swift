import Testing
import Varve

/// Objects without keys that are added together with objects that link to them.
@Suite struct GeneratedKeyGraphTests {
  @Test func linkedObjectsGetKeysAfterLinkingObjects() throws {
    try withTemporaryRealm { realm, _ in
      let root = Twig("root")
      let children = (0..<3).map { Twig("child \($0)") }
      root.twigs.append(objectsIn: children)
      children[1].twigs.append(Twig("leaf"))
      children[0].parent = root
      try realm.write { realm.add(root) }
      #expect(root.id == 1 && children.map(\.id) == [2, 3, 4])
      #expect(
        realm.objects(Twig.self).map(\.name) == [
          "root", "child 0", "child 1", "child 2", "leaf",
        ])
      #expect(root.twigs.map(\.id) == [2, 3, 4] && children[0].parent == root)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.error, .modified])
  func linkedObjectGetsKeyAfterLinkingObject(policy: Realm.UpdatePolicy) throws {
    try withTemporaryRealm { realm, _ in
      for number in 0..<3 {
        let twig = Twig("a")
        twig.parent = Twig("b")
        try realm.write { realm.add(twig, update: policy) }
        #expect(twig.id == 2 * number + 1 && twig.parent?.id == 2 * number + 2)
      }
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.error, .modified, .all])
  func explicitKeysInGraphAreNotGenerated(policy: Realm.UpdatePolicy) throws {
    try withTemporaryRealm { realm, store in
      let root = Twig("root")
      root.twigs.append(objectsIn: [Twig("a", 1), Twig("b"), Twig("c", 2)])
      root.parent = Twig("d", 5)
      root.named["e"] = Twig("e")
      try realm.write { realm.add(root, update: policy) }
      #expect(realm.objects(Twig.self).map(\.name).sorted() == ["a", "b", "c", "d", "e", "root"])
      #expect(root.twigs.map(\.name) == ["a", "b", "c"] && root.parent?.id == 5)
      #expect(Set([root.id, root.twigs[1].id, root.named["e"]??.id]) == [6, 7, 8])
      try store.check()
      let pair = Twig("pair")
      pair.parent = Twig("given", 9)
      try realm.write { realm.add(pair, update: policy) }
      #expect(pair.id == 10 && pair.parent?.id == 9)
      let twins = Twig("twins")
      twins.twigs.append(objectsIn: [Twig("x"), Twig("y", 11)])
      try realm.write { realm.add(twins, update: policy) }
      #expect(twins.twigs.map(\.name) == ["x", "y"] && twins.twigs[1].id == 11)
      #expect(Set([twins.id, twins.twigs[0].id]) == [12, 13])
    }
  }

  @Test func cyclicGraphGetsKeys() throws {
    try withTemporaryRealm { realm, _ in
      let (a, b) = (Twig("a"), Twig("b"))
      a.parent = b
      b.parent = a
      try realm.write { realm.add(a) }
      #expect(a.id == 1 && b.id == 2 && a.parent == b && b.parent == a)
    }
  }

  @Test func objectsAssignedToManagedObjectsGetKeys() throws {
    try withTemporaryRealm { realm, _ in
      let root = Twig("root")
      try realm.write { realm.add(root) }
      let child = Twig("child")
      try realm.write {
        root.twigs.append(child)
        #expect(child.id == 2)
        root.parent = Twig("parent")
        root.named["x"] = Twig("x")
        root.tickets.insert(Ticket("t"))
        try root.setValue(["name": "keyed"], forKey: "parent")
      }
      #expect(root.parent?.id == 5 && root.named["x"]??.id == 4)
      #expect(root.tickets.map(\.id) == [1])
    }
  }

  @Test func nestedValuesGetKeys() throws {
    try withTemporaryRealm { realm, _ in
      let root = try realm.write {
        realm.create(
          Twig.self,
          value: [
            "name": "root", "twigs": [["name": "a"], ["id": 3, "name": "b"], ["name": "c"]],
          ], update: .modified)
      }
      #expect(root.twigs.map(\.name) == ["a", "b", "c"])
      #expect(root.id == 4 && root.twigs.map(\.id) == [5, 3, 6])
      try realm.write {
        realm.create(
          Twig.self, value: ["id": 4, "twigs": [["id": 3, "name": "B"], ["name": "d"]]],
          update: .modified)
      }
      #expect(root.twigs.map(\.name) == ["B", "d"] && root.twigs.map(\.id) == [3, 7])
    }
  }
}

import Foundation
import Testing
import Varve
import VarveStorage

@Suite struct MixedLinkTests {
  /// A crate that links to one gadget from every property, and to a second gadget from some.
  private func withLinks(
    _ body: (Realm, TemporaryRealm, MixedBox, Gadget, Gadget) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, store in
      let (crate, first, second) = (MixedBox(id: 1), Gadget(name: "a"), Gadget(name: "b"))
      crate.value = .object(first)
      crate.tag = .object(first)
      crate.items.append(objectsIn: [.object(first), 1, .object(second), .object(first)])
      crate.fields["one"] = .object(first)
      crate.fields["two"] = .object(second)
      try realm.write { realm.add(crate) }
      try body(realm, store, crate, first, second)
    }
  }

  @Test func addingValueAddsLinkedObjects() throws {
    try withLinks { realm, store, crate, first, second in
      #expect(realm.objects(Gadget.self).count == 2)
      #expect(first.realm != nil && second.realm != nil)
      #expect(crate.value.object(Gadget.self)?.isSameObject(as: first) == true)
      #expect(crate.items[2].object(Gadget.self)?.name == "b")
      #expect(crate.fields["two"]?.object(Gadget.self)?.name == "b")
      #expect(crate.freeze().items.map { $0.object(Gadget.self)?.name } == ["a", nil, "b", "a"])
      #expect(crate.items.index(of: .object(second)) == 2)
      try realm.write {
        crate.value = .object(Gadget(name: "c"))
        crate.items.append(.object(MixedBox(id: 2)))
      }
      #expect(crate.value.object(Gadget.self)?.name == "c")
      #expect(crate.items.last?.object(MixedBox.self)?.id == 2)
      try store.check()
    }
  }

  @Test func deletedObjectBecomesNull() throws {
    try withLinks { realm, store, crate, first, _ in
      try realm.write {
        realm.delete(first)
        #expect(crate.value == .none)
        #expect(crate.items[0] == .none)
      }
      #expect(crate.value == .none && crate.tag == .none)
      #expect(crate.items.map { $0.object(Gadget.self)?.name } == [nil, nil, "b", nil])
      #expect(crate.items[1] == 1 && crate.items[3] == .none)
      #expect(crate.fields["one"] == AnyRealmValue.none && crate.fields.count == 2)
      #expect(realm.objects(MixedBox.self).where { $0.tag == .none }.count == 1)
      try store.check()
    }
  }

  @Test func deletingOwnerRemovesBacklinks() throws {
    try withLinks { realm, store, crate, _, _ in
      try realm.write { realm.delete(crate) }
      #expect(try store.count(.backlinks) == 0)
      #expect(realm.objects(Gadget.self).count == 2)
    }
  }

  @Test func replacingLinksRemovesBacklinks() throws {
    try withLinks { realm, store, crate, first, second in
      try realm.write {
        crate.value = .object(second)
        crate.tag = 1
        crate.items[0] = "x"
        crate.items.removeSubrange(1..<3)
        crate.items.removeLast()
        crate.fields["one"] = .object(second)
        crate.fields["two"] = nil
      }
      try store.check()
      try realm.write { realm.delete(first) }
      #expect(crate.value.object(Gadget.self)?.isSameObject(as: second) == true)
      #expect(crate.fields["one"]?.object(Gadget.self)?.isSameObject(as: second) == true)
    }
  }

  @Test func objectsOfTwoClassesWithSameIdAreDistinct() throws {
    try withTemporaryRealm { realm, store in
      let shelf = MixedShelf()
      try realm.write {
        realm.add(shelf)
        realm.add(Gadget(name: "a"))
      }
      let crate = MixedBox(id: 1)
      try realm.write {
        realm.add(crate)
        crate.items.append(.object(shelf))
        crate.value = .object(crate)
        crate.items.append(.object(crate))
      }
      try realm.write { realm.delete(shelf) }
      #expect(crate.items.count == 2 && crate.items[0] == .none)
      #expect(crate.items[1].object(MixedBox.self)?.id == 1)
      try store.check()
    }
  }

  @Test func setsContainUniqueValuesAndDropDeletedObjects() throws {
    try withTemporaryRealm { realm, store in
      let (crate, gadget) = (MixedBox(id: 1), Gadget(name: "t"))
      crate.kinds.insert(objectsIn: [1, 1.0, "x", .decimal128(1), .none, .object(gadget)])
      try realm.write { realm.add(crate) }
      #expect(crate.kinds.count == 4)
      #expect(crate.kinds.contains(1) && crate.kinds.contains(.object(gadget)))
      expectError(.typeMismatch) { try realm.write { crate.kinds.insert([1]) } }
      let other = MixedBox(id: 2)
      other.kinds.insert([1])
      expectError(.typeMismatch) { try realm.write { realm.add(other) } }
      try realm.write { realm.delete(gadget) }
      #expect(crate.kinds.count == 3 && !crate.kinds.contains(.object(gadget)))
      try store.check()
    }
  }

  @Test func objectFromAnotherStoreFailsWrite() throws {
    try withLinks { realm, _, crate, _, _ in
      try withTemporaryRealm { other, _ in
        let foreign = Gadget(name: "f")
        try other.write { other.add(foreign) }
        expectError(.foreignObject) { try realm.write { crate.value = .object(foreign) } }
        expectError(.foreignObject) { try realm.write { crate.items.append(.object(foreign)) } }
      }
      #expect(crate.value.object(Gadget.self)?.name == "a")
    }
  }

  @Test func changeOfLinkedObjectModifiesOwner() throws {
    try withLinks { realm, _, crate, first, second in
      try realm.write {
        let shelf = MixedShelf()
        shelf.crate = crate
        realm.add(shelf)
      }
      let before = realm.freeze()
      try realm.write { second.weight = 7 }
      let changes = try realm.changes(since: before)
      #expect(try changes.changes(of: realm.objects(MixedBox.self)).modifications == [0])
      #expect(try changes.changes(of: realm.objects(MixedShelf.self)).modifications == [0])
      let own = try changes.changes(of: realm.objects(MixedBox.self), keyPaths: ["value"])
      #expect(own.isEmpty)
      expectError(.invalidInput) {
        try changes.changes(of: realm.objects(MixedBox.self), keyPaths: ["value.name"])
      }
    }
  }

  @Test func deletingLinkedObjectModifiesValue() throws {
    try withLinks { realm, _, crate, first, _ in
      let before = realm.freeze()
      try realm.write { realm.delete(first) }
      let changes = try realm.changes(since: before)
      let properties = try changes.objects(MixedBox.self).modifications.map {
        $0.properties.map(\.name)
      }
      #expect(properties == [["value", "tag", "items", "fields"]])
      #expect(try changes.changes(of: crate.items).modifications == [0, 3])
      #expect(try changes.changes(of: crate.fields).modifications == ["one"])
    }
  }
}

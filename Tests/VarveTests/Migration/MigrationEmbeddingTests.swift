import Testing
import Varve
import VarveCore
import VarveStorage

/// Classes that become embedded, and embedded classes that become top-level.
@Suite struct MigrationEmbeddingTests {
  private func fill(_ store: TemporaryRealm) throws {
    let realm = try store.open(Separate.Person.self, version: 0)
    try realm.write {
      for id in 0..<3 {
        realm.create(
          Separate.Person.self,
          value: [
            "id": id, "home": ["street": "S\(id)"], "others": [["street": "O\(id)"]],
            "byName": ["b": ["street": "B\(id)"]],
          ])
      }
    }
  }

  @Test func classBecomesEmbeddedAndTopLevelAgain() throws {
    try withMigratedFile { store in
      try fill(store)
      var realm = try store.open(Embedding.Person.self, version: 1)
      let person = try #require(realm.objects(Embedding.Person.self).first)
      #expect(person.home?.street == "S0" && person.others.first?.street == "O0")
      try realm.write { person.home = nil }
      #expect(try realm.dynamicObjects("Address").count == 8)
      try store.check()
      realm = try store.open(Separate.Person.self, version: 2)
      try realm.write { realm.delete(try #require(realm.objects(Separate.Person.self).last)) }
      #expect(realm.objects(Separate.Address.self).count == 8)
    }
  }

  @Test(arguments: [0, 2])
  func newlyEmbeddedObjectNeedsExactlyOneOwner(owners: Int) throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(Separate.Person.self, version: 0)
      try realm.write {
        let person = realm.objects(Separate.Person.self)[1]
        if owners == 0 {
          person.home = nil
        } else {
          realm.objects(Separate.Person.self)[0].home = person.home
        }
      }
      let error = thrownError {
        try store.open(Embedding.Person.self, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { $1?["name"] = "changed" }
        }
      }
      #expect(error?.code == .invalidInput)
      #expect(error?.className == "Address")
      // The person whose link to the shared address was removed has no address.
      let repaired = try store.open(Embedding.Person.self, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Address") { old, new in
          if old?["street"] as? String == (owners == 0 ? "S1" : "S0") { migration.delete(new!) }
        }
        migration.enumerateObjects(ofType: "Person") { _, new in
          if owners == 2, new?["id"] as? Int == 0 { new?["home"] = nil }
        }
      }
      #expect(repaired.objects(Embedding.Person.self).count { $0.home != nil } == 2)
    }
  }

  @Test func objectInMixedValueOrSetCannotBecomeEmbedded() throws {
    try withMigratedFile { store in
      for usesSet in [false, true] {
        var realm = try store.open(
          Separate.Address.self, Separate.Holder.self, version: 0)
        try realm.write {
          realm.deleteAll()
          let address = realm.create(Separate.Address.self, value: ["street": "S"])
          let holder = realm.create(Separate.Holder.self)
          if usesSet {
            holder.addresses.insert(address)
          } else {
            holder.anything = .object(address)
          }
        }
        let error = thrownError { try store.open(Embedding.Address.self, version: 1) }
        #expect(error?.code == .invalidInput)
        #expect(error?.className == "Holder")
        #expect(error?.propertyName == (usesSet ? "addresses" : "anything"))
        realm = try store.open(Separate.Address.self, Separate.Holder.self, version: 0)
        #expect(realm.objects(Separate.Address.self).count == 1)
      }
    }
  }

  /// Each object has exactly one owner, but no object outside the cycle owns them.
  @Test func cyclicallyLinkedObjectsCannotBecomeEmbedded() throws {
    try withMigratedFile { store in
      let realm = try store.open(Loose.Root.self, version: 0)
      try realm.write {
        let empty: [String: Any] = [:]
        realm.create(Loose.Root.self, value: ["node": ["next": ["next": empty]]])
        let first = realm.create(Loose.Node.self, value: ["isLoose": true])
        first.next = realm.create(Loose.Node.self, value: ["isLoose": true, "next": first])
      }
      let error = thrownError { try store.open(Grown.Root.self, version: 1) }
      #expect(error?.code == .invalidInput && error?.className == "Node")
      let repaired = try store.open(Grown.Root.self, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Node") { old, new in
          if old?["isLoose"] as? Bool == true { new.map { migration.delete($0) } }
        }
      }
      #expect(try repaired.dynamicObjects("Node").count == 3)
    }
  }

  @Test func removingPropertyDeletesEmbeddedObjects() throws {
    try withMigratedFile { store in
      try fill(store)
      _ = try store.open(Embedding.Person.self, version: 1)
      let realm = try store.open(Homeless.Person.self, version: 2)
      #expect(try realm.dynamicObjects("Address").isEmpty)
      #expect(try store.count(.backlinks) == 0)
    }
  }

  @Test func embeddedObjectsFollowMovedOwners() throws {
    try withMigratedFile { store in
      try fill(store)
      _ = try store.open(Embedding.Person.self, version: 1)
      let realm = try store.open(Renumbered.Person.self, version: 2) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new?["number"] = 10 - (old?["id"] as? Int ?? 0)
          #expect((new?["home"] as? DynamicObject)?["street"] != nil)
        }
      }
      let people = realm.objects(Renumbered.Person.self)
      #expect(people.map(\.number) == [8, 9, 10])
      #expect(people.map { $0.home?.street } == ["S2", "S1", "S0"])
      try realm.write { realm.delete(people.first!) }
      #expect(try realm.dynamicObjects("Address").count == 6)
    }
  }
}

private enum Separate {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var home: Address?
    @Persisted var others: List<Address>
    @Persisted var byName: Map<String, Address?>
  }
  @Model final class Address: Object { @Persisted var street: String }
  @Model final class Holder: Object {
    @Persisted var anything: AnyRealmValue
    @Persisted var addresses: MutableSet<Address>
  }
}

private enum Embedding {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var home: Address?
    @Persisted var others: List<Address>
    @Persisted var byName: Map<String, Address?>
  }
  @Model final class Address: EmbeddedObject { @Persisted var street: String }
}

private enum Renumbered {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var home: Address?
    @Persisted var others: List<Address>
    @Persisted var byName: Map<String, Address?>
  }
  @Model final class Address: EmbeddedObject { @Persisted var street: String }
}

private enum Homeless {
  @Model final class Person: Object { @Persisted(primaryKey: true) var id: Int }
}

private enum Loose {
  @Model final class Root: Object { @Persisted var node: Node? }
  @Model final class Node: Object {
    @Persisted var isLoose: Bool
    @Persisted var next: Node?
  }
}

private enum Grown {
  @Model final class Root: Object { @Persisted var node: Node? }
  @Model final class Node: EmbeddedObject {
    @Persisted var isLoose: Bool
    @Persisted var next: Node?
  }
}

import Testing
import Varve
import VarveCore
import VarveStorage

/// Mixed values and their nested collections in migrated files.
@Suite struct MigrationMixedTests {
  private func fill(_ store: TemporaryRealm) throws {
    let realm = try store.open(OldGems.Gem.self, OldGems.Chest.self, version: 0)
    try realm.write {
      var gems: [OldGems.Gem] = []
      for number in 0..<4 {
        gems.append(
          realm.create(
            OldGems.Gem.self, value: ["number": 10 - 3 * number, "name": "G\(number)"]))
      }
      for (index, gem) in gems.enumerated() {
        let next = AnyRealmValue.object(gems[(index + 1) % gems.count])
        gem.any = .fromDictionary(["next": next, "deep": .fromArray([next, .object(gem), 1])])
        gem.anys.append(objectsIn: [next, .fromArray([next]), "text", next])
        let chest = realm.create(OldGems.Chest.self)
        chest.any = .fromArray([next, .fromDictionary(["deep": .fromArray([next])])])
        chest.single = next
        chest.set.insert(objectsIn: [next, .object(gem), 5])
        chest.map["a"] = next
        chest.map["b"] = .fromArray([.object(gem), .none])
      }
    }
    try store.check()
  }

  /// A value as text; objects are represented by their names.
  private func text(_ value: AnyRealmValue) throws -> String {
    switch value {
    case .object(let object): try object.value(forKey: "name") as? String ?? "-"
    case .list(let list): try "[\(list.map { try text($0) }.joined(separator: " "))]"
    case .dictionary(let map):
      try "{\(map.keys.map { try "\($0) \(text(map[$0] ?? .none))" }.joined(separator: " "))}"
    case .int(let int): "\(int)"
    case .string(let string): string
    default: "-"
    }
  }

  @Test func linksInMixedValuesFollowMovedObjects() throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(NewGems.Gem.self, NewGems.Chest.self, version: 1)
      let gems = realm.objects(NewGems.Gem.self)
      #expect(gems.map(\.number) == [1, 4, 7, 10])
      #expect(
        try gems.map { try text($0.any) } == [
          "{deep [G0 G3 1] next G0}", "{deep [G3 G2 1] next G3}", "{deep [G2 G1 1] next G2}",
          "{deep [G1 G0 1] next G1}",
        ])
      #expect(try gems.map { try text(.list($0.anys)) }.first == "[G0 [G0] text G0]")
      let chests = realm.objects(NewGems.Chest.self)
      #expect(
        try chests.map { try text($0.any) } == [
          "[G1 {deep [G1]}]", "[G2 {deep [G2]}]", "[G3 {deep [G3]}]", "[G0 {deep [G0]}]",
        ])
      #expect(try chests.map { try text($0.single) } == ["G1", "G2", "G3", "G0"])
      #expect(
        try chests.map { try Set($0.set.map { try text($0) }) }.first == ["G1", "G0", "5"])
      #expect(try chests.map { try text($0.map["b"] ?? .none) }.first == "[G0 -]")
      // Deleting an object sets every link to it to null.
      try realm.write { realm.delete(try #require(gems.last)) }
      #expect(try text(chests[0].map["b"] ?? .none) == "[- -]")
      #expect(try text(chests[3].single) == "-")
      try store.check()
    }
  }

  @Test func removingPropertyDeletesNestedCollections() throws {
    try withMigratedFile { store in
      try fill(store)
      _ = try store.open(BareGems.Gem.self, BareGems.Chest.self, version: 1)
      for table in [Table.lists, .dictionaries, .sets, .collections, .backlinks] {
        #expect(try store.count(table) == 0, "\(table.name)")
      }
    }
  }
}

private enum OldGems {
  @Model final class Gem: Object {
    @Persisted var number: Int
    @Persisted var name: String
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
  }
  @Model final class Chest: Object {
    @Persisted var any: AnyRealmValue
    @Persisted(indexed: true) var single: AnyRealmValue
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }
}

private enum NewGems {
  @Model final class Gem: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted(indexed: true) var name: String
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
  }
  @Model final class Chest: Object {
    @Persisted var any: AnyRealmValue
    @Persisted(indexed: true) var single: AnyRealmValue
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }
}

private enum BareGems {
  @Model final class Gem: Object { @Persisted var number: Int }
  @Model final class Chest: Object { @Persisted var size: Int }
}

import Foundation
import Testing
import Varve

/// Key paths in queries: each resolves to a persisted property, or to links that end in one.
@Suite struct KeyPathTests {
  private func withPuppies(_ body: (Realm, [Puppy]) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let puppies = (0..<4).map { id in
        let puppy = Puppy(value: ["id": id, "name": "P\(3 - id)", "legs": 4 - id])
        puppy.level = [.high, .middle, .low, .high][id]
        puppy.mood = id == 2 ? nil : puppy.level
        puppy.isWild = id % 2 == 0
        puppy.born = Date(timeIntervalSince1970: Double(10 - id))
        puppy.weight = Double(id) / 2
        puppy.owner = Keeper(value: ["name": "K\(id % 2)"])
        puppy.owner?.level = puppy.level
        return puppy
      }
      for (puppy, friend) in zip(puppies, puppies.dropFirst()) {
        puppy.friend = Animal(like: friend)
      }
      try realm.write { realm.add(puppies) }
      try body(realm, puppies)
    }
  }

  @Test func inheritedPropertiesAreResolved() throws {
    try withPuppies { realm, puppies in
      let all = realm.objects(Puppy.self)
      #expect(all.where { $0.name == "P1" }.map(\.id) == [2])
      #expect(all.where { $0.legs > 2 && $0.isWild }.map(\.id) == [0])
      #expect(all.where { $0.level == .high }.map(\.id) == [0, 3])
      #expect(all.where { $0.mood == nil || $0.mood == .middle }.map(\.id) == [1, 2])
      #expect(all.where { $0.age == nil }.count == 4)
      #expect(all.where { $0.chip == puppies[1].chip }.map(\.id) == [1])
      #expect(all.where { $0.friend.name == "P2" }.map(\.id) == [0])
      #expect(all.where { $0.owner.name == "K1" }.map(\.id) == [1, 3])
      #expect(all.sorted(by: \.name).map(\.id) == [3, 2, 1, 0])
      #expect(all.sorted(by: \.born).map(\.id) == [3, 2, 1, 0])
      #expect(all.sorted(by: \.weight, ascending: false).map(\.id) == [3, 2, 1, 0])
      #expect(all.sorted(by: \.friend?.name).map(\.id) == [3, 2, 1, 0])
      #expect(realm.objects(Keeper.self).sorted(by: \.pet?.name).count == 4)
      #expect(all.sorted(by: \.owner?.level).map(\.id) == [2, 1, 0, 3])
      #expect(all.sum(of: \.legs) == 10 && all.max(of: \.born) == puppies[0].born)
      #expect(all.max(of: \.friend?.legs) == 3 && all.sum(of: \.friend?.legs) == 6)
      #expect(all.average(of: \.weight) == 0.75 && all.min(of: \.age) == nil)
    }
  }

  @Test func protocolRequirementsAreResolved() throws {
    func byName<T: Object & HasName>(_ results: Results<T>) -> [T] {
      Array(results.where { $0.name != "P0" }.sorted(by: \.name))
    }
    try withPuppies { realm, _ in
      #expect(byName(realm.objects(Puppy.self)).map(\.id) == [2, 1, 0])
      #expect(byName(realm.objects(Keeper.self)).map(\.name) == ["K0", "K0", "K1", "K1"])
    }
  }

  @Test func aliasResolvesToItsProperty() throws {
    try withPuppies { realm, _ in
      #expect(realm.objects(Puppy.self).where { $0.title == "P1" }.map(\.id) == [2])
      #expect(realm.objects(Animal.self).sorted(by: \.title).map(\.id) == [13, 12, 11])
    }
  }

  /// Key paths, by name, that must not resolve to a stored property.
  private static let misuses: [String: @Sendable (Results<Puppy>) throws -> Void] = [
    "upperName": { _ = $0.where { $0.upperName == "X" } },
    "kneeCount": { _ = $0.where { $0.kneeCount > 4 } },
    "legsAtLeastZero": { _ = $0.sorted(by: \.legsAtLeastZero) },
    "isTame": { _ = $0.where { $0.isTame } },
    "isSpecial": { _ = $0.where { $0.isSpecial == true } },
    "isOldAndWild": { _ = $0.where { $0.isOldAndWild } },
    "knownAge": { _ = $0.sum(of: \.knownAge) },
    "day": { _ = $0.max(of: \.day) },
    "mainLevel": { _ = $0.where { $0.mainLevel == .low } },
    "legLevel": { _ = $0.where { $0.legLevel.in([.low]) } },
    "friendName": { _ = $0.sorted(by: \.friendName) },
    "friendAge": { _ = $0.sorted(by: \.friendAge) },
    "bestFriend": { _ = $0.where { $0.bestFriend == nil } },
    "bestFriend.name": { _ = $0.where { $0.bestFriend.name == "" } },
    "firstName": { _ = $0.sorted(by: \.firstName) },
    "name.count": { _ = $0.sorted(by: \.name.count) },
    "name.utf8.count": { _ = $0.max(of: \.name.utf8.count) },
    "names.count": { _ = $0.average(of: \.names.count) },
    "friends[0].legs": { _ = $0.sum(of: \.friends[0].legs) },
    "byName": { _ = $0.sorted(by: \.byName["a"]??.name) },
    "isFrozen": { _ = $0.where { $0.isFrozen } },
    "hashValue": { _ = $0.min(of: \.hashValue) },
    "owner?.animals.count": { _ = $0.sorted(by: \.owner?.animals.count) },
    "owner!.name": { _ = $0.sorted(by: \.owner!.name) },
  ]

  @Test(arguments: misuses.keys.sorted())
  func computedPropertyTraps(_ what: String) async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = store.path as String, what = what as String] in
      let realm = try Realm(configuration: .init(fileURL: URL(filePath: path)))
      try Self.misuses[what]?(realm.objects(Puppy.self))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A key path from Puppy to "), "\(what): \(text)")
    #expect(text.contains("is not a persisted property"), "\(what): \(text)")
  }

  @Test func unwrappedLinkTrapsWithSuggestion() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "unwrapped"))
      _ = realm.objects(Keeper.self).sorted(by: \.pet.name)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("A key path from Keeper to String is not a persisted property"), "\(text)")
    #expect(text.contains("it reads 'pet', 'name' and returns another value"), "\(text)")
    #expect(text.contains("Use '?' instead of '!' to unwrap a link."), "\(text)")
  }
}

extension Animal {
  convenience init(like other: Animal) {
    self.init(value: ["id": 10 + other.id, "name": other.name, "legs": other.legs])
  }
}

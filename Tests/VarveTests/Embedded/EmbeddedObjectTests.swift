import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct EmbeddedObjectTests {
  /// The number of rows of each class.
  private func counts(_ store: TemporaryRealm) throws -> [String: Int] {
    let core = try store.configuration.store()
    let snapshot = try core.newestSnapshot()
    return Dictionary(
      uniqueKeysWithValues: core.schema.classes.map { ($0.name, snapshot.count($0.table)) })
  }

  private func allAreGone(_ homes: [Home]) -> Bool { homes.allSatisfy(\.isInvalidated) }
  private func noneIsGone(_ homes: [Home]) -> Bool { !homes.contains(where: \.isInvalidated) }

  @Test func embeddedObjectsAreStoredWithTheirParent() throws {
    try withTemporaryRealm { realm, store in
      let tenant = Tenant.named("Ada", .at("Elm", rooms: ["hall", "attic"]))
      tenant.homes.append(objectsIn: [.at("Oak"), .at("Ash", rooms: ["cellar"])])
      tenant.byName["work"] = .at("Fir")
      let home = try #require(tenant.home)
      try realm.write { realm.add(tenant) }
      #expect(
        home.realm == realm && !home.isInvalidated && tenant.home?.isSameObject(as: home) == true)
      #expect(tenant.home?.rooms.map(\.name) == ["hall", "attic"])
      #expect(tenant.home?.rooms[0].lamp?.watts == 40)
      #expect(tenant.homes.map(\.street) == ["Oak", "Ash"])
      #expect(tenant.byName["work"]??.street == "Fir" && tenant.byName["x"] == nil)
      #expect(
        tenant.homes[0].tenants.map(\.name) == ["Ada"] && tenant.home?.tenants.isEmpty == true)
      #expect(tenant.homes[1].rooms[0].homes.first?.street == "Ash")
      #expect(try counts(store) == ["Tenant": 1, "Home": 4, "Room": 3, "Lamp": 3])
      try store.check()
      try store.close()
      let again = try #require(try store.open().object(ofType: Tenant.self, forPrimaryKey: "Ada"))
      #expect(again.home?.rooms[1].lamp?.watts == 40)
    }
  }

  @Test func classWithoutMacroCanBeEmbedded() throws {
    try withTemporaryRealm { realm, _ in
      let coat = Coat()
      coat.left = Pocket(value: ["coins": [1, 2]])
      try realm.write { realm.add(coat) }
      #expect(coat.left.map { Array($0.coins) } == [1, 2] && coat.right == nil)
      try realm.write { coat.left?.coins.append(3) }
      #expect(coat.left.map { Array($0.coins) } == [1, 2, 3])
    }
  }

  @Test func deletingParentDeletesEmbeddedObjects() throws {
    try withTemporaryRealm { realm, store in
      let tenant = Tenant.named("Ada", .at("Elm", rooms: ["hall", "attic"]))
      tenant.homes.append(.at("Oak", rooms: ["cellar"]))
      tenant.byName["work"] = .at("Fir", rooms: ["desk"])
      let (home, kept) = (
        try #require(tenant.home), Tenant.named("Bob", .at("Yew", rooms: ["loft"]))
      )
      let lamp = try #require(home.rooms[0].lamp)
      try realm.write {
        realm.add([tenant, kept])
        home.rooms[0].lamps["desk"] = Lamp(value: ["watts": 5])
        home.notes = String(repeating: "n", count: 2_000)
      }
      let frozen = home.freeze()
      try realm.write {
        realm.delete(tenant)
        #expect(home.isInvalidated && lamp.isInvalidated)
      }
      #expect(home.isInvalidated && lamp.isInvalidated && frozen.rooms.count == 2)
      #expect(try counts(store) == ["Tenant": 1, "Home": 1, "Room": 1, "Lamp": 1])
      #expect(kept.home?.rooms.first?.lamp?.watts == 40)
      let report = try store.report()
      #expect(report.isSound && report.blobCount == 0, "\(report)")
      try realm.write { realm.deleteAll() }
      #expect(try store.report().objectCount == 0)
    }
  }

  @Test func replacingEmbeddedObjectDeletesOldOne() throws {
    try withTemporaryRealm { realm, store in
      let tenant = Tenant.named("Ada", .at("Elm", rooms: ["hall"]))
      tenant.homes.append(objectsIn: [.at("a"), .at("b"), .at("c"), .at("d"), .at("e")])
      for key in ["x", "y", "z"] { tenant.byName[key] = .at(key) }
      try realm.write { realm.add(tenant) }
      var gone: [Home] = []
      var kept: [Home] = []
      func expectGone(_ homes: [Home?], _ change: () throws -> Void) throws {
        let homes = homes.compactMap(\.self)
        #expect(!homes.isEmpty && noneIsGone(homes))
        try realm.write(change)
        #expect(allAreGone(homes))
        gone += homes
        try store.check()
      }
      let lamp = tenant.home?.rooms.first?.lamp
      try expectGone([tenant.home]) { tenant.home = .at("Birch") }
      #expect(lamp?.isInvalidated == true && tenant.home?.street == "Birch")
      try expectGone([tenant.home]) { tenant.home = nil }
      try expectGone([tenant.homes[1]]) { tenant.homes[1] = .at("B") }
      try expectGone([tenant.homes[0]]) { tenant.homes.remove(at: 0) }
      try expectGone([tenant.homes.last]) { tenant.homes.removeLast() }
      kept = Array(tenant.homes)
      #expect(kept.map(\.street) == ["B", "c", "d"])
      try realm.write {
        tenant.homes.move(from: 0, to: 2)
        tenant.homes.swapAt(0, 1)
      }
      #expect(
        kept.allSatisfy { !$0.isInvalidated } && tenant.homes.map(\.street) == ["d", "c", "B"])
      try expectGone([tenant.homes[0], tenant.homes[1]]) {
        tenant.homes.replaceSubrange(0..<2, with: [.at("new")])
      }
      try expectGone(Array(tenant.homes)) { tenant.homes.removeAll() }
      try expectGone([tenant.byName["x"] ?? nil]) { tenant.byName["x"] = .at("X") }
      try expectGone([tenant.byName["x"] ?? nil]) { tenant.byName["x"] = .some(nil) }
      try expectGone([tenant.byName["y"] ?? nil]) { tenant.byName.removeObject(for: "y") }
      try expectGone([tenant.byName["z"] ?? nil]) { tenant.byName.set([("w", .at("w"))]) }
      try expectGone([tenant.byName["w"] ?? nil]) { tenant.byName.removeAll() }
      #expect(try store.report().objectCount == 1)
      #expect(allAreGone(gone))
    }
  }

  @Test func deletingEmbeddedObjectRemovesItFromParent() throws {
    try withTemporaryRealm { realm, store in
      let tenant = Tenant.named("Ada", .at("Elm", rooms: ["hall"]))
      tenant.homes.append(objectsIn: [.at("a", rooms: ["r"]), .at("b")])
      tenant.byName["x"] = .at("x")
      try realm.write { realm.add(tenant) }
      try realm.write {
        realm.delete(try #require(tenant.home))
        realm.delete(tenant.homes[0])
        realm.delete(tenant.byName)
      }
      #expect(tenant.home == nil && tenant.homes.map(\.street) == ["b"])
      #expect(tenant.byName.keys == ["x"] && tenant.byName["x"] == .some(nil))
      #expect(try counts(store) == ["Tenant": 1, "Home": 1, "Room": 0, "Lamp": 0])
      try realm.write { realm.delete(tenant.homes) }
      #expect(tenant.homes.isEmpty)
    }
  }

  @Test func linkedObjectIsNotEmbedded() throws {
    try withTemporaryRealm { realm, _ in
      let (ada, bob) = (Tenant.named("Ada", .at("Elm")), Tenant.named("Bob"))
      ada.home?.keeper = bob
      try realm.write { realm.add(ada) }
      try realm.write { realm.delete(ada) }
      #expect(!bob.isInvalidated && realm.objects(Tenant.self).map(\.name) == ["Bob"])
      // Through a class that is not embedded, an embedded class may refer to itself.
      let owner = Owner()
      owner.badge = Badge()
      owner.badge?.owner = owner
      try realm.write { realm.add(owner) }
      #expect(owner.badge?.owner?.isSameObject(as: owner) == true)
      try realm.write { realm.delete(owner) }
      #expect(owner.isInvalidated)
    }
  }

  @Test func invalidEmbeddedClassesAreRejected() throws {
    try withTemporaryRealm { realm, _ in
      let key = thrownError { try realm.register(KeyedCoat.self) }
      #expect(key?.code == .invalidSchema)
      #expect(key?.details == ["Embedded class 'KeyedPocket' cannot have the primary key 'id'."])
      let set = thrownError { try realm.register(SetCoat.self) }
      #expect(set?.code == .invalidSchema)
      #expect(
        set?.details == ["Property 'SetCoat.pockets': a set cannot contain embedded objects."])
      let map = thrownError { try realm.register(MapCoat.self) }
      #expect(map?.code == .invalidSchema)
      #expect(
        map?.details == [
          "Property 'MapCoat.pockets': the values of a map of objects must be optional, as in "
            + "Map<String, Dog?>; a deleted object leaves nil."
        ])
    }
  }
}

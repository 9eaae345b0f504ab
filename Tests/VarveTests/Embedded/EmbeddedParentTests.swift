import Foundation
import Testing
import Varve
import VarveCore

/// An embedded object has exactly one parent.
@Suite struct EmbeddedParentTests {
  private func withTenants(_ body: (Realm, Tenant, Tenant, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let (ada, bob) = (Tenant.named("Ada", .at("Elm")), Tenant.named("Bob"))
      ada.homes.append(objectsIn: [.at("a"), .at("b"), .at("c")])
      ada.byName["x"] = .at("x")
      ada.byName["y"] = .at("y")
      try realm.write { realm.add([ada, bob]) }
      try body(realm, ada, bob, store)
      #expect(ada.home?.street == "Elm" && ada.homes.map(\.street) == ["a", "b", "c"])
      #expect(ada.byName["x"]??.street == "x" && ada.byName["y"]??.street == "y")
      #expect(bob.home == nil && bob.homes.isEmpty && bob.byName.isEmpty)
    }
  }

  private func refuse(
    _ realm: Realm, _ property: String, _ location: SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) {
    let error = thrownError { try realm.write(change) }
    #expect(error?.code == .alreadyEmbedded, sourceLocation: location)
    #expect(
      error?.className == "Tenant" && error?.propertyName == property, sourceLocation: location)
    #expect(error?.message.contains("two parents") == true, sourceLocation: location)
  }

  @Test func secondParentIsRejected() throws {
    try withTenants { realm, ada, bob, _ in
      let home = try #require(ada.home)
      refuse(realm, "home") { bob.home = home }
      refuse(realm, "home") { bob.home = ada.homes[0] }
      refuse(realm, "home") { ada.home = ada.homes[0] }
      refuse(realm, "homes") { bob.homes.append(home) }
      refuse(realm, "homes") { bob.homes.append(objectsIn: ada.homes) }
      refuse(realm, "homes") { bob.homes = ada.homes }
      refuse(realm, "homes") { ada.homes.append(ada.homes[0]) }
      refuse(realm, "homes") { ada.homes.insert(ada.homes[0], at: 1) }
      refuse(realm, "homes") { ada.homes[0] = ada.homes[1] }
      refuse(realm, "homes") { ada.homes[0] = home }
      refuse(realm, "homes") { ada.homes.replaceSubrange(0..<1, with: [ada.homes[1]]) }
      refuse(realm, "byName") { bob.byName["a"] = home }
      refuse(realm, "byName") { ada.byName["x"] = ada.byName["y"] }
      refuse(realm, "byName") { bob.byName = ada.byName }
      refuse(realm, "byName") { ada.byName.merge([("z", ada.byName["x"] ?? nil)]) { $1 } }
    }
  }

  @Test func unmanagedObjectWithTwoParentsIsRejected() throws {
    try withTenants { realm, ada, bob, _ in
      let home = Home.at("new")
      refuse(realm, "homes") { bob.homes.append(objectsIn: [home, home]) }
      let other = Home.at("other")
      refuse(realm, "home") {
        bob.homes.append(other)
        bob.home = other
      }
      let carol = Tenant.named("Carol", .at("Carol"))
      carol.homes.append(try #require(carol.home))
      refuse(realm, "homes") { realm.add(carol) }
      let dan = Tenant.named("Dan")
      dan.byName["a"] = .at("a")
      dan.byName["b"] = dan.byName["a"]
      refuse(realm, "byName") { realm.add(dan) }
    }
  }

  @Test func rejectedChangeIsSkipped() throws {
    try withTenants { realm, ada, bob, _ in
      refuse(realm, "home") {
        bob.home = ada.home
        #expect(bob.home == nil && ada.home?.street == "Elm")
        ada.homes[0] = ada.homes[1]
        #expect(ada.homes.map(\.street) == ["a", "b", "c"])
        bob.name = bob.name
      }
    }
  }

  @Test func reassigningToSamePropertyKeepsObject() throws {
    try withTenants { realm, ada, bob, store in
      let handles = [ada.home, ada.homes[1], ada.byName["x"] ?? nil].compactMap(\.self)
      let version = realm.version
      try realm.write {
        ada.home = ada.home
        ada.homes[1] = ada.homes[1]
        ada.homes = ada.homes
        ada.byName["x"] = ada.byName["x"]
        ada.byName.merge(ada.byName.map { ($0.key, $0.value) }) { $1 }
      }
      #expect(realm.version == version)
      // The elements of a list in another order, all or some of them.
      try realm.write {
        ada.homes.replaceSubrange(0..<3, with: Array(ada.homes).reversed())
        #expect(ada.homes.map(\.street) == ["c", "b", "a"])
        ada.homes.replaceSubrange(0..<2, with: [ada.homes[1], ada.homes[0]])
        #expect(ada.homes.map(\.street) == ["b", "c", "a"])
        ada.homes.move(from: 2, to: 0)
      }
      #expect(handles.map(\.isInvalidated) == [false, false, false])
      #expect(try store.report().objectCount == 8)
    }
  }

  @Test func assignmentCanSwapElements() throws {
    try withTemporaryRealm { realm, store in
      let ada = Tenant.named("Ada")
      ada.homes.append(objectsIn: [.at("a"), .at("b"), .at("c")])
      for key in ["x", "y", "z"] { ada.byName[key] = .at(key) }
      try realm.write { realm.add(ada) }
      let handles = Array(ada.homes) + ada.byName.values.compactMap(\.self)
      func streets() -> [String?] {
        ada.homes.map(\.street) + ada.byName.map { $0.value?.street }
      }
      try realm.write {
        ada.byName.merge([("x", ada.byName["y"] ?? nil), ("y", ada.byName["x"] ?? nil)]) { $1 }
        let homes = List<Home>()
        homes.append(objectsIn: [ada.homes[2], ada.homes[0], ada.homes[1]])
        ada.homes = homes
      }
      #expect(streets() == ["c", "a", "b", "y", "x", "z"])
      try realm.write {
        ada.byName.set([
          (key: "x", value: ada.byName["z"] ?? nil), ("y", ada.byName["x"] ?? nil),
          ("new", ada.byName["y"] ?? nil),
        ])
      }
      #expect(streets() == ["c", "a", "b", "x", "z", "y"])
      let map = Map<String, Home?>()
      map["x"] = ada.byName["y"]
      map["y"] = ada.byName["x"]
      try realm.write { ada.byName = map }
      #expect(ada.byName.keys == ["x", "y"] && streets().suffix(2) == ["y", "z"])
      #expect(handles.filter(\.isInvalidated).count == 1)
      // A removed object makes room for an object that is in the map.
      try realm.write { ada.byName.set([(key: "y", value: ada.byName["x"] ?? nil)]) }
      #expect(ada.byName.keys == ["y"] && ada.byName["y"]??.street == "y")
      #expect(handles.filter(\.isInvalidated).count == 2)
      try store.check()
      // One object under two keys is rejected.
      expectError(.alreadyEmbedded) {
        try realm.write {
          let home = ada.byName["y"] ?? nil
          ada.byName.set([(key: "y", value: home), ("z", home)])
        }
      }
      expectError(.alreadyEmbedded) {
        try realm.write { ada.byName.merge([("z", ada.byName["y"] ?? nil)]) { $1 } }
      }
    }
  }

  @Test func objectOfAnotherStoreIsRejected() throws {
    try withTenants { realm, _, bob, _ in
      try withTemporaryRealm { other, _ in
        let carol = Tenant.named("Carol", .at("far"))
        try other.write { other.add(carol) }
        expectError(.foreignObject) { try realm.write { bob.home = carol.home } }
      }
    }
  }

  @Test func rolledBackReplacementKeepsOldObject() throws {
    try withTenants { realm, ada, _, _ in
      let home = try #require(ada.home)
      expectCancelled {
        try realm.write {
          ada.home = .at("new")
          #expect(home.isInvalidated)
          ada.homes.removeAll()
          throw Cancelled()
        }
      }
      #expect(!home.isInvalidated && home.street == "Elm")
    }
  }
}

import Foundation
import Testing
import Varve

/// Embedded objects are queried, observed, frozen and described like other objects.
@Suite struct EmbeddedReadingTests {
  private func withTenant(_ body: (Realm, Tenant) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let ada = Tenant.named("Ada", .at("Elm", rooms: ["hall"]))
      for (street, sizes) in [("b", [1, 2]), ("a", [5]), ("c", [])] {
        let home = Home.at(street, rooms: sizes.map { "room \($0)" })
        for (room, size) in zip(home.rooms, sizes) { room.size = size }
        ada.homes.append(home)
      }
      ada.byName["x"] = .at("x")
      try realm.write { realm.add([ada, .named("Bob", .at("Oak")), .named("Carol")]) }
      try body(realm, ada)
    }
  }

  @Test func queriesAndSortingTraverseEmbeddedObjects() throws {
    try withTenant { realm, ada in
      let tenants = realm.objects(Tenant.self)
      #expect(tenants.where { $0.home.street == "Oak" }.map(\.name) == ["Bob"])
      #expect(tenants.where { $0.home == ada.home }.map(\.name) == ["Ada"])
      #expect(
        tenants.sorted(by: \.home?.street, ascending: false).map(\.name) == ["Bob", "Ada", "Carol"])
      #expect(ada.homes.where { $0.street >= "b" }.map(\.street) == ["b", "c"])
      #expect(ada.homes.sorted(by: \.street).map(\.street) == ["a", "b", "c"])
      #expect(ada.byName.where { $0.street == "x" }.count == 1)
      #expect(ada.homes[0].rooms.sum(of: \.size) == 3 && ada.homes[0].rooms.max(of: \.size) == 2)
      let c = ada.homes[2]
      #expect(ada.homes.index(of: c) == 2 && ada.homes.contains(c))
      #expect(ada.homes.where { $0.city == "Town" }.index(of: c) == 2)
    }
  }

  @Test func embeddedObjectsFreezeAndThaw() throws {
    try withTenant { realm, ada in
      let home = try #require(ada.home)
      let frozen = home.freeze()
      try realm.write { home.street = "new" }
      #expect(frozen.street == "Elm" && frozen.isFrozen && frozen.rooms[0].isFrozen)
      #expect(frozen.thaw()?.street == "new" && home.thaw() === home)
      #expect(ada.freeze().home?.isFrozen == true)
      #expect(realm.resolve(frozen)?.street == "new")
      try realm.write { ada.home = nil }
      #expect(frozen.thaw() == nil && frozen.street == "Elm" && realm.resolve(frozen) == nil)
    }
  }

  @Test func instancesCompareByRow() throws {
    try withTenant { realm, ada in
      let (one, two) = (try #require(ada.home), try #require(ada.home))
      #expect(one !== two && one.isSameObject(as: two) && one != two)
      #expect(!one.isSameObject(as: ada.homes[0]) && !one.isSameObject(as: nil))
      #expect(one.freeze() == two.freeze() && one.freeze().hashValue == two.freeze().hashValue)
      let unmanaged = Home()
      #expect(unmanaged.isSameObject(as: unmanaged) && !unmanaged.isSameObject(as: Home()))
      #expect(unmanaged.realm == nil && !unmanaged.isInvalidated && !unmanaged.isFrozen)
      #expect(Home.className() == "Home")
    }
  }

  @Test func embeddedObjectsAreDescribedAndCoded() throws {
    try withTenant { realm, ada in
      let home = try #require(ada.home)
      #expect(home.description.contains("street = \"Elm\"") && home.description.contains("rooms"))
      #expect(ada.description.contains("home = Home"))
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let data = try encoder.encode(ada.homes[1])
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains(#""street":"a""#) && text.contains(#""watts":40"#))
      let decoded = try JSONDecoder().decode(Home.self, from: data)
      #expect(decoded.street == "a" && decoded.rooms[0].lamp?.watts == 40)
      let tenant = try JSONDecoder().decode(Tenant.self, from: try encoder.encode(ada))
      #expect(tenant.home?.street == "Elm" && tenant.homes.count == 3)
    }
  }

  @Test func changeOfEmbeddedObjectChangesItsParents() throws {
    try withTenant { realm, ada in
      let tenants = EventRecorder<ObservedChange>()
      let homes = EventRecorder<ObservedChange>()
      let streets = EventRecorder<ObservedChange>()
      let object = EventRecorder<String>()
      let tokens = [
        try realm.objects(Tenant.self).observe { tenants.note(ObservedChange($0)) },
        try ada.homes.observe { homes.note(ObservedChange($0)) },
        try ada.homes.observe(keyPaths: [\Home.street]) { streets.note(ObservedChange($0)) },
        try ada.homes[0].observe { change in
          switch change {
          case .change(_, let properties): object.note(properties.map(\.name).joined())
          case .deleted: object.note("deleted")
          case .error: object.note("error")
          }
        },
      ]
      #expect(tenants.wait(for: 1) == [.initial(3)] && homes.wait(for: 1) == [.initial(3)])
      _ = streets.wait(for: 1)
      try realm.write { ada.homes[1].rooms[0].size = 7 }
      #expect(tenants.wait(for: 2).last == .update(3, [], [], [0]))
      #expect(homes.wait(for: 2).last == .update(3, [], [], [1]))
      try realm.write { ada.homes[0].street = "B" }
      #expect(homes.wait(for: 3).last == .update(3, [], [], [0]))
      #expect(streets.wait(for: 2).last == .update(3, [], [], [0]))
      #expect(object.wait(for: 1) == ["street"])
      try realm.write { ada.homes.remove(at: 0) }
      #expect(homes.wait(for: 4).last == .update(2, [0]))
      #expect(object.wait(for: 2).last == "deleted")
      try realm.write { ada.homes[0] = .at("new") }
      #expect(homes.wait(for: 5).last == .update(2, [], [], [0]))
      for token in tokens { token.invalidate() }
    }
  }

  @Test func versionDifferenceIncludesEmbeddedObjects() throws {
    try withTenant { realm, ada in
      let before = realm.freeze()
      try realm.write {
        ada.home = .at("new")
        ada.homes[0].street = "B"
      }
      let changes = try realm.changes(since: before).objects(Home.self)
      #expect(changes.insertions.map(\.street) == ["new"])
      #expect(changes.deletions.map(\.street) == ["Elm"])
      #expect(changes.modifications.map(\.new.street) == ["B"])
    }
  }
}

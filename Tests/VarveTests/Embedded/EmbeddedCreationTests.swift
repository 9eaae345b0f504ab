import Foundation
import Testing
import Varve

@Suite struct EmbeddedCreationTests {
  @Test func nestedValuesCreateEmbeddedObjects() throws {
    try withTemporaryRealm { realm, store in
      let json = try JSONSerialization.jsonObject(
        with: Data(
          """
          {"name": "Ada", "home": {"street": "Elm", "rooms": [{"name": "hall", "lamp": {"watts": 60}}]},
           "homes": [["Oak", "Town"], {"street": "Ash", "keeper": {"name": "Bob"}}],
           "byName": {"work": {"street": "Fir"}, "none": null}}
          """.utf8))
      let ada = try realm.write { realm.create(Tenant.self, value: json) }
      #expect(ada.home?.rooms.first?.lamp?.watts == 60)
      #expect(ada.homes.map(\.street) == ["Oak", "Ash"] && ada.homes[0].city == "Town")
      #expect(ada.homes[1].keeper?.name == "Bob")
      #expect(ada.byName["work"]??.street == "Fir" && ada.byName["none"] == .some(nil))
      try store.check()
      let error = thrownError {
        try realm.write {
          realm.create(Tenant.self, value: ["name": "x", "home": ["street": 7]])
        }
      }
      #expect(error?.code == .typeMismatch)
      #expect(error?.className == "Home" && error?.propertyName == "street")
    }
  }

  @Test func objectCreatedFromAnotherGetsCopies() throws {
    try withTemporaryRealm { realm, store in
      let ada = Tenant.named("Ada", .at("Elm", rooms: ["hall"]))
      ada.homes.append(.at("Oak"))
      ada.byName["work"] = .at("Fir")
      func expectCopy(_ copy: Tenant) {
        #expect(copy.home?.street == "Elm" && copy.home?.isSameObject(as: ada.home) == false)
        #expect(copy.home?.rooms.first?.lamp?.watts == 40)
        #expect(copy.homes.map(\.street) == ["Oak"] && copy.byName["work"]??.street == "Fir")
      }
      expectCopy(Tenant(value: ada))
      try realm.write { realm.add(ada) }
      expectCopy(Tenant(value: ada))
      let copy = Tenant(value: ada)
      copy.name = "Copy"
      try realm.write { realm.add(copy) }
      expectCopy(copy)
      let bob = try realm.write {
        realm.create(
          Tenant.self,
          value: [
            "name": "Bob", "home": ada.home as Any, "homes": ada.homes, "byName": ada.byName,
          ])
      }
      expectCopy(bob)
      let frozen = ada.freeze()
      try realm.write { realm.delete(ada) }
      let carol = try realm.write {
        realm.create(Tenant.self, value: ["name": "Carol", "home": frozen.home as Any])
      }
      #expect(carol.home?.rooms.first?.name == "hall")
      #expect(bob.home?.street == "Elm" && copy.home?.street == "Elm")
      try store.check()
    }
  }

  @Test func unmanagedEmbeddedObjectInValueIsAdopted() throws {
    let home = Home.at("Elm")
    let ada = Tenant(value: ["name": "Ada", "home": home, "homes": [Home.at("Oak")]])
    #expect(ada.home === home)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(ada) }
      #expect(home.isSameObject(as: ada.home))
    }
  }

  private let value: [String: Any] = [
    "name": "Ada", "home": ["street": "Elm", "rooms": [["name": "hall", "lamp": ["watts": 60]]]],
    "homes": [["street": "a", "city": "A"], ["street": "b"]], "byName": ["x": ["street": "x"]],
  ]

  @Test func modifiedUpdateChangesExistingEmbeddedObjects() throws {
    try withTemporaryRealm { realm, store in
      let ada = try realm.write { realm.create(Tenant.self, value: value) }
      let handles = [ada.home, ada.homes[0], ada.homes[1], ada.byName["x"] ?? nil].compactMap(
        \.self)
      let lamp = try #require(ada.home?.rooms.first?.lamp)
      let version = realm.version
      try realm.write { realm.create(Tenant.self, value: value, update: .modified) }
      #expect(realm.version == version)
      try realm.write {
        realm.create(
          Tenant.self,
          value: [
            "name": "Ada", "home": ["city": "Rome", "rooms": [["lamp": ["maker": "M"]]]],
            "homes": [["street": "A"]], "byName": ["x": ["notes": "n"], "y": ["street": "y"]],
          ], update: .modified)
      }
      #expect(handles.map(\.isInvalidated) == [false, false, true, false])
      #expect(ada.home?.street == "Elm" && ada.home?.city == "Rome")
      #expect(lamp.watts == 60 && lamp.maker == "M" && ada.home?.rooms[0].name == "hall")
      #expect(ada.homes.map(\.street) == ["A"] && ada.homes[0].city == "A")
      #expect(ada.byName["x"]??.street == "x" && ada.byName["x"]??.notes == "n")
      #expect(ada.byName.keys == ["x", "y"])
      try store.check()
      // An object passed as the value sets every property.
      let whole = Tenant.named("Ada", .at("Oak"))
      try realm.write { realm.add(whole, update: .modified) }
      #expect(!handles[0].isInvalidated && handles[0].street == "Oak" && handles[0].rooms.isEmpty)
      #expect(whole.home?.isSameObject(as: handles[0]) == true && lamp.isInvalidated)
      #expect(ada.homes.isEmpty && ada.byName.isEmpty)
      try realm.write {
        realm.create(
          Tenant.self, value: ["name": "Ada", "home": NSNull()], update: .modified)
      }
      #expect(ada.home == nil && handles[0].isInvalidated)
    }
  }

  @Test func updateAllReplacesEmbeddedObjects() throws {
    try withTemporaryRealm { realm, store in
      let ada = try realm.write { realm.create(Tenant.self, value: value) }
      let (home, listed) = (try #require(ada.home), ada.homes[0])
      try realm.write {
        realm.create(
          Tenant.self, value: ["name": "Ada", "home": ["city": "Rome"]], update: .all)
      }
      #expect(home.isInvalidated && !listed.isInvalidated)
      #expect(ada.home?.street == "" && ada.home?.city == "Rome" && ada.homes.count == 2)
      try realm.write {
        realm.create(
          Tenant.self, value: ["name": "Ada", "homes": [["street": "n"]]], update: .all)
      }
      #expect(listed.isInvalidated && ada.homes.map(\.street) == ["n"])
      try store.check()
    }
  }
}

import Dispatch
import Foundation
import Testing
import Varve
import VarveCore

@Suite struct DynamicObjectTests {
  @Test func propertiesAreReadByName() throws {
    try withKennel { realm, _ in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      #expect(rex["name"] as? String == "Rex")
      #expect(rex.age as? Int == 7)
      let owner = try #require(rex["owner"] as? DynamicObject)
      #expect(owner.name as? String == "Ann")
      #expect(owner.objectSchema.className == "Owner")
      let ada = try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 2)
      #expect(ada?["owner"] == nil)
      #expect(try ada?.value(forKey: "name") as? String == "Ada")
      #expect(
        rex.objectSchema.properties.map(\.name)
          == [
            "id", "name", "age", "owner", "friends", "tags", "byRole", "scores", "known", "home",
          ])
      #expect(rex.description.contains("name = \"Rex\""), "\(rex)")
      #expect(rex.description.contains("List<Dog> (2)"), "\(rex)")
    }
  }

  @Test func collectionsAreReadByName() throws {
    try withKennel { realm, _ in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      #expect(try rex.dynamicList("friends").map { $0["id"] as? Int } == [2, 1])
      #expect(try rex.dynamicList("friends").first?.objectSchema.className == "Dog")
      #expect(try rex.dynamicList("friends")[0].name as? String == "Ada")
      #expect(try rex.dynamicList("tags", of: String.self).map(\.self) == ["big", "brown"])
      #expect((rex["tags"] as? List<String>)?.count == 2)
      let roles = try rex.dynamicMap("byRole")
      #expect(roles.keys == ["none", "vet"])
      #expect((roles["vet"] ?? nil)?["name"] as? String == "Ann")
      #expect(roles["none"] == .some(nil))
      #expect(try rex.dynamicMap("scores", of: Double.self)["run"] == 1.5)
      let sorted = try rex.dynamicList("friends").sorted(byKeyPath: "name", ascending: false)
      #expect(sorted.map { $0["name"] as? String } == ["Rex", "Ada"])
      #expect(try rex.dynamicList("friends").value(forKey: "name") as? [String] == ["Ada", "Rex"])
      #expect(try rex.value(forKeyPath: "owner.name") as? String == "Ann")
      #expect(try rex.value(forKeyPath: "friends.@max.age") as? Int == 7)
      let known = try rex.dynamicSet("known")
      #expect(known.map { $0["name"] as? String } == ["Rex"])
      let home = try #require(rex["home"] as? DynamicObject)
      #expect(home["street"] as? String == "Hauptgasse")
    }
  }

  @Test func everyTypeIsReadAndWrittenByName() throws {
    let samples = ValueSample.extremes
    try withTemporaryRealm { realm, store in
      try realm.write {
        for (id, sample) in samples.enumerated() {
          let object = AllTypes()
          object.id = id
          sample.store(object)
          realm.add(object)
        }
      }
      let count = samples.count
      try realm.write {
        for id in 0..<count {
          let old = try #require(try realm.dynamicObject(ofType: "AllTypes", forPrimaryKey: id))
          var values: [String: Any] = [:]
          for name in old.objectSchema.properties.map(\.name) {
            values[name] = old[name] ?? NSNull()
          }
          values["id"] = count + id
          realm.dynamicCreate("AllTypes", value: values)
          let set = realm.dynamicCreate("AllTypes", value: ["id": 2 * count + id])
          for name in old.objectSchema.properties.map(\.name) where name != "id" {
            try set.setValue(old[name], forKey: name)
          }
        }
      }
      for (id, sample) in samples.enumerated() {
        for copy in [count + id, 2 * count + id] {
          let object = try #require(realm.object(ofType: AllTypes.self, forPrimaryKey: copy))
          #expect(sample.found(object) == sample.expected, "\(sample.name)")
        }
      }
      try store.check()
    }
  }

  @Test func propertiesAreSetByName() throws {
    try withKennel { realm, store in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      try realm.write {
        rex["name"] = "Max"
        rex.age = 8
        rex["owner"] = ["name": "Bob"]
        rex["friends"] = [["id": 3, "name": "Cid"], rex]
        rex["scores"] = ["swim": 2.0]
        try rex.dynamicList("tags", of: String.self).append("old")
        try rex.dynamicMap("byRole")["vet"] = .some(nil)
      }
      #expect(rex["name"] as? String == "Max")
      #expect(rex["age"] as? Int == 8)
      #expect((rex["owner"] as? DynamicObject)?["name"] as? String == "Bob")
      #expect(try rex.dynamicList("friends").map { $0["name"] as? String } == ["Cid", "Max"])
      #expect(try rex.dynamicList("tags", of: String.self).last == "old")
      #expect(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 3)?["age"] as? Int == 3)
      try realm.write { rex["owner"] = nil }
      #expect(rex["owner"] == nil)
      try store.check()
    }
  }

  @Test func unknownNameThrows() throws {
    try withKennel { realm, _ in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      #expect(rex["size"] == nil)
      expectError(.unknownProperty) { try rex.value(forKey: "size") }
      expectError(.unknownProperty) { try rex.dynamicList("size") }
      expectError(.typeMismatch) { try rex.dynamicList("tags") }
      expectError(.typeMismatch) { try rex.dynamicMap("tags", of: String.self) }
      expectError(.unknownClass) { try realm.dynamicObjects("Cat") }
      expectError(.unknownClass) { try realm.dynamicObject(ofType: "Cat", forPrimaryKey: 1) }
      expectError(.noPrimaryKey) { try realm.dynamicObject(ofType: "Note", forPrimaryKey: 1) }
      expectError(.typeMismatch) { try realm.dynamicObject(ofType: "Dog", forPrimaryKey: "1") }
      let dogs = try realm.dynamicObjects("Dog")
      let name = "size"
      expectError(.unknownProperty) { try dogs.sorted(byKeyPath: name) }
      expectError(.unknownProperty) { try dogs.distinct(by: [name]) }
      expectError(.unknownProperty) { try dogs.value(forKey: name) }
      #expect(dogs.distinct(by: ["size"]).isEmpty)
      // An invalid literal key path traps for a declared class; this class is known only to the
      // file.
      #expect(dogs.sorted(byKeyPath: "size").isEmpty)
      let error = thrownError { try realm.write { rex["size"] = 3 } }
      #expect(error?.code == .unknownProperty)
      #expect(error?.className == "Dog")
      #expect(error?.propertyName == "size")
      expectError(.unknownProperty) { try realm.write { _ = rex["size"] } }
      expectError(.unknownClass) { try realm.write { realm.dynamicCreate("Cat") } }
      #expect(realm.schema["Cat"] == nil)
      expectError(.unknownClass) { try realm.write { realm.add(DynamicObject()) } }
    }
  }

  @Test func mistypedValueThrows() throws {
    try withKennel { realm, store in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      let note = try #require(try realm.dynamicObjects("Note").first)
      try realm.write {
        expectError(.typeMismatch) { try rex.setValue("old", forKey: "age") }
        expectError(.missingValue) { try rex.setValue(nil, forKey: "age") }
        expectError(.typeMismatch) { try rex.setValue(note, forKey: "owner") }
        expectError(.typeMismatch) { try rex.setValue(["name": 1], forKey: "owner") }
      }
      #expect(rex["age"] as? Int == 7)
      expectError(.primaryKeyChanged) { try realm.write { rex["id"] = 9 } }
      expectError(.typeMismatch) { try realm.write { rex["age"] = "old" } }
      expectError(.typeMismatch) {
        try realm.write { try rex.dynamicList("friends").append(note) }
      }
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.dynamicCreate("Dog", value: ["id": 1]) }
      }
      #expect(try realm.dynamicObjects("Dog").count == 2)
      try store.check()
    }
  }

  @Test func objectsAreCreatedUpdatedAndDeleted() throws {
    try withKennel { realm, store in
      try realm.write {
        let dog = realm.dynamicCreate("Dog", value: ["id": 5, "name": "Eve"])
        #expect(dog["age"] as? Int == 3, "the declared default")
        realm.dynamicCreate("Dog", value: ["id": 1, "age": 9], update: .modified)
        realm.dynamicCreate("Note", value: ["y"])
      }
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      #expect(rex["name"] as? String == "Rex")
      #expect(rex["age"] as? Int == 9)
      #expect(try realm.dynamicObjects("Note").map { $0["text"] as? String } == ["x", "y"])
      let ada = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 2))
      try realm.write { realm.delete(rex) }
      #expect(rex.isInvalidated)
      #expect(try ada.dynamicList("friends").isEmpty)
      try realm.write { realm.delete(try realm.dynamicObjects("Dog")) }
      #expect(try realm.dynamicObjects("Dog").isEmpty)
      try store.check()
    }
  }

  @Test func resultsAreSortedFilteredAndPinned() throws {
    try withKennel { realm, _ in
      let dogs = try realm.dynamicObjects("Dog")
      let key = "name"
      #expect(try dogs.sorted(byKeyPath: key).map { $0["id"] as? Int } == [2, 1])
      #expect(dogs.sorted(byKeyPath: "owner.name").last?["id"] as? Int == 1)
      #expect(dogs.filter { ($0["age"] as? Int ?? 0) > 5 }.count == 1)
      let (rex, frozen) = (try #require(dogs.first), dogs.freeze())
      #expect(dogs.index(of: rex) == 0)
      let frozenRex = rex.freeze()
      try realm.write { rex["age"] = 20 }
      #expect(frozenRex["age"] as? Int == 7)
      #expect(frozen.first?["age"] as? Int == 7)
      #expect(frozenRex.thaw()?["age"] as? Int == 20)
      #expect(realm.resolve(frozenRex)?["age"] as? Int == 20)
      let linking = try rex.dynamicLinkingObjects(ofType: "Dog", property: "friends")
      #expect(linking.map { $0["id"] as? Int } == [1, 2])
      expectError(.typeMismatch) {
        try rex.dynamicLinkingObjects(ofType: "Dog", property: "owner")
      }
      expectError(.unknownProperty) {
        try rex.dynamicLinkingObjects(ofType: "Dog", property: "x")
      }
    }
  }

  @Test func objectsOfDifferentClassesAreNotEqual() throws {
    try withKennel { realm, _ in
      try realm.write {
        realm.dynamicCreate("Dog", value: ["id": 7, "owner": ["name": "7"], "name": "7"])
      }
      let dog = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 7))
      let again = try realm.dynamicObjects("Dog").last
      #expect(dog == again)
      #expect(dog.hashValue == again?.hashValue)
      #expect(dog.isSameObject(as: again))
      let owner = try #require(dog["owner"] as? DynamicObject)
      #expect(dog != owner)
      #expect(!dog.isSameObject(as: owner))
    }
  }

  @Test func changesAreObserved() throws {
    try withKennel { realm, _ in
      let dogs = try realm.dynamicObjects("Dog")
      let rex = try #require(dogs.first)
      let events = EventRecorder<String>()
      let tokens = [
        try dogs.observe { change in
          guard case .update(let dogs, _, _, let modified) = change else { return }
          events.note("dogs \(modified.map { dogs[$0]["name"] as? String ?? "-" })")
        },
        try rex.observe { change in
          guard case .change(let rex, let properties) = change else { return }
          events.note("rex \(rex["name"] as? String ?? "-") \(properties.map(\.name))")
        },
      ]
      // An initial call precedes the delivery of any change.
      let started = DispatchSemaphore(value: 0)
      let first = try dogs.observe { _ in started.signal() }
      started.wait()
      try realm.write { rex["name"] = "Max" }
      let all = events.wait(for: 2)
      // Ada has a friend that changed.
      #expect(all.sorted() == ["dogs [\"Max\", \"Ada\"]", "rex Max [\"name\"]"])
      for token in tokens + [first] { token.invalidate() }
    }
  }

  @Test func schemaListsClassesOfFile() throws {
    try withKennel { realm, _ in
      let schema = realm.schema
      #expect(schema.objectSchema.map(\.className).sorted() == ["Dog", "Home", "Note", "Owner"])
      #expect(schema["Home"]?.isEmbedded == true && schema["Dog"]?.isEmbedded == false)
      let dog = try #require(schema["Dog"])
      #expect(dog.primaryKeyProperty?.name == "id")
      #expect(dog["owner"]?.objectClassName == "Owner")
      #expect(dog["friends"]?.isArray == true)
      #expect(dog["byRole"]?.isMap == true)
      #expect(dog["byRole"]?.objectClassName == "Owner")
      #expect(dog["name"]?.isIndexed == true)
      #expect(dog["x"] == nil)
    }
  }

  @Test func embeddedObjectsBelongToTheirParent() throws {
    try withKennel { realm, store in
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      let old = try #require(rex["home"] as? DynamicObject)
      let ada = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 2))
      // An embedded object that already has a parent is copied.
      try realm.write { ada["home"] = old }
      #expect((ada["home"] as? DynamicObject)?["street"] as? String == "Hauptgasse")
      #expect(try realm.dynamicObjects("Home").count == 2)
      expectError(.invalidInput) { try realm.write { realm.dynamicCreate("Home") } }
      try realm.write { rex["home"] = ["street": "Marktgasse"] }
      #expect(old.isInvalidated)
      #expect((rex["home"] as? DynamicObject)?["street"] as? String == "Marktgasse")
      try realm.write {
        realm.delete(rex)
        ada["home"] = nil
      }
      #expect(try realm.dynamicObjects("Home").isEmpty)
      try store.check()
    }
  }

  @Test func dynamicObjectDoesNotRestoreDeletedClass() throws {
    try withKennel { realm, store in
      let note = try #require(try realm.dynamicObjects("Note").first)
      var configuration = store.configuration
      configuration.isDynamic = false
      configuration.schemaVersion = 1
      configuration.migrationBlock = { migration, _ in migration.deleteData(forType: "Note") }
      _ = try Realm(configuration: configuration)
      #expect(note["text"] as? String == "x", "in the version before")
      try realm.refresh()
      #expect(note.isInvalidated)
      expectError(.invalidatedObject) { try realm.write { note["text"] = "again" } }
      #expect(realm.schema["Note"] == nil)
    }
  }
}

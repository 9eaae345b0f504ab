import Foundation
import Testing
import Varve
import VarveJSONLines

/// Not referenced before the tests that need it, so that the class is unknown to the process until
/// then.
@Model private final class LateStranger: Object {
  @Persisted var name: String
}

@Model private final class StrangerBox: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var items: List<AnyRealmValue>
}

/// Links in mixed values to objects of classes that the process has not used.
@Suite struct UnknownClassLinkTests {
  /// A store filled by another program: a box that links to an object.
  private func withStranger(
    _ name: String, _ body: (Realm, TemporaryRealm) throws -> Void
  ) throws {
    let link = #"{"link":{"class":"\#(name)","id":1}}"#
    let text = """
      {"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"\(name)","objects":1,"properties":[{"name":"name","type":"string"}]},{"name":"StrangerBox","objects":1,"properties":[{"name":"id","type":"int64","primaryKey":true},{"name":"value","type":"mixed"},{"name":"items","type":"mixed","collection":"list"}]}]}
      {"class":"\(name)","id":1,"values":{"name":"Jo"}}
      {"class":"StrangerBox","key":1,"values":{"value":\(link),"items":[{"int":1},\(link)]}}

      """
    let store = try TemporaryRealm { $0.isDynamic = true }
    defer { store.end() }
    let file = store.directory.appending(path: "text")
    try Data(text.utf8).write(to: file)
    let realm = try store.open()
    try realm.importJSONLines(from: file)
    try body(realm, store)
  }

  @Test func linksReadAsDynamicObjects() throws {
    try withStranger("UnknownA") { realm, _ in
      let box = try #require(realm.object(ofType: StrangerBox.self, forPrimaryKey: 1))
      for value in [
        box.value, box.items[1], box.freeze().value, realm.objects(StrangerBox.self)[0].value,
      ] {
        guard case .object(let object) = value else {
          Issue.record("\(value)")
          continue
        }
        #expect((object as? DynamicObject)?["name"] as? String == "Jo")
        #expect(object.objectSchema.className == "UnknownA")
      }
      let dynamic = try #require(try realm.dynamicObject(ofType: "StrangerBox", forPrimaryKey: 1))
      #expect((dynamic["value"] as? DynamicObject)?["name"] as? String == "Jo")
    }
  }

  @Test func linksAreCopiedAndSet() throws {
    try withStranger("UnknownB") { realm, store in
      let box = try #require(realm.object(ofType: StrangerBox.self, forPrimaryKey: 1))
      let dynamic = try #require(try realm.dynamicObject(ofType: "StrangerBox", forPrimaryKey: 1))
      try realm.write {
        let set = realm.create(StrangerBox.self, value: ["id": 2])
        set.value = box.value
        set.items = box.items
        let copy = realm.create(StrangerBox.self, value: ["id": 3])
        copy.value = StrangerBox(value: box).value
        let named = realm.dynamicCreate("StrangerBox", value: ["id": 4])
        named["value"] = dynamic["value"]
      }
      for box in realm.objects(StrangerBox.self) {
        let stranger = box.value.object(DynamicObject.self)
        #expect(stranger?["name"] as? String == "Jo", "\(box.id)")
      }
      let set = realm.object(ofType: StrangerBox.self, forPrimaryKey: 2)
      #expect(set?.items.last?.object(DynamicObject.self)?["name"] as? String == "Jo")
      #expect(try realm.dynamicObjects("UnknownB").count == 1)
      try store.check()
    }
  }

  @Test func requestedClassResolvesObject() throws {
    try withStranger("LateStranger") { realm, _ in
      let box = try #require(realm.object(ofType: StrangerBox.self, forPrimaryKey: 1))
      let value = box.value
      #expect(value.object(StrangerBox.self) == nil)
      // The program declares the class but has not used it before.
      #expect(value.object(Object.self) is LateStranger)
      let stranger = try #require(value.object(LateStranger.self))
      #expect(stranger.name == "Jo")
      try realm.write {
        stranger.name = "Ann"
        let inWrite = value.object(LateStranger.self)?.name
        #expect(inWrite == "Ann")
      }
      #expect(box.freeze().value.object(LateStranger.self)?.isFrozen == true)
      guard case .object(let object) = box.value else {
        Issue.record("no object")
        return
      }
      #expect(object is LateStranger)
    }
  }

  @Test func encodingThrowsInsteadOfWritingNull() throws {
    try withStranger("UnknownC") { realm, _ in
      let box = try #require(realm.object(ofType: StrangerBox.self, forPrimaryKey: 1))
      let encoder = JSONEncoder()
      encoder.userInfo[.varveLinks] = LinkCoding.keys
      // The class has no key, so encoding throws instead of writing null.
      var isRefused = false
      do {
        _ = try encoder.encode(box.value)
      } catch is EncodingError {
        isRefused = true
      }
      #expect(isRefused)
    }
  }
}

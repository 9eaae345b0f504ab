import Foundation
import Testing
import Varve

@Model final class LookedUp: Object {
  @Persisted(primaryKey: true) var id: String?
}

@Model final class LookedUpNumber: Object {
  @Persisted(primaryKey: true) var id: Int
}

@Model final class LookedUpNothing: Object {
  @Persisted var id: Int
}

/// Objects by primary keys whose types are known only at run time.
@Suite struct PrimaryKeyLookupTests {
  private func find<T: Object, Key>(_ realm: Realm, _ type: T.Type, _ key: Key) -> T? {
    realm.object(ofType: type, forPrimaryKey: key)
  }

  @Test func keyMayHaveAnyType() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.create(LookedUp.self, value: ["id": "a"])
        realm.create(LookedUp.self, value: ["id": NSNull()])
        realm.create(LookedUpNumber.self, value: ["id": 7])
      }
      let keys: [Any] = ["a", NSNull(), 7, 1.5]
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: keys[0])?.id == "a")
      let null = try #require(realm.object(ofType: LookedUp.self, forPrimaryKey: keys[1]))
      #expect(null.id == nil)
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: NSNull()) == null)
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: nil) == null)
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: nil as String?) == null)
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: keys[2]) == nil)
      #expect(find(realm, LookedUpNumber.self, 7)?.id == 7)
      #expect(find(realm, LookedUp.self, "a")?.id == "a")
      #expect(find(realm, LookedUpNumber.self, keys[2])?.id == 7)
      #expect(find(realm, LookedUpNumber.self, Int8(7))?.id == 7)
      for key in [keys[0], keys[1], keys[3]] {
        #expect(find(realm, LookedUpNumber.self, key) == nil)
      }
      #expect(find(realm, LookedUpNothing.self, 1) == nil)
      #expect(try realm.dynamicObject(ofType: "LookedUp", forPrimaryKey: NSNull()) != nil)
      try realm.write {
        #expect(find(realm, LookedUpNumber.self, keys[2])?.id == 7)
        #expect(find(realm, LookedUpNumber.self, "x") == nil)
      }
      // Literals and typed keys are found as before.
      #expect(realm.object(ofType: LookedUpNumber.self, forPrimaryKey: 7)?.id == 7)
      #expect(realm.object(ofType: LookedUp.self, forPrimaryKey: "a")?.id == "a")
    }
  }

  @Test func programThrowsErrorsOfTheLibrary() throws {
    func fail() throws { throw Realm.Error(.fail) }
    #expect(thrownError { try fail() }?.code == .fail)
    let error = Realm.Error(
      .invalidInput, "The name is taken.", className: "Dog", propertyName: "name", value: "Rex")
    #expect("\(error)" == "invalidInput: The name is taken. [Dog.name] value: Rex")
    do { throw error } catch Realm.Error.Code.invalidInput {} catch { Issue.record("\(error)") }
  }
}

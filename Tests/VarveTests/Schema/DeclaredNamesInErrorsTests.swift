import Foundation
import Testing
import Varve

/// Each property is stored under the name of another one.
@Model(unique: [["first", "second"]])
final class NamedFault: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var first: Int
  @Persisted var second: Int
  @Persisted var numbers: List<Int>
  @Persisted var names: Map<String, Int>
  @Persisted var link: NamedFault?
  @Persisted var any: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "id": "key", "first": "second", "second": "first", "numbers": "names", "names": "numbers",
      "link": "any", "any": "link",
    ]
  }
}

/// An error names a property as the program declares it, not as the file stores it.
@Suite struct DeclaredNamesInErrorsTests {
  private func property(_ realm: Realm, _ change: () throws -> Void) -> String? {
    do {
      try realm.write(change)
      return nil
    } catch {
      return (error as? Realm.Error)?.propertyName
    }
  }

  @Test func errorsNameDeclaredProperties() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.create(NamedFault.self, value: ["id": 1, "first": 1, "second": 2])
        realm.create(NamedFault.self, value: ["id": 2, "first": 3, "second": 4])
      }
      let fault = try #require(realm.object(ofType: NamedFault.self, forPrimaryKey: 2))
      let dynamic = try #require(try realm.dynamicObjects("NamedFault").last)
      #expect(
        property(realm) { realm.add(NamedFault(value: ["id": 1, "first": 9])) } == "id")
      #expect(
        property(realm) {
          realm.create(NamedFault.self, value: ["id": 3, "first": 1, "second": 2])
        } == "first, second")
      #expect(property(realm) { (fault.first, fault.second) = (1, 2) } == "first, second")
      #expect(
        property(realm) {
          realm.create(
            NamedFault.self, value: ["id": 2, "first": 1, "second": 2], update: .modified)
        } == "first, second")
      #expect(property(realm) { fault.id = 7 } == "id")
      var deep = AnyRealmValue.int(1)
      for _ in 0...100 { deep = .fromArray([deep]) }
      #expect(property(realm) { realm.add(NamedFault(value: ["id": 5, "any": deep])) } == "any")
      #expect(property(realm) { fault.any = deep } == "any")
      #expect(
        property(realm) {
          realm.add(NamedFault(value: ["id": 2, "any": deep]), update: .modified)
        } == "any")
      #expect(
        property(realm) {
          realm.add(NamedFault(value: ["id": 2, "names": ["$a": 1]]), update: .modified)
        } == "names")
      #expect(
        property(realm) { realm.add(NamedFault(value: ["id": 5, "names": ["$a": 1]])) } == "names")
      #expect(property(realm) { fault.numbers.insert(1, at: 5) } == "numbers")
      #expect(property(realm) { fault.names["$a"] = 1 } == "names")
      #expect(property(realm) { dynamic["first"] = "text" } == "first")
      #expect(property(realm) { try fault.setValue("text", forKey: "second") } == "second")
      #expect(property(realm) { try fault.setValue(["text"], forKey: "numbers") } == "numbers")
      let frozen = fault.freeze()
      #expect(property(realm) { frozen.second = 1 } == "second")
      #expect(property(realm) { frozen.numbers.append(1) } == "numbers")
      let numbers = fault.numbers
      #expect(
        property(realm) {
          realm.delete(fault)
          numbers.append(1)
        } == "numbers")
      #expect(fault.first == 3 && realm.objects(NamedFault.self).count == 2)
      try store.check()
    }
  }
}

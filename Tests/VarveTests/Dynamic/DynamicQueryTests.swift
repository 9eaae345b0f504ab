import Testing
import Varve

/// Queries of objects whose class the program does not declare, by names that may be wrong.
@Suite struct DynamicQueryTests {
  @Test func aggregatesByNameUseStoredClass() throws {
    try withKennel { realm, _ in
      let dogs = try realm.dynamicObjects("Dog")
      #expect(try dogs.max(ofProperty: "age") as Int? == 7)
      #expect(try dogs.min(ofProperty: "age") as Int? == 3)
      #expect(try dogs.sum(ofProperty: "age") == 10)
      #expect(try dogs.average(ofProperty: "age") == 5)
      let rex = try #require(try realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1))
      #expect(try rex.dynamicList("friends").sum(ofProperty: "age") == 10)
      #expect(try AnyRealmCollection(dogs).sum(ofProperty: "age") == 10)
      let unknown = thrownError { try dogs.average(ofProperty: "colour") }
      #expect(unknown?.code == .unknownProperty)
      #expect(unknown?.className == "Dog")
      #expect(unknown?.propertyName == "colour")
      expectError(.invalidInput) { try dogs.average(ofProperty: "name") }
      expectError(.invalidInput) { try dogs.max(ofProperty: "name") as Int? }
    }
  }

  @Test func sortDescriptorsAcceptUndeclaredClasses() throws {
    try withKennel { realm, _ in
      let name = "age"
      let byAge = try SortDescriptor(keyPath: name, of: DynamicObject.self)
      let dogs = try realm.dynamicObjects("Dog")
      #expect(dogs.sorted(by: [byAge]).map { $0["name"] as? String } == ["Ada", "Rex"])
      let wrong = try SortDescriptor(keyPath: "colour" + "s", of: DynamicObject.self)
      #expect(dogs.sorted(by: [wrong]).isEmpty)
    }
  }

  /// A query as made by code that is generic over its models.
  private func all<T: Object>(_ type: T.Type, _ realm: Realm) -> Results<T> { realm.objects(type) }

  @Test func dynamicObjectTypeNamesNoClass() throws {
    try withKennel { realm, _ in
      #expect(all(DynamicObject.self, realm).isEmpty)
      let error = thrownError { try realm.write { _ = all(DynamicObject.self, realm) } }
      #expect(error?.code == .unknownClass)
      #expect(error?.className == "DynamicObject")
    }
  }

  @Test func invalidPredicateIsEmptyAndFailsWrite() throws {
    try withKennel { realm, _ in
      let dogs = try realm.dynamicObjects("Dog")
      #expect(dogs.filter("age > 5").map { $0["name"] as? String } == ["Rex"])
      #expect(dogs.index(matching: "age > 5") == 0)
      #expect(dogs.filter("colour == 'red'").isEmpty)
      #expect(dogs.index(matching: "colour == 'red'") == nil)
      let error = thrownError {
        try realm.write { _ = dogs.filter("colour == 'red'") }
      }
      #expect(error?.code == .unknownProperty)
      #expect(error?.className == "Dog")
      #expect(error?.propertyName == "colour")
      expectError(.unknownProperty) {
        try realm.write { _ = dogs.index(matching: "colour == 'red'") }
      }
    }
  }
}

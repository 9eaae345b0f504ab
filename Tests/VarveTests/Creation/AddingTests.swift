import Foundation
import Testing
import Varve
import VarveCore

/// `add`, and values that nest objects created elsewhere.
@Suite struct AddingTests {
  @Test func addedInstanceBecomesManagedWithItsLinks() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2])
      let item = Item("i")
      crate.best = item
      crate.items.append(item)
      let numbers = crate.numbers
      try realm.write { realm.add(crate) }
      #expect(crate.realm == realm && item.realm == realm && numbers.realm == realm)
      #expect(crate.best?.isSameObject(as: item) == true && item.crates.count == 1)
      // Adding the objects again is a no-op.
      let version = realm.version
      try realm.write { realm.add([crate, crate]) }
      #expect(realm.version == version)
      try realm.write { realm.delete(crate) }
      expectError(.invalidatedObject) { try realm.write { realm.add(crate) } }
    }
  }

  @Test func valuesOfEveryKindNestToAnyDepth() throws {
    try withTemporaryRealm { realm, _ in
      let managed = Card(10, "managed")
      try realm.write { realm.add(managed) }
      let (first, second) = (Card(20, "first"), Card(21, "second"))
      (first.next, second.next) = (second, first)
      let card = try realm.write {
        realm.create(
          Card.self,
          value: [
            "id": 1, "next": ["id": 2, "cards": [managed, first, [3, "three"], ["id": 4]]],
            "byName": ["m": managed, "n": ["id": 5, "next": second]],
          ])
      }
      #expect(card.next?.cards.map(\.id) == [10, 20, 3, 4])
      #expect(card.next?.cards[0].isSameObject(as: managed) == true)
      #expect(card.next?.cards[2].title == "three" && first.realm == nil)
      #expect(card.byName["n"]??.next?.next == card.next?.cards[1])
      #expect(realm.objects(Card.self).count == 8)
    }
  }

  @Test func arrayValuesFollowPropertyOrder() throws {
    try withTemporaryRealm { realm, _ in
      let item = try realm.write { realm.create(Item.self, value: ["a", "c"]) }
      #expect(item.name == "a" && item.code == "c" && item.count == 0)
      let error = thrownError {
        try realm.write { realm.create(Item.self, value: ["b", "c", 1, 2]) }
      }
      #expect(error?.code == .invalidInput && error?.className == "Item")
      #expect(error?.value == "4 values, 3 properties")
      #expect(realm.objects(Item.self).count == 1)
    }
  }

  @Test func rejectedValueRollsBackItsWrite() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Item.self, value: ["name": "kept"]) }
      let refused: [(Any, Realm.Error.Code, String?, String?)] = [
        (["id": 1, "label": NSNull()], .missingValue, "label", "nil"),
        (["id": 1, "weight": "heavy"], .typeMismatch, "weight", "heavy of type String"),
        (["id": NSNull()], .missingValue, "id", "nil"),
      ]
      for (value, code, property, text) in refused {
        let error = thrownError {
          try realm.write {
            realm.create(Item.self, value: ["name": "other"])
            realm.create(Crate.self, value: value)
          }
        }
        #expect(error?.code == code && error?.className == "Crate")
        #expect(error?.propertyName == property && error?.value == text)
      }
      #expect(realm.objects(Item.self).map(\.name) == ["kept"])
      #expect(realm.objects(Crate.self).isEmpty)
      try store.check()
    }
  }

  @Test func everyKindOfCollectionCanBeDeleted() throws {
    try withTemporaryRealm { realm, store in
      func fill() throws -> Crate {
        try realm.write {
          realm.deleteAll()
          return realm.create(
            Crate.self,
            value: [
              "id": 1, "items": [["name": "a"], ["name": "b"]], "best": ["name": "c"],
              "places": ["p": ["name": "d"], "q": ["name": "e"]],
            ])
        }
      }
      var crate = try fill()
      try realm.write { realm.delete(crate.items) }
      #expect(crate.items.isEmpty && realm.objects(Item.self).count == 3)
      try realm.write { realm.delete(crate.places) }
      #expect(crate.places.keys == ["p", "q"] && crate.places["p"] == .some(nil))
      try realm.write { realm.delete(realm.objects(Item.self)) }
      #expect(crate.best == nil && realm.objects(Item.self).isEmpty)
      crate = try fill()
      try realm.write { realm.delete(crate.items.where { $0.name == "a" }) }
      try realm.write { realm.delete(Array(crate.items)) }
      try realm.write { realm.delete(Set(crate.places.values.compactMap(\.self))) }
      #expect(realm.objects(Item.self).map(\.name) == ["c"])
      let item = try #require(crate.best)
      try realm.write { crate.items.append(item) }
      try realm.write { realm.delete(item.crates) }
      #expect(crate.isInvalidated && !item.isInvalidated)
      try withTemporaryRealm { other, _ in
        let error = thrownError { try other.write { other.delete(item) } }
        #expect(error?.code == .foreignObject && error?.className == "Item")
      }
      try store.check()
      try realm.write { realm.deleteAll() }
      #expect(try store.report().objectCount == 0)
    }
  }
}

import Foundation
import Testing
import Varve

@Suite struct ObjectKeyValueTests {
  private func withCard(_ body: (Realm, Card) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let card = Card(1, "one", price: 1.5)
      (card.small, card.share, card.rank) = (-3, 0.5, .high)
      card.next = Card(2, "two")
      card.cards.append(objectsIn: [Card(3, "three", price: 3), Card(4, "four")])
      card.numbers.append(objectsIn: [1, 2])
      card.notes["a"] = "A"
      card.byName["x"] = card.next
      card.cover = Cover(value: ["color": "red"])
      try body(realm, card)
    }
  }

  private func expectValues(_ card: Card) throws {
    #expect(try card.value(forKey: "id") as? Int == 1)
    #expect(try card.value(forKey: "title") as? String == "one")
    #expect(try card.value(forKey: "small") as? Int8 == -3)
    #expect(try card.value(forKey: "price") as? Double == 1.5)
    #expect(try card.value(forKey: "rank") as? String == "high")
    #expect((try card.value(forKey: "next") as? Card)?.id == 2)
    #expect((try card.value(forKey: "cards") as? List<Card>)?.count == 2)
    #expect((try card.value(forKey: "notes") as? Map<String, String>)?["a"] == "A")
    #expect((try card.value(forKey: "cover") as? Cover)?.color == "red")
    #expect(try card.value(forKey: "self") as? Card === card)
    #expect(try card.next?.value(forKey: "price") == nil)
    let previous = try card.next?.value(forKey: "previous") as? LinkingObjects<Card>
    #expect(previous?.count == (card.realm == nil ? 0 : 1))
    #expect(card["title"] as? String == "one" && card["next"] as? Card != nil)
    #expect(card.next?["next"] == nil)
  }

  @Test func valuesAreReadByName() throws {
    try withCard { realm, card in
      try expectValues(card)
      try realm.write { realm.add(card) }
      try expectValues(card)
      try expectValues(card.freeze())
      try realm.write { try expectValues(card) }
    }
  }

  @Test func keyPathsTraverseLinksAndCollections() throws {
    try withCard { realm, card in
      func check() throws {
        #expect(try card.value(forKeyPath: "title") as? String == "one")
        #expect(try card.value(forKeyPath: "next.title") as? String == "two")
        #expect(try card.value(forKeyPath: "next.next.title") == nil)
        #expect(try card.value(forKeyPath: "cover.color") as? String == "red")
        #expect(try card.value(forKeyPath: "cards.title") as? [String] == ["three", "four"])
        #expect(try card.value(forKeyPath: "cards.price") as? [Double?] == [3, nil])
        #expect(try card.value(forKeyPath: "cards.@count") as? Int == 2)
        #expect(try card.value(forKeyPath: "cards.@max.price") as? Double == 3)
        #expect(try card.value(forKeyPath: "numbers.@sum.self") as? Int == 3)
        #expect(try card.value(forKeyPath: "notes.a") as? String == "A")
        #expect(try card.value(forKeyPath: "notes.b") == nil)
        #expect(try card.value(forKeyPath: "byName.x.title") as? String == "two")
        #expect(try card.value(forKeyPath: "cards.numbers.@count") as? [Int] == [0, 0])
      }
      try check()
      try realm.write { realm.add(card) }
      try check()
      #expect(try card.next?.value(forKeyPath: "previous.title") as? [String] == ["one"])
    }
  }

  @Test func unknownKeyThrows() throws {
    try withCard { realm, card in
      func check() {
        let error = thrownError { try card.value(forKey: "nothing") }
        #expect(error?.code == .unknownProperty)
        #expect(error?.className == "Card" && error?.propertyName == "nothing")
        expectError(.unknownProperty) { try card.value(forKeyPath: "next.nothing") }
        expectError(.unknownProperty) { try card.value(forKeyPath: "cards.nothing") }
        expectError(.unknownProperty) { try card.value(forKeyPath: "numbers.title") }
        expectError(.unknownProperty) { try card.value(forKey: "next.title") }
        expectError(.invalidInput) { try card.value(forKeyPath: "title.length") }
        expectError(.invalidInput) { try card.value(forKeyPath: "next..title") }
        expectError(.invalidInput) { try card.value(forKeyPath: "") }
        expectError(.invalidInput) { try card.value(forKeyPath: "cards.@nothing") }
        #expect(card["nothing"] == nil)
      }
      check()
      try realm.write { realm.add(card) }
      check()
      let error = thrownError { try realm.write { _ = card["nothing"] } }
      #expect(error?.code == .unknownProperty && error?.propertyName == "nothing")
      try realm.write { realm.delete(card) }
      let gone = thrownError { try card.value(forKey: "title") }
      #expect(gone?.code == .invalidatedObject && gone?.className == "Card")
    }
  }

  @Test func valuesAreSetByName() throws {
    try withCard { realm, card in
      func change() throws {
        try card.setValue("new", forKey: "title")
        try card.setValue(nil, forKey: "price")
        try card.setValue(7, forKey: "small")
        try card.setValue("low", forKey: "rank")
        try card.setValue(["id": 20 + card.numbers.count, "title": "made"], forKey: "next")
        try card.setValue([9, 8], forKey: "numbers")
        try card.setValue(["k": "v"], forKey: "notes")
        try card.setValue(["color": "blue"], forKey: "cover")
        card["share"] = 0.25
      }
      func check() {
        #expect(card.title == "new" && card.price == nil && card.small == 7 && card.rank == .low)
        #expect(card.next?.title == "made" && Array(card.numbers) == [9, 8])
        #expect(card.notes.keys == ["k"] && card.cover?.color == "blue" && card.share == 0.25)
      }
      try realm.write { realm.add(card) }
      let copy = Card(value: card)
      try realm.write { try change() }
      check()
      try copy.setValue("copy", forKey: "title")
      copy["price"] = NSNull()
      #expect(copy.title == "copy" && copy.price == nil && copy.realm == nil)
    }
  }

  @Test func invalidSetThrowsAndChangesNothing() throws {
    try withCard { realm, card in
      try realm.write { realm.add(card) }
      expectError(.notInWriteTransaction) { try card.setValue("x", forKey: "title") }
      try realm.write {
        let wrong: [(String, Any?, Realm.Error.Code)] = [
          ("nothing", 1, .unknownProperty), ("title", 7, .typeMismatch),
          ("title", nil, .missingValue), ("small", 200, .typeMismatch),
          ("rank", "none", .typeMismatch), ("next", ["id": "x"], .typeMismatch),
          ("numbers", [1, "a"], .typeMismatch), ("previous", [], .invalidInput),
        ]
        for (key, value, code) in wrong {
          let error = thrownError { try card.setValue(value, forKey: key) }
          #expect(error?.code == code, "\(key)")
        }
        expectError(.frozen) { try card.freeze().setValue("x", forKey: "title") }
      }
      #expect(card.title == "one" && card.small == -3 && card.next?.id == 2)
      // An error of the write itself is thrown by `setValue` and by `write`.
      var early: Realm.Error?
      let late = thrownError {
        try realm.write { early = thrownError { try card.setValue(5, forKey: "id") } }
      }
      #expect(early?.code == .primaryKeyChanged && late?.code == .primaryKeyChanged)
      expectError(.unknownProperty) { try realm.write { card["nothing"] = 1 } }
      let added = Card(9)
      added["title"] = 9
      expectError(.typeMismatch) { try realm.write { realm.add(added) } }
      try realm.write {
        realm.delete(card)
        expectError(.invalidatedObject) { try card.setValue("x", forKey: "title") }
      }
    }
  }
}

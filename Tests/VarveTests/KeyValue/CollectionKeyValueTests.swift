import Foundation
import Testing
import Varve

@Suite struct CollectionKeyValueTests {
  /// A list, results and linking objects of the same three cards, managed; then the list unmanaged.
  private func withCards(_ body: (Realm, Card) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let hub = Card(0, "hub")
      for (id, title, price) in [(1, "a", 1.5), (2, "b", nil), (3, "a", 2.5)]
        as [(Int, String, Double?)]
      {
        let card = Card(id, title, price: price)
        (card.small, card.share, card.next) = (Int8(id), Float(id), hub)
        card.when = Date(timeIntervalSince1970: Double(id))
        card.numbers.append(objectsIn: [id, 7])
        hub.cards.append(card)
        hub.byName[title + "\(id)"] = card
      }
      hub.numbers.append(objectsIn: [3, 1, 3])
      hub.marks.append(objectsIn: [.low, .high, .low])
      for (key, value) in [("p", "P"), ("q", "Q")] { hub.notes[key] = value }
      try body(realm, hub)
      try realm.write { realm.add(hub) }
      try body(realm, hub)
    }
  }

  private func check<C: _LiveCollection>(_ cards: C) throws where C.Element == Card {
    #expect(try cards.value(forKey: "title") as? [String] == ["a", "b", "a"])
    #expect(try cards.value(forKey: "price") as? [Double?] == [1.5, nil, 2.5])
    #expect((try cards.value(forKey: "self") as? [Card])?.map(\.id) == [1, 2, 3])
    #expect(try cards.value(forKeyPath: "next.title") as? [String] == ["hub", "hub", "hub"])
    #expect(try cards.value(forKeyPath: "@count") as? Int == 3)
    #expect(try cards.value(forKeyPath: "@sum.price") as? Double == 4)
    #expect(try cards.value(forKeyPath: "@sum.small") as? Int == 6)
    #expect(try cards.value(forKeyPath: "@sum.share") as? Float == 6)
    #expect(try cards.value(forKeyPath: "@avg.price") as? Double == 2)
    #expect(try cards.value(forKeyPath: "@min.price") as? Double == 1.5)
    #expect(try cards.value(forKeyPath: "@max.small") as? Int8 == 3)
    let date = try cards.value(forKeyPath: "@max.when") as? Date
    #expect(date?.timeIntervalSince1970 == 3)
    #expect(try cards.value(forKeyPath: "@unionOfObjects.title") as? [String] == ["a", "b", "a"])
    #expect(try cards.value(forKeyPath: "@unionOfObjects.price") as? [Double] == [1.5, 2.5])
    #expect(
      try cards.value(forKeyPath: "@distinctUnionOfObjects.title") as? [String] == ["a", "b"])
    #expect((try cards.value(forKeyPath: "@distinctUnionOfObjects.next") as? [Card])?.count == 1)
    #expect(
      try cards.value(forKeyPath: "@unionOfArrays.numbers") as? [Int] == [1, 7, 2, 7, 3, 7])
    #expect(
      try cards.value(forKeyPath: "@distinctUnionOfArrays.numbers") as? [Int] == [1, 7, 2, 3])
  }

  private func checkErrors<C: _LiveCollection>(_ cards: C) where C.Element == Card {
    expectError(.unknownProperty) { try cards.value(forKey: "nothing") }
    expectError(.invalidInput) { try cards.value(forKey: "@count") }
    for path in [
      "@nothing.price", "@sum", "@min.next.price", "@count.price", "@sum.title", "@min.title",
      "@avg.when", "@sum.when", "@max.next", "@max.raw", "@sum.numbers", "@unionOfArrays.title",
      "@unionOfObjects.numbers", "@unionOfArrays.self", "@distinctUnionOfObjects", "@", "@sum.",
    ] {
      let error = thrownError { try cards.value(forKeyPath: path) }
      #expect(error?.code == .invalidInput, "\(path)")
      #expect(error?.className == "Card" && error?.value?.isEmpty == false, "\(path)")
    }
    expectError(.unknownProperty) { try cards.value(forKeyPath: "@sum.nothing") }
    expectError(.unknownProperty) { try cards.value(forKeyPath: "nothing.title") }
  }

  @Test func objectCollectionsEvaluateKeysAndOperators() throws {
    try withCards { realm, hub in
      try check(hub.cards)
      checkErrors(hub.cards)
      guard hub.realm != nil else { return }
      let results = realm.objects(Card.self).where { $0.id > 0 }.sorted(by: \.id)
      try check(results)
      checkErrors(results)
      try check(results.freeze())
      try check(hub.previous)
      checkErrors(hub.previous)
      let none = results.where { $0.id > 100 }
      #expect(try none.value(forKeyPath: "@sum.price") as? Double == 0)
      #expect(try none.value(forKeyPath: "@avg.price") == nil)
      #expect(try none.value(forKeyPath: "@max.price") == nil)
      checkErrors(none)
    }
  }

  @Test func valueCollectionsEvaluateSelf() throws {
    try withCards { (_: Realm, hub: Card) throws in
      #expect(try hub.numbers.value(forKey: "self") as? [Int] == [3, 1, 3])
      #expect(try hub.marks.value(forKey: "self") as? [String] == ["low", "high", "low"])
      #expect(try hub.numbers.value(forKeyPath: "@max.self") as? Int == 3)
      #expect(
        try hub.numbers.value(forKeyPath: "@distinctUnionOfObjects.self") as? [Int] == [3, 1])
      expectError(.unknownProperty) { try hub.numbers.value(forKey: "title") }
      expectError(.invalidInput) { try hub.marks.value(forKeyPath: "@sum.self") }
    }
  }

  @Test func setsAndDecimalsEvaluateKeysAndOperators() throws {
    try withCards { (_: Realm, hub: Card) throws in
      if hub.realm == nil {
        hub.words.insert(objectsIn: ["b", "a"])
        hub.peers.insert(objectsIn: hub.cards)
        for card in hub.cards { card.cost = Decimal128(integerLiteral: Int64(card.id)) }
      }
      #expect(try hub.words.value(forKey: "self") as? Set<String> == ["a", "b"])
      let titles: [Any?] = try hub.peers.value(forKey: "title")
      #expect(titles.compactMap { $0 as? String }.sorted() == ["a", "a", "b"])
      #expect(try hub.peers.value(forKeyPath: "@count") as? Int == 3)
      #expect(try hub.value(forKeyPath: "peers.@max.price") as? Double == 2.5)
      #expect(try hub.cards.value(forKeyPath: "@sum.cost") as? Decimal128 == 6)
      #expect(try hub.cards.value(forKeyPath: "@avg.cost") as? Decimal128 == 2)
      let any = AnyRealmCollection(hub.cards)
      #expect(
        try any.value(forKeyPath: "@distinctUnionOfObjects.title") as? [String] == ["a", "b"])
      guard let realm = hub.realm else { return }
      try realm.write { try hub.peers.setValue("set", forKey: "title") }
      #expect(hub.cards.map(\.title) == ["set", "set", "set"])
    }
  }

  @Test func mapsReturnValueForKey() throws {
    try withCards { (_: Realm, hub: Card) throws in
      #expect(try hub.notes.value(forKey: "p") as? String == "P")
      #expect(try hub.notes.value(forKey: "none") == nil)
      #expect((try hub.byName.value(forKey: "b2") as? Card)?.id == 2)
      #expect(try hub.notes.value(forKey: "@count") as? Int == 2)
      #expect(try hub.notes.value(forKey: "@allKeys") as? [String] == ["p", "q"])
      #expect(try hub.notes.value(forKey: "@allValues") as? [String] == ["P", "Q"])
      #expect(try hub.notes.value(forKey: "@invalidated") as? Bool == false)
      expectError(.invalidInput) { try hub.notes.value(forKey: "@nothing") }
      #expect(try hub.byName.value(forKeyPath: "b2.title") as? String == "b")
      #expect(try hub.byName.value(forKeyPath: "@max.price") as? Double == 2.5)
      #expect(try hub.byName.value(forKeyPath: "@sum.small") as? Int == 6)
      expectError(.invalidInput) { try hub.byName.value(forKeyPath: "@sum.title") }
      expectError(.unknownProperty) { try hub.byName.value(forKeyPath: "b2.nothing") }
    }
  }

  @Test func setValueSetsEveryElement() throws {
    try withCards { realm, hub in
      guard hub.realm != nil else {
        try hub.cards.setValue("x", forKey: "title")
        #expect(hub.cards.map(\.title) == ["x", "x", "x"])
        try hub.numbers.setValue(5, forKey: "self")
        #expect(Array(hub.numbers) == [5, 5, 5])
        try hub.notes.setValue("new", forKey: "n")
        #expect(hub.notes["n"] == "new")
        return
      }
      let results = realm.objects(Card.self).where { $0.small > 0 }
      expectError(.notInWriteTransaction) { try results.setValue(1, forKey: "small") }
      expectError(.notInWriteTransaction) { try hub.numbers.setValue(1, forKey: "self") }
      expectError(.notInWriteTransaction) { try hub.notes.setValue("x", forKey: "n") }
      try realm.write {
        // Elements that leave the results meanwhile are set as well.
        try results.setValue(0, forKey: "small")
        #expect(results.isEmpty && hub.cards.map(\.small) == [0, 0, 0])
        try hub.cards.setValue("y", forKey: "title")
        try hub.previous.setValue(9.5, forKey: "price")
        try hub.numbers.setValue(6, forKey: "self")
        try hub.marks.setValue("high", forKey: "self")
        try hub.notes.setValue("new", forKey: "n")
        try hub.notes.setValue(nil, forKey: "p")
        try hub.byName.setValue(NSNull(), forKey: "b2")
        for (key, value, code) in [
          ("nothing", 1, .unknownProperty), ("title", 1, .typeMismatch),
          ("title", nil, .missingValue), ("self", 1, .typeMismatch),
        ] as [(String, Any?, Realm.Error.Code)] {
          expectError(code) { try hub.cards.setValue(value, forKey: key) }
        }
        expectError(.typeMismatch) { try hub.numbers.setValue("x", forKey: "self") }
        expectError(.missingValue) { try hub.numbers.setValue(nil, forKey: "self") }
        expectError(.typeMismatch) { try hub.notes.setValue(1, forKey: "n") }
        expectError(.invalidInput) { try hub.previous.setValue(1, forKey: "self") }
      }
      #expect(
        hub.cards.map(\.title) == ["y", "y", "y"] && hub.cards.map(\.price) == [9.5, 9.5, 9.5])
      #expect(Array(hub.numbers) == [6, 6, 6] && Array(hub.marks) == [.high, .high, .high])
      #expect(hub.notes["n"] == "new" && hub.notes["p"] == nil && hub.byName["b2"] == .some(nil))
      expectError(.invalidKey) { try realm.write { try hub.notes.setValue("x", forKey: "a.b") } }
    }
  }

  @Test func collectionsOfDeletedObjectThrow() throws {
    try withCards { realm, hub in
      guard hub.realm != nil else { return }
      let (cards, numbers, notes) = (hub.cards, hub.numbers, hub.notes)
      let previous = hub.previous
      try realm.write { realm.delete(hub) }
      expectError(.invalidatedObject) { try cards.value(forKey: "title") }
      expectError(.invalidatedObject) { try cards.value(forKeyPath: "@count") }
      expectError(.invalidatedObject) { try numbers.value(forKey: "self") }
      expectError(.invalidatedObject) { try previous.value(forKey: "title") }
      #expect(try notes.value(forKey: "p") == nil)
      #expect(try notes.value(forKey: "@invalidated") as? Bool == true)
      try realm.write {
        expectError(.invalidatedObject) { try cards.setValue("x", forKey: "title") }
        expectError(.invalidatedObject) { try numbers.setValue(1, forKey: "self") }
        expectError(.invalidatedObject) { try notes.setValue("x", forKey: "n") }
      }
    }
  }
}

import Foundation
import Testing
import Varve

/// Values of sets by keys, which are Swift sets.
@Suite struct SetKeyValueTests {
  @Test func valuesOfSetAreASet() throws {
    try withTemporaryRealm { realm, _ in
      let bag = Bag(1, coins: [Coin(10, worth: 1), Coin(20, worth: 2), Coin(30, worth: 2)])
      bag.strings.insert(objectsIn: ["a", "b"])
      bag.optionalInts.insert(objectsIn: [1, nil])
      let unmanaged = Bag(value: bag)
      try realm.write { realm.add(bag) }
      for bag in [unmanaged, bag, bag.freeze()] {
        #expect(try bag.coins.value(forKey: "worth") as? Set<Int> == [1, 2])
        #expect(try bag.strings.value(forKey: "self") as? Set<String> == ["a", "b"])
        #expect(try bag.optionalInts.value(forKey: "self") as? Set<Int?> == [1, nil])
        #expect((try bag.coins.value(forKey: "self") as? Set<Coin>)?.count == 3)
        #expect(try bag.value(forKeyPath: "coins.worth") as? Set<Int> == [1, 2])
        #expect(try bag.coins.value(forKeyPath: "worth") as? Set<Int> == [1, 2])
        let all: [Any?] = try bag.coins.value(forKey: "worth")
        #expect(all.count == 3)
        #expect(try bag.value(forKey: "strings") is MutableSet<String>)
      }
      expectError(.unknownProperty) { _ = try bag.coins.value(forKey: "nothing") as Any? }
    }
  }

  @Test func nestedValuesOfSetAreArraysInSet() throws {
    try withTemporaryRealm { realm, _ in
      let card = Card(1)
      for (id, titles) in [(2, ["a", "b"]), (3, ["a", "b"]), (4, ["c"])] {
        let peer = Card(id)
        for (index, title) in titles.enumerated() {
          peer.cards.append(Card(10 * id + index, title))
        }
        card.peers.insert(peer)
      }
      try realm.write { realm.add(card) }
      for card in [card, card.freeze()] {
        let nested = try card.peers.value(forKeyPath: "cards.title") as? Set<[String]>
        #expect(nested == [["a", "b"], ["c"]])
        let erased = AnyRealmCollection(card.peers)
        #expect(try erased.value(forKeyPath: "id") as? Set<Int> == [2, 3, 4])
        // Linking objects are not hashable.
        let linking = try card.peers.value(forKey: "previous") as? [Any?]
        #expect(linking?.count == 3 && linking?.allSatisfy { $0 is LinkingObjects<Card> } == true)
      }
    }
  }

  @Test func valuesOfListsAndResultsAreArrays() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add([Coin(10, worth: 1), Coin(20, worth: 2)]) }
      #expect(try realm.objects(Coin.self).value(forKey: "worth") as? [Int] == [1, 2])
    }
  }
}

import Foundation
import Testing
import Varve

/// Sets of objects that are created from values, added and updated.
@Suite struct SetCreationTests {
  @Test func setsAreCreatedFromAnySequence() throws {
    try withTemporaryRealm { realm, store in
      let given = MutableSet<Int>()
      given.insert(objectsIn: [5, 4])
      let list = List<Int>()
      list.append(objectsIn: [2, 1, 2])
      for (value, expected) in [
        ([3, 1, 3] as Any, [1, 3]), (Set([9, 8]), [8, 9]), (given, [4, 5]), (list, [1, 2]),
        (NSNull(), []), ([] as [Any], []), (NSArray(array: [7, 6]), [6, 7]),
      ] {
        let unmanaged = Bag(value: ["id": 1, "ints": value])
        #expect(Array(unmanaged.ints) == expected, "\(type(of: value))")
        try realm.write {
          let bag = realm.create(Bag.self, value: ["id": 1, "ints": value], update: .all)
          #expect(Array(bag.ints) == expected, "\(type(of: value))")
        }
      }
      try store.check()
    }
  }

  @Test func setsAcceptNestedObjectsAndJSON() throws {
    try withTemporaryRealm { realm, store in
      let text =
        #"{"id": 1, "hues": ["red", "blue"], "coins": [{"id": 2, "worth": 5}, {"id": 1}], "optionalInts": [null, 1, null]}"#
      let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let bag = try realm.write { realm.create(Bag.self, value: value) }
      #expect(Array(bag.hues) == [.blue, .red] && bag.coins.map(\.worth) == [0, 5])
      #expect(Array(bag.optionalInts) == [nil, 1])
      let copy = Bag(value: bag)
      #expect(Array(copy.hues) == Array(bag.hues) && Array(copy.optionalInts) == [nil, 1])
      try store.check()
    }
  }

  @Test func invalidElementsAreRejectedByName() throws {
    try withTemporaryRealm { realm, _ in
      for (value, code) in [
        (["a"] as Any, Realm.Error.Code.typeMismatch), ([1, NSNull()] as [Any], .missingValue),
        (7, .typeMismatch), (["a": 1], .typeMismatch), (Set(["a"]), .typeMismatch),
      ] {
        let error = thrownError {
          try realm.write { realm.create(Bag.self, value: ["id": 1, "ints": value]) }
        }
        #expect(error?.code == code && error?.className == "Bag", "\(value)")
        #expect(error?.propertyName == "ints", "\(value)")
      }
      #expect(realm.objects(Bag.self).isEmpty)
      // A list is ordered; a set of the standard library is not.
      expectError(.typeMismatch) {
        try realm.write { realm.create(Sheep.self, value: ["id": 1, "weights": Set([1])]) }
      }
    }
  }

  @Test func updateReplacesElements() throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1, coins: [Coin(1), Coin(2)])
      bag.ints.insert(objectsIn: [1, 2])
      try realm.write { realm.add(bag) }
      for policy in [Realm.UpdatePolicy.modified, .all] {
        let before = realm.freeze()
        try realm.write {
          realm.create(
            Bag.self, value: ["id": 1, "ints": [2, 1], "coins": [["id": 2], ["id": 1]]],
            update: policy)
        }
        let same = try realm.freeze().changes(since: before).objects(Bag.self)
        let isReported = same.modifications.contains { change in
          change.properties.map(\.name).contains("ints")
        }
        #expect(isReported == (policy == .all), "all that is given is set, even if equal")
        try realm.write {
          realm.create(
            Bag.self, value: ["id": 1, "ints": [2, 3], "coins": [["id": 2], ["id": 3]]],
            update: policy)
        }
        #expect(Array(bag.ints) == [2, 3] && bag.coins.map(\.id) == [2, 3])
        try realm.write {
          realm.create(
            Bag.self, value: ["id": 1, "ints": [1, 2], "coins": [["id": 1], ["id": 2]]],
            update: policy)
          realm.create(Bag.self, value: ["id": 1, "name": "b"], update: policy)
        }
        #expect(Array(bag.ints) == [1, 2] && bag.coins.map(\.id) == [1, 2] && bag.name == "b")
      }
      let other = Bag(1)
      other.ints.insert(5)
      try realm.write { realm.add(other, update: .modified) }
      #expect(Array(bag.ints) == [5] && bag.coins.isEmpty && realm.objects(Coin.self).count == 3)
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(Bag(1)) } }
      try store.check()
    }
  }

  @Test func duplicateKeysInSetAreRejected() throws {
    try withTemporaryRealm { realm, _ in
      let bag = Bag(1)
      bag.coins.insert(objectsIn: [Coin(1), Coin(1)])
      #expect(bag.coins.count == 2)
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(bag) } }
    }
  }

  @Test func cyclicSetsAreAdded() throws {
    try withTemporaryRealm { realm, store in
      let (first, second) = (Bag(1), Bag(2))
      first.bags.insert(objectsIn: [first, second])
      second.bags.insert(first)
      try realm.write { realm.add(first) }
      #expect(first.bags.map(\.id) == [1, 2] && second.bags.map(\.id) == [1])
      #expect(first.holders.map(\.id) == [1, 2] && second.holders.map(\.id) == [1])
      try store.check()
    }
  }

  @Test func classWithoutModelMacroHasSets() throws {
    try withTemporaryRealm { realm, store in
      let purse = Purse(value: ["id": 1, "words": ["b", "a", "b"], "heap": [["id": 3]]])
      #expect(Array(purse.words) == ["a", "b"])
      try realm.write { realm.add(purse) }
      #expect(Array(purse.words) == ["a", "b"] && purse.heap.map(\.id) == [3])
      purse.freeze().thaw().map { #expect(Array($0.words) == ["a", "b"]) }
      try store.check()
    }
  }

  @Test func objectsDoNotShareSets() throws {
    let (first, second) = (Bag(1), Bag(2))
    first.ints.insert(1)
    #expect(second.ints.isEmpty && first.ints === first.ints && first.ints !== second.ints)
  }
}

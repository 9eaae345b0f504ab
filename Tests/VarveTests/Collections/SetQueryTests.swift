import Testing
import Varve

/// Queries on sets of values and of objects.
@Suite struct SetQueryTests {
  private func withBag(_ body: (Realm, Bag) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1, coins: [Coin(3, worth: 5), Coin(1, worth: 5), Coin(2, worth: 9)])
      bag.ints.insert(objectsIn: [30, 10, 20])
      bag.optionalInts.insert(objectsIn: [4, nil, 2])
      bag.strings.insert(objectsIn: ["b", "a", "B"])
      try realm.write {
        realm.add(bag)
        try body(realm, bag)
      }
      try body(realm, bag)
      try body(realm, bag.freeze())
      try store.check()
    }
  }

  @Test func valuesAreFilteredSortedAndAggregated() throws {
    try withBag { _, bag in
      #expect(Array(bag.ints.where { $0 > 10 }) == [20, 30])
      #expect(Array(bag.ints.sorted(ascending: false)) == [30, 20, 10])
      #expect(bag.ints.min() == 10 && bag.ints.max() == 30 && bag.ints.sum() == 60)
      #expect(bag.ints.average() == 20 && bag.strings.where { $0 == "a" }.count == 1)
      #expect(Array(bag.optionalInts.sorted(ascending: false)) == [4, 2, nil])
      #expect(bag.optionalInts.sum() == 6 && bag.optionalInts.min() == 2)
      #expect(Array(bag.strings.where { $0.equals("B", caseInsensitive: true) }) == ["B", "b"])
      #expect(Array(bag.ints.filter { $0 < 15 }) == [10] && bag.ints.index(of: 20) == 1)
    }
    let unmanaged = MutableSet<Int>()
    unmanaged.insert(objectsIn: [3, 1])
    #expect(unmanaged.min() == 1 && unmanaged.sum() == 4 && unmanaged.average() == 2)
  }

  @Test func objectsAreFilteredSortedAndAggregated() throws {
    try withBag { _, bag in
      #expect(bag.coins.where { $0.worth == 5 }.map(\.id) == [1, 3])
      #expect(bag.coins.sorted(by: \.worth, ascending: false).map(\.id) == [2, 1, 3])
      #expect(bag.coins.distinct(by: [\.worth]).map(\.id) == [1, 2])
      #expect(bag.coins.max(of: \.worth) == 9 && bag.coins.sum(of: \.worth) == 19)
      #expect(bag.coins.where { $0.worth > 5 }.first?.id == 2)
    }
  }

  @Test func resultsFollowTheirSet() throws {
    try withTemporaryRealm { realm, _ in
      let bag = Bag(1, coins: [Coin(1, worth: 5), Coin(3, worth: 5)])
      bag.ints.insert(objectsIn: [10, 20])
      try realm.write { realm.add(bag) }
      let (values, objects) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>())
      let tokens = [
        try bag.ints.where { $0 > 15 }.observe { values.note(ObservedChange($0)) },
        try bag.coins.where { $0.worth == 5 }.observe { objects.note(ObservedChange($0)) },
      ]
      _ = (values.wait(for: 1), objects.wait(for: 1))
      try realm.write {
        bag.ints.insert(objectsIn: [12, 17])
        bag.coins.insert(objectsIn: [Coin(2, worth: 5), Coin(4, worth: 6)])
        bag.coins[0].worth = 7
      }
      #expect(values.wait(for: 2) == [.initial(1), .update(2, [], [0])])
      #expect(objects.wait(for: 2) == [.initial(2), .update(2, [0], [0])])
      let results = bag.coins.where { $0.worth == 5 }
      try realm.write { realm.delete(bag) }
      #expect(results.isInvalidated && results.isEmpty)
      tokens.forEach { $0.invalidate() }
    }
  }
}

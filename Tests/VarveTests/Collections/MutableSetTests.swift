import Foundation
import Testing
import Varve
import VarveStorage
import VarveTestSupport

@Suite struct MutableSetTests {
  /// Runs a test with a managed bag.
  private func withBag(_ body: (Realm, Bag, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let bag = try realm.write { realm.create(Bag.self, value: ["id": 1]) }
      try body(realm, bag, store)
      try store.check()
    }
  }

  // MARK: Elements

  /// Inserts elements into an unmanaged and a managed set, and compares the order with the expected
  /// order.
  private func expect<E: RealmCollectionValue>(
    _ keyPath: KeyPath<Bag, MutableSet<E>>, _ elements: [E], ordered: [E],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withBag { realm, bag, store in
      let unmanaged = MutableSet<E>()
      let managed = bag[keyPath: keyPath]
      try realm.write {
        for set in [unmanaged, managed] {
          for element in elements { set.insert(element) }
          set.insert(objectsIn: elements.reversed())
        }
        expect(managed, ordered, sourceLocation)
      }
      for set in [unmanaged, managed, managed.freeze()] { expect(set, ordered, sourceLocation) }
      try store.close()
      let again = try #require(try store.open().objects(Bag.self).first)
      expect(again[keyPath: keyPath], ordered, sourceLocation)
      try store.check(sourceLocation: sourceLocation)
      try again.realm?.write {
        for element in elements {
          again[keyPath: keyPath].remove(element)
          unmanaged.remove(element)
          #expect(!unmanaged.contains(element), sourceLocation: sourceLocation)
          #expect(!again[keyPath: keyPath].contains(element), sourceLocation: sourceLocation)
        }
      }
      #expect(again[keyPath: keyPath].isEmpty && unmanaged.isEmpty, sourceLocation: sourceLocation)
    }
  }

  private func expect<E: RealmCollectionValue>(
    _ set: MutableSet<E>, _ ordered: [E], _ sourceLocation: SourceLocation
  ) {
    func text(_ element: E) -> String { "\(element)" }
    let texts = ordered.map(text)
    #expect(set.map(text) == texts, sourceLocation: sourceLocation)
    #expect(set.count == ordered.count, sourceLocation: sourceLocation)
    #expect(set.indices.map { text(set[$0]) } == texts, sourceLocation: sourceLocation)
    #expect(set.first.map(text) == texts.first, sourceLocation: sourceLocation)
    #expect(set.last.map(text) == texts.last, sourceLocation: sourceLocation)
    #expect(ordered.allSatisfy(set.contains), sourceLocation: sourceLocation)
    #expect(
      ordered.map { set.index(of: $0) } == Array(0..<ordered.count), sourceLocation: sourceLocation)
  }

  @Test func numbersAreOrderedAndUnique() throws {
    try expect(\.ints, [3, .max, -1, .min, 3, 0], ordered: [.min, -1, 0, 3, .max])
    try expect(\.smallInts, [5, -128, 127, 5], ordered: [-128, 5, 127])
    try expect(\.bools, [true, false, true], ordered: [false, true])
    try expect(\.floats, [1.5, -.infinity, 0], ordered: [-.infinity, 0, 1.5])
    try expect(
      \.doubles, [2, .infinity, -1e300, .leastNonzeroMagnitude, 2],
      ordered: [-1e300, .leastNonzeroMagnitude, 2, .infinity])
    let dates = [1e9, -5, 0.5].map(Date.init(timeIntervalSinceReferenceDate:))
    try expect(\.dates, dates, ordered: [dates[1], dates[2], dates[0]])
  }

  @Test func nullIsUniqueAndSortsFirst() throws {
    try expect(\.optionalInts, [1, nil, -5, nil], ordered: [nil, -5, 1])
    try expect(\.optionalStrings, ["a", nil, ""], ordered: [nil, "", "a"])
  }

  @Test func zerosAreEqualAndNaNSortsFirst() throws {
    try withBag { realm, bag, store in
      let nan = Double(bitPattern: 0x7FF8_0000_0000_1234)
      let unmanaged = MutableSet<Double>()
      let managed = bag.doubles
      try realm.write {
        for set in [unmanaged, managed] {
          set.insert(objectsIn: [1, .nan, 0.0, -0.0, nan, -.infinity, -.nan])
        }
      }
      for set in [unmanaged, managed, managed.freeze()] {
        #expect(set.count == 4 && set[0].isNaN && Array(set.dropFirst()) == [-.infinity, 0, 1])
        // The first inserted zero is kept.
        #expect(set[2].sign == .plus)
        #expect(set.contains(nan) && set.contains(-0.0) && set.index(of: .nan) == 0)
      }
      try realm.write {
        for set in [unmanaged, managed] { set.subtract([nan, -0.0]) }
      }
      for set in [unmanaged, managed] { #expect(Array(set) == [-.infinity, 1]) }
      let dates = bag.dates
      try realm.write {
        for seconds in [0.0, -0.0, .nan, -.nan] {
          dates.insert(Date(timeIntervalSinceReferenceDate: seconds))
        }
      }
      #expect(dates.count == 2)
      let floats = bag.floats
      try realm.write { floats.insert(objectsIn: [.nan, -.nan, 0, -0.0, 1]) }
      #expect(floats.count == 3 && floats[0].isNaN)
    }
  }

  @Test func identifiersDataAndCasesAreOrdered() throws {
    let uuids = [3, 1, 2].map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)) }
    try expect(\.uuids, uuids, ordered: [uuids[1], uuids[2], uuids[0]])
    let ids = ["b", "a"].compactMap { ObjectId(String(repeating: $0, count: 24)) }
    try expect(\.objectIds, ids, ordered: [ids[1], ids[0]])
    let datas = [Data([1]), Data(), Data([0]), Data([0, 0]), Data(repeating: 0, count: 600)]
    try expect(\.datas, datas, ordered: [datas[1], datas[2], datas[3], datas[4], datas[0]])
    try expect(\.hues, [.red, .green, .blue], ordered: [.blue, .green, .red])
  }

  @Test func normalFormsAreDistinctElements() throws {
    try withBag { realm, bag, _ in
      let unmanaged = MutableSet<String>()
      try realm.write {
        for set in [unmanaged, bag.strings] { set.insert(objectsIn: ["\u{e9}", "e\u{301}"]) }
      }
      for set in [unmanaged, bag.strings] {
        #expect(set.map { Array($0.utf8).count } == [3, 2])
        #expect(set.index(of: "\u{e9}") == 1)
      }
    }
  }

  @Test func longStringsWithCommonPrefixAreOrdered() throws {
    let beginning = String(repeating: "k", count: 430)
    var texts: [String] = []
    for length in [0, 7, 8, 9, 10, 11, 57, 82, 83, 3_000, 99_570] {
      for end in ["x", "y", "\u{0}", "\u{0}\u{0}"] {
        texts.append(beginning + String(repeating: "l", count: length) + end)
      }
    }
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    try expect(\.strings, texts.shuffled(), ordered: sorted)
    try expect(\.strings, sorted, ordered: sorted)
    let datas = sorted.map { Data($0.utf8) }
    try expect(\.datas, datas.shuffled(), ordered: datas)
  }

  // MARK: Objects

  @Test func objectsAreOrderedByKeyAndUnique() throws {
    try withBag { realm, bag, _ in
      let coins = [7, -3, 0].map { Coin($0) }
      try realm.write {
        bag.coins.insert(objectsIn: coins)
        bag.coins.insert(coins[0])
        bag.coins.insert(realm.create(Coin.self, value: ["id": 0], update: .modified))
      }
      #expect(bag.coins.map(\.id) == [-3, 0, 7] && bag.coins.count == 3)
      #expect(coins.allSatisfy { $0.realm != nil && bag.coins.contains($0) })
      #expect(bag.coins.freeze().contains(coins[0]) && bag.freeze().coins[2].isFrozen)
      #expect(bag.coins.index(of: coins[0]) == 2)
      #expect(!bag.coins.contains(Coin(7)))
      try realm.write { bag.coins.remove(coins[0].freeze().thaw() ?? Coin(1)) }
      #expect(bag.coins.map(\.id) == [-3, 0] && realm.objects(Coin.self).count == 3)
    }
  }

  @Test func unmanagedSetComparesObjectsByIdentity() throws {
    try withBag { realm, bag, _ in
      let set = MutableSet<Coin>()
      let (first, second) = (Coin(2), Coin(1))
      set.insert(objectsIn: [first, second, first])
      #expect(set.count == 2 && set[0] === first && set.contains(second))
      #expect(!set.contains(Coin(1)))
      let stored = try realm.write { realm.create(Coin.self, value: ["id": 5]) }
      set.insert(stored)
      let again = try #require(realm.object(ofType: Coin.self, forPrimaryKey: 5))
      #expect(set.contains(again))
      set.insert(again)
      #expect(set.count == 3)
      set.remove(again)
      #expect(set.map(\.id) == [2, 1])
    }
  }

  @Test func deletedObjectsAreRemovedFromSets() throws {
    try withTemporaryRealm { realm, store in
      let coins = (0..<6).map { Coin($0) }
      let bags = (0..<4).map { Bag($0, coins: coins) }
      try realm.write {
        realm.add(bags)
        bags[0].bags.insert(objectsIn: bags)
      }
      let frozen = realm.freeze()
      try realm.write {
        realm.delete([coins[1], coins[4]])
        #expect(bags[2].coins.map(\.id) == [0, 2, 3, 5] && bags[2].coins.count == 4)
      }
      #expect(bags.allSatisfy { $0.coins.map(\.id) == [0, 2, 3, 5] })
      try store.check()
      // Deletes the bag's own set and the links from it.
      try realm.write { realm.delete(bags[0]) }
      #expect(coins[0].bags.count == 3 && bags[0].isInvalidated && bags[1].holders.isEmpty)
      try store.check()
      try realm.write { realm.delete(bags[1].coins) }
      #expect(realm.objects(Coin.self).isEmpty && bags.allSatisfy { $0.coins.isEmpty })
      #expect(frozen.objects(Bag.self).allSatisfy { $0.coins.count == 6 })
      try realm.write { realm.deleteAll() }
      #expect(try store.count(.sets) == 0 && store.count(.backlinks) == 0)
      #expect(try store.count(.collections) == 0)
    }
  }

  @Test func setContentIsDeletedWithItsOwner() throws {
    try withBag { realm, bag, store in
      try realm.write {
        bag.strings.insert(objectsIn: [String(repeating: "x", count: 5_000), "a"])
        bag.ints.insert(objectsIn: 0..<100)
        bag.bags.insert(bag)
        realm.delete(bag)
      }
      #expect(try store.count(.sets) == 0 && store.count(.blobs) == 0)
    }
  }

  // MARK: The set as a handle

  @Test func retainedSetBecomesManagedWithItsObject() throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1)
      let (ints, bags) = (bag.ints, bag.bags)
      ints.insert(objectsIn: [2, 1])
      bags.insert(bag)
      bags.insert(Bag(2))
      #expect(ints.realm == nil && !ints.isFrozen && !ints.isInvalidated)
      try realm.write { realm.add(bag) }
      #expect(ints.realm != nil && Array(ints) == [1, 2] && bag.ints == ints)
      #expect(bags.map(\.id) == [1, 2] && bag.holders.map(\.id) == [1])
      try realm.write { ints.insert(3) }
      #expect(Array(bag.ints) == [1, 2, 3])
      try store.check()
    }
  }

  @Test func assigningSetReplacesElements() throws {
    try withTemporaryRealm { realm, store in
      let first = Bag(1)
      first.ints.insert(objectsIn: [1, 2])
      let second = Bag(2)
      second.ints.insert(objectsIn: [2, 3])
      second.ints = first.ints
      #expect(Array(second.ints) == [1, 2] && second.ints !== first.ints)
      try realm.write { realm.add([first, second]) }
      let other = MutableSet<Int>()
      other.insert(objectsIn: [9, 2])
      try realm.write {
        first.ints = other
        second.ints = first.ints
        second.ints = second.ints
      }
      #expect(Array(first.ints) == [2, 9] && Array(second.ints) == [2, 9] && other.realm == nil)
      try realm.write { first.ints = MutableSet() }
      #expect(first.ints.isEmpty && second.ints.count == 2)
      try store.check()
    }
  }

  @Test func setIsFrozenAndThawed() throws {
    try withBag { realm, bag, _ in
      try realm.write { bag.ints.insert(objectsIn: [1, 2]) }
      let frozen = bag.ints.freeze()
      #expect(frozen.isFrozen && frozen.freeze() === frozen && frozen == bag.freeze().ints)
      try realm.write { bag.ints.remove(1) }
      #expect(Array(frozen) == [1, 2] && frozen[1] == 2 && frozen.contains(1))
      let thawed = try #require(frozen.thaw())
      #expect(Array(thawed) == [2] && thawed == bag.ints && thawed.thaw() === thawed)
      #expect(frozen != bag.ints && !frozen.isInvalidated)
      try realm.write { realm.delete(bag) }
      #expect(frozen.thaw() == nil && thawed.isInvalidated && thawed.isEmpty)
      #expect(Array(thawed) == [] && !thawed.contains(2) && thawed.first == nil)
      #expect(Array(frozen) == [1, 2])
      let unmanaged = MutableSet<Int>()
      #expect(unmanaged.thaw() == nil)
      expectError(.unmanaged) { try realm.write { _ = unmanaged.freeze() } }
    }
  }

  @Test func readOutOfBoundsFailsOnlyInWrite() throws {
    try withBag { realm, bag, _ in
      try realm.write { bag.ints.insert(objectsIn: [4, 5]) }
      #expect(bag.ints[2] == 0 && bag.ints[-1] == 0 && bag.coins[0].isInvalidated)
      let error = thrownError { try realm.write { _ = bag.ints[2] } }
      #expect(error?.code == .indexOutOfBounds && error?.value == "index 2, count 2")
      #expect(error?.className == "Bag" && error?.propertyName == "ints")
      try realm.write {
        #expect(bag.ints.first == 4 && bag.ints.last == 5 && bag.strings.first == nil)
        while let first = bag.ints.first { bag.ints.remove(first) }
        #expect(bag.ints.last == nil)
      }
    }
  }

  @Test func indexesFollowChangesInWrite() throws {
    try withBag { realm, bag, _ in
      let (ints, other) = (bag.ints, bag.ints)
      try realm.write {
        ints.insert(objectsIn: [10, 20, 30])
        for _ in 0..<3 { #expect(ints[1] == 20) }
        other.insert(15)
        for _ in 0..<3 { #expect(ints[1] == 15 && ints[3] == 30) }
        ints.remove(10)
        for _ in 0..<3 { #expect(ints[1] == 20) }
      }
      for _ in 0..<3 { #expect(ints[0] == 15) }
      expectCancelled {
        try realm.write {
          ints.removeAll()
          throw Cancelled()
        }
      }
      #expect(ints.map { $0 } == [15, 20, 30] && ints[2] == 30)
    }
  }

  @Test func setHasDescription() throws {
    try withBag { realm, bag, _ in
      #expect(bag.ints.description == "MutableSet<Int> []")
      try realm.write { bag.ints.insert(objectsIn: 0..<102) }
      let text = bag.ints.description
      #expect(text.hasPrefix("MutableSet<Int> (\n\t0,\n\t1,") && text.hasSuffix("… 2 more\n)"))
    }
  }

  @Test func setIsCodedAsArray() throws {
    try withBag { realm, bag, _ in
      let decoded = try JSONDecoder().decode(MutableSet<Int>.self, from: Data("[3,1,3]".utf8))
      #expect(Array(decoded) == [1, 3] && decoded.realm == nil)
      try realm.write { bag.ints.formUnion(decoded) }
      #expect(String(decoding: try JSONEncoder().encode(bag.ints), as: UTF8.self) == "[1,3]")
    }
  }

  @Test func twoInstancesOfOneSetAreEqual() throws {
    try withBag { realm, bag, _ in
      #expect(bag.ints == bag.ints && Set([bag.ints, bag.ints]).count == 1)
      let free = MutableSet<Int>()
      #expect(free == MutableSet<Int>() && free != bag.ints)
      free.insert(7)
      let same = MutableSet<Int>()
      same.insert(7)
      #expect(free != MutableSet<Int>() && free == same && free.hashValue == same.hashValue)
    }
  }
}

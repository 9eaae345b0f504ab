import Testing
import Varve
import VarveTestSupport

/// Set algebra compared with the sets of the standard library.
@Suite struct SetAlgebraTests {
  /// Runs a test with an unmanaged and a managed set, inside a write.
  private func withSets(_ body: (MutableSet<Int>, Bag) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1)
      try realm.write {
        realm.add(bag)
        try body(MutableSet(), Bag(2))
        try body(bag.ints, bag)
        try body(bag.ints, Bag(2))
      }
      try store.check()
    }
  }

  private func random(_ random: inout SeededRandom) -> Set<Int> {
    Set((0..<random.below(8)).map { _ in random.below(10) })
  }

  @Test func changesMatchStandardLibrary() throws {
    var seeded = SeededRandom()
    let comment: Comment = "\(seeded)"
    try withSets { set, _ in
      for _ in 0..<200 {
        var model = random(&seeded)
        let other = random(&seeded)
        let others = MutableSet<Int>()
        others.insert(objectsIn: other)
        set.removeAll()
        set.insert(objectsIn: model)
        switch seeded.below(4) {
        case 0:
          set.formUnion(others)
          model.formUnion(other)
        case 1:
          set.formIntersection(Array(other) + Array(other))
          model.formIntersection(other)
        case 2:
          set.subtract(other)
          model.subtract(other)
        default:
          set.formSymmetricDifference(Array(other) + Array(other))
          model.formSymmetricDifference(other)
        }
        #expect(Array(set) == model.sorted() && set.count == model.count, comment)
      }
    }
  }

  @Test func comparisonsMatchStandardLibrary() throws {
    var seeded = SeededRandom()
    let comment: Comment = "\(seeded)"
    try withSets { set, bag in
      for _ in 0..<300 {
        let model = random(&seeded)
        let other = seeded.chance(30) ? Set(model.prefix(seeded.below(4))) : random(&seeded)
        set.removeAll()
        set.insert(objectsIn: model)
        let others = MutableSet<Int>()
        others.insert(objectsIn: other)
        #expect(set.isSubset(of: others) == model.isSubset(of: other), comment)
        #expect(set.isSuperset(of: other) == model.isSuperset(of: other), comment)
        #expect(set.intersects(others) == !model.isDisjoint(with: other), comment)
        #expect(set.isDisjoint(with: other) == model.isDisjoint(with: other), comment)
        #expect(Array(set.union(other)) == model.union(other).sorted(), comment)
        #expect(Array(set.intersection(others)) == model.intersection(other).sorted(), comment)
        #expect(Array(set.subtracting(others)) == model.subtracting(other).sorted(), comment)
        let difference = set.symmetricDifference(others)
        #expect(Array(difference) == model.symmetricDifference(other).sorted(), comment)
        #expect(difference.realm == nil && Array(set) == model.sorted(), comment)
      }
    }
  }

  @Test func setAlgebraAcceptsItself() throws {
    try withSets { set, _ in
      set.insert(objectsIn: [1, 2])
      set.formUnion(set)
      set.formIntersection(set)
      #expect(Array(set) == [1, 2] && set.isSubset(of: set) && set.isSuperset(of: set))
      set.formSymmetricDifference(set)
      #expect(set.isEmpty)
      set.insert(objectsIn: [1, 2])
      set.subtract(set)
      #expect(set.isEmpty)
    }
  }

  @Test func objectsMatchAcrossInstancesAndCollections() throws {
    try withTemporaryRealm { realm, store in
      let coins = (0..<5).map { Coin($0) }
      let (first, second) = (Bag(1, coins: Array(coins[..<3])), Bag(2, coins: Array(coins[2...])))
      try realm.write { realm.add([first, second]) }
      #expect(first.coins.intersects(second.coins) && !first.coins.isSubset(of: second.coins))
      #expect(first.coins.isSubset(of: realm.objects(Coin.self)))
      #expect(first.coins.freeze().isSubset(of: first.coins))
      #expect(first.coins.union(second.coins).map(\.id).sorted() == [0, 1, 2, 3, 4])
      try realm.write {
        first.coins.formIntersection(second.freeze().coins)
        // An unmanaged object is in no managed set.
        second.coins.subtract([Coin(3)])
        second.coins.formSymmetricDifference([coins[4], Coin(9)])
      }
      #expect(first.coins.map(\.id) == [2] && second.coins.map(\.id) == [2, 3, 9])
      try store.check()
    }
  }

  @Test func rejectedElementChangesNothing() throws {
    try withTemporaryRealm { realm, store in
      try withTemporaryRealm { other, _ in
        let foreign = try other.write { other.create(Coin.self, value: ["id": 1]) }
        let gone = try realm.write { realm.create(Coin.self, value: ["id": 8]) }
        try realm.write { realm.delete(gone) }
        let bag = Bag(1, coins: [Coin(0)])
        try realm.write { realm.add(bag) }
        let changes: [(MutableSet<Coin>, Coin) -> Void] = [
          { $0.insert($1) }, { $0.insert(objectsIn: [Coin(7), $1]) }, { $0.formUnion([$1]) },
          { $0.formSymmetricDifference([$0[0], $1]) },
          { set, coin in
            let all = MutableSet<Coin>()
            all.insert(coin)
            bag.coins = all
          },
        ]
        for change in changes {
          for (coin, code) in [
            (foreign, Realm.Error.Code.foreignObject), (gone, .invalidatedObject),
          ] {
            expectError(code) {
              try realm.write {
                change(bag.coins, coin)
                #expect(bag.coins.map(\.id) == [0])
              }
            }
          }
        }
        // Neither object is in the set, so there is nothing to remove.
        try realm.write {
          bag.coins.remove(foreign)
          bag.coins.subtract([gone])
        }
        #expect(!bag.coins.contains(foreign) && bag.coins.map(\.id) == [0])
        try store.check()
      }
    }
  }
}

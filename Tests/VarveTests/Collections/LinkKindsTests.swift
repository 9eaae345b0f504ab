import Testing
import Varve

/// The links that lead backwards, of each kind that there is.
@Suite struct LinkKindsTests {
  private func ids(_ purses: LinkingObjects<Purse>) -> [Int] { purses.map(\.id) }

  @Test func eachKindOfLinkLeadsBackwards() throws {
    try withTemporaryRealm { realm, store in
      let coin = Coin(1)
      let (first, second) = (Purse(1), Purse(2))
      try realm.write {
        realm.add([first, second])
        realm.add(coin)
        first.best = coin
        second.heap.insert(coin)
        first.heap.insert(objectsIn: [coin, coin])
        // Twice from one list, or one map, is twice.
        first.row.append(objectsIn: [coin, coin])
        second.row.append(coin)
        second.named["a"] = coin
        second.named["b"] = coin
        #expect(ids(coin.rowsOf) == [1, 1, 2] && ids(coin.heapsOf) == [1, 2])
      }
      #expect(ids(coin.bestOf) == [1] && ids(coin.rowsOf) == [1, 1, 2])
      #expect(ids(coin.namedIn) == [2, 2] && ids(coin.heapsOf) == [1, 2])
      #expect(coin.heapsOf.count == 2 && coin.heapsOf[1] == second && coin.namedIn.count == 2)
      #expect(coin.heapsOf.where { $0.id > 1 }.map(\.id) == [2])
      let frozen = coin.freeze()
      try realm.write {
        first.heap.remove(coin)
        first.row.remove(at: 0)
        second.named["a"] = nil
        first.best = nil
      }
      #expect(ids(coin.heapsOf) == [2] && ids(coin.rowsOf) == [1, 2])
      #expect(ids(coin.namedIn) == [2] && coin.bestOf.isEmpty)
      #expect(ids(frozen.heapsOf) == [1, 2] && ids(frozen.rowsOf) == [1, 1, 2])
      try realm.write { realm.delete(second) }
      #expect(coin.heapsOf.isEmpty && ids(coin.rowsOf) == [1] && coin.namedIn.isEmpty)
      try store.check()
    }
  }

  @Test func linksFromSetsAreFollowedByObservers() throws {
    try withTemporaryRealm { realm, _ in
      let (coin, first, second) = (Coin(1), Purse(1), Purse(2))
      try realm.write {
        realm.add(coin)
        realm.add([first, second])
        first.heap.insert(coin)
      }
      let heard = Heard<HeardChange>()
      let token = try coin.heapsOf.observe { heard.note(HeardChange($0)) }
      _ = heard.wait(for: 1)
      try realm.write { second.heap.insert(coin) }
      _ = heard.wait(for: 2)
      try realm.write { first.heap.remove(coin) }
      #expect(heard.wait(for: 3) == [.initial(1), .update(2, [], [1]), .update(1, [0])])
      token.invalidate()
    }
  }
}

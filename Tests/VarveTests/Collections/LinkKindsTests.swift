import Testing
import Varve
import VarveStorage

/// Linking objects for every kind of link.
@Suite struct LinkKindsTests {
  private func ids(_ purses: LinkingObjects<Purse>) -> [Int] { purses.map(\.id) }

  @Test func everyKindOfLinkHasBacklinks() throws {
    try withTemporaryRealm { realm, store in
      let coin = Coin(1)
      let (first, second) = (Purse(1), Purse(2))
      try realm.write {
        realm.add([first, second])
        realm.add(coin)
        first.best = coin
        second.heap.insert(coin)
        first.heap.insert(objectsIn: [coin, coin])
        // Two links from one list or one map count twice.
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

  /// Including links in mixed values, for which linking objects cannot be declared.
  @Test func deletionClearsEveryKindOfLink() throws {
    try withTemporaryRealm { realm, store in
      let (coin, kept) = (Coin(1), Coin(2))
      let (purse, box) = (Purse(1), MixedBox(id: 1))
      try realm.write {
        realm.add([purse])
        realm.add([coin, kept])
        realm.add(box)
        purse.best = coin
        purse.row.append(objectsIn: [coin, kept, coin])
        purse.named["a"] = coin
        purse.heap.insert(objectsIn: [coin, kept])
        box.value = [.object(coin), ["k": .object(coin)], .object(kept)]
        box.tag = .object(coin)
        box.items.append(objectsIn: [.object(coin), 1])
        box.fields["f"] = .object(coin)
        box.kinds.insert(objectsIn: [.object(coin), .object(kept)])
      }
      #expect(ids(coin.bestOf) == [1] && ids(coin.rowsOf) == [1, 1])
      #expect(ids(coin.namedIn) == [1] && ids(coin.heapsOf) == [1])
      let dynamic = try #require(try realm.dynamicObject(ofType: "Coin", forPrimaryKey: 1))
      for (property, count) in [("best", 1), ("row", 2), ("named", 1), ("heap", 1)] {
        let found = try dynamic.dynamicLinkingObjects(ofType: "Purse", property: property)
        #expect(found.count == count, "\(property)")
      }
      for property in ["value", "tag", "items", "fields", "kinds"] {
        expectError(.typeMismatch) {
          try dynamic.dynamicLinkingObjects(ofType: "MixedBox", property: property)
        }
      }
      let frozen = (purse.freeze(), box.freeze())
      try realm.write { realm.delete(coin) }
      #expect(purse.best == nil && purse.row.map(\.id) == [2] && purse.named["a"] == .some(nil))
      #expect(purse.heap.map(\.id) == [2] && ids(kept.rowsOf) == [1] && ids(kept.heapsOf) == [1])
      #expect(box.value[0] == .some(.none) && box.value[1]?["k"] == .some(.none))
      #expect(box.value[2]?.object(Coin.self)?.id == 2 && box.tag == .none)
      #expect(Array(box.items) == [.none, 1] && box.fields["f"] == .some(.none))
      #expect(box.kinds.map { $0.object(Coin.self)?.id } == [2])
      #expect(frozen.0.row.count == 3 && frozen.1.kinds.count == 2)
      try realm.write { realm.delete([purse, box] as [Object]) }
      #expect(kept.rowsOf.isEmpty && kept.heapsOf.isEmpty)
      #expect(try store.count(.backlinks) == 0)
      try store.check()
    }
  }

  @Test func linkingObjectsObserveLinksFromSets() throws {
    try withTemporaryRealm { realm, _ in
      let (coin, first, second) = (Coin(1), Purse(1), Purse(2))
      try realm.write {
        realm.add(coin)
        realm.add([first, second])
        first.heap.insert(coin)
      }
      let events = EventRecorder<ObservedChange>()
      let token = try coin.heapsOf.observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try realm.write { second.heap.insert(coin) }
      _ = events.wait(for: 2)
      try realm.write { first.heap.remove(coin) }
      #expect(events.wait(for: 3) == [.initial(1), .update(2, [], [1]), .update(1, [0])])
      token.invalidate()
    }
  }
}

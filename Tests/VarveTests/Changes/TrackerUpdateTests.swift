import Testing
import Varve
import VarveCore

@Suite struct TrackerUpdateTests {
  private func difference(_ old: Realm, _ new: Realm) -> VersionDifference {
    VersionDifference(
      from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
  }

  private func key(_ id: UInt64) -> Int { Int(Int64(bitPattern: id ^ 1 << 63)) }

  /// A ewe with three lambs, which are also its friends, and a farm of all of them.
  private func withFamily(_ body: (Realm, Ewe, Farm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let ewe = Ewe(0)
      let farm = Farm("f")
      try realm.write {
        realm.add(farm)
        for id in 1..<4 { ewe.lambs.append(Ewe(id, age: id)) }
        realm.add(ewe)
        for lamb in ewe.lambs {
          lamb.farm = farm
          ewe.friends["\(lamb.id)"] = lamb
        }
      }
      try body(realm, ewe, farm)
      try store.check()
    }
  }

  @Test func resultsEndWithTheirSourceObject() throws {
    try withFamily { realm, ewe, farm in
      var friends = ewe.lambs.where { $0.age > 0 }.handle.query
      friends.source = .collection(CollectionIdentity(ewe.friends.handle))
      let queries = [
        ewe.lambs.where { $0.age > 0 }.handle.query, ewe.lambs.sorted(by: \.age).handle.query,
        friends,
        farm.ewes.where { $0.age > 0 }.handle.query,
      ]
      let old = realm.freeze()
      var trackers = try queries.map { query in
        var tracker = CollectionTracker(
          ResultsHandle(context: realm.context, query: query), watching: .usual)
        _ = try tracker.start(at: old.context.snapshot)
        return tracker
      }
      try realm.write {
        realm.delete(ewe)
        realm.delete(farm)
      }
      let difference = difference(old, realm.freeze())
      for index in trackers.indices {
        guard case .end(let changes) = try trackers[index].advance(difference) else {
          Issue.record("Query \(index) did not end.")
          continue
        }
        #expect(Array(changes.deletions) == [0, 1, 2] && trackers[index].answer?.count == 0)
      }
    }
  }

  @Test func restartedTrackerUsesCurrentElements() throws {
    try withFamily { realm, ewe, _ in
      var tracker = CollectionTracker(ewe.lambs.handle, realm.context.store, .usual)
      var old = realm.freeze()
      _ = try tracker.start(at: old.context.snapshot)
      for round in 0..<4 {
        try realm.write { ewe.lambs[1].age += 1 }
        let new = realm.freeze()
        guard case .change(let changes) = try tracker.advance(difference(old, new)) else {
          Issue.record("Nothing changed in round \(round).")
          return
        }
        #expect(Array(changes.modifications) == [1])
        old = new
        if round == 2 {
          try realm.write { ewe.lambs.insert(Ewe(9), at: 0) }
          try realm.write { ewe.lambs.move(from: 3, to: 1) }
          old = realm.freeze()
          _ = try tracker.start(at: old.context.snapshot)
        }
      }
    }
  }

  @Test func smallChangeOfLargeAnswerIsFollowed() throws {
    try withFamily { realm, ewe, farm in
      try realm.write {
        for id in 10..<400 {
          let lamb = Ewe(id, name: "n\(id % 7)", age: id % 50)
          realm.add(lamb)
          lamb.farm = farm
          ewe.lambs.append(lamb)
        }
      }
      let all = realm.objects(Ewe.self)
      let observed = [
        all, all.where { $0.age > 20 }, all.sorted(by: \.name), ewe.lambs.where { $0.age > 20 },
        ewe.lambs.sorted(by: \.name), farm.ewes.where { $0.age > 20 }.sorted(by: \.age),
      ]
      var old = realm.freeze()
      var trackers = try observed.map { results in
        var tracker = CollectionTracker(results.handle, watching: .usual)
        _ = try tracker.start(at: old.context.snapshot)
        return tracker
      }
      #expect(trackers.allSatisfy { $0.answer?.isKeptUp == false })
      for round in 0..<5 {
        try realm.write {
          all[round * 20 + 5].age += 30
          all[round * 30 + 6].name = "a"
          ewe.lambs.remove(at: 50)
          ewe.lambs.move(from: 3, to: 80)
          all[round + 300].farm = nil
        }
        let new = realm.freeze()
        let difference = difference(old, new)
        for (index, results) in observed.enumerated() {
          _ = try trackers[index].advance(difference)
          let answer = trackers[index].answer
          #expect(answer?.isKeptUp == true, "results \(index)")
          #expect(answer?.ids.map(key) == results.map(\.id), "results \(index)")
        }
        old = new
      }
    }
  }

  @Test func newObjectAmongOthersIsReportedOnce() throws {
    try withFamily { realm, _, farm in
      let results = realm.objects(Ewe.self).where { $0.farm.area > 5 }
        .sorted(byKeyPath: "farm.area")
      let old = realm.freeze()
      var tracker = CollectionTracker(results.handle, watching: .usual)
      _ = try tracker.start(at: old.context.snapshot)
      try realm.write {
        for id in [-5, 2000] {
          let ewe = Ewe(id)
          realm.add(ewe)
          ewe.farm = farm
        }
        farm.area = 6
      }
      guard case .change(let changes) = try tracker.advance(difference(old, realm.freeze())) else {
        Issue.record("Nothing changed.")
        return
      }
      #expect(Array(changes.insertions) == [0, 1, 2, 3, 4] && changes.deletions.isEmpty)
      #expect(tracker.answer?.isKeptUp == true)
      #expect(tracker.answer?.ids.map(key) == [-5, 1, 2, 3, 2000])
    }
  }

  @Test func objectThatStillLinksKeepsItsIndex() throws {
    try withFamily { realm, ewe, _ in
      let lamb = try #require(ewe.lambs.first)
      var tracker = CollectionTracker(
        lamb.parents.where { $0.age >= 0 }.handle, watching: .paths([["age"]]))
      var old = realm.freeze()
      _ = try tracker.start(at: old.context.snapshot)
      try realm.write { ewe.lambs.append(lamb) }
      var new = realm.freeze()
      guard case .change(let more) = try tracker.advance(difference(old, new)) else {
        Issue.record("Nothing was inserted.")
        return
      }
      #expect(more.deletions.isEmpty && Array(more.insertions) == [1])
      // Another list, of an object with the same key.
      old = new
      try realm.write {
        realm.delete(ewe)
        let again = Ewe(0, age: 7)
        realm.add(again)
        for _ in 0..<2 { again.lambs.append(lamb) }
      }
      new = realm.freeze()
      guard case .change(let changes) = try tracker.advance(difference(old, new)) else {
        Issue.record("Nothing was modified.")
        return
      }
      #expect(changes.deletions.isEmpty && changes.insertions.isEmpty)
      #expect(Array(changes.modifications) == [0, 1] && tracker.answer?.ids.map(key) == [0, 0])
    }
  }

  @Test func changesUpToFourLinksAwayAreReported() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let ewes = (0..<7).map { Ewe($0) }
        for (ewe, mother) in zip(ewes, ewes.dropFirst()) { ewe.mother = mother }
        for ewe in ewes { realm.add(ewe) }
      }
      let all = realm.objects(Ewe.self)
      let old = realm.freeze()
      var tracker = CollectionTracker(all.handle, watching: .usual)
      _ = try tracker.start(at: old.context.snapshot)
      try realm.write { all[5].age = 9 }
      guard case .change(let changes) = try tracker.advance(difference(old, realm.freeze())) else {
        Issue.record("Nothing changed.")
        return
      }
      #expect(Array(changes.modifications) == [1, 2, 3, 4, 5])
    }
  }

  @Test func newBacklinkModifiesObjectAlongPath() throws {
    try withFamily { realm, ewe, _ in
      let lamb = try #require(ewe.lambs.last)
      let all = realm.objects(Ewe.self)
      var old = realm.freeze()
      var tracker = CollectionTracker(all.handle, watching: .paths([["parents", "age"]]))
      _ = try tracker.start(at: old.context.snapshot)
      for isLinking in [true, false] {
        try realm.write {
          if isLinking { ewe.lambs[0].lambs.append(lamb) } else { ewe.lambs[0].lambs.removeAll() }
        }
        let new = realm.freeze()
        guard case .change(let changes) = try tracker.advance(difference(old, new)) else {
          Issue.record("Nothing changed.")
          return
        }
        #expect(Array(changes.modifications) == [3])
        old = new
      }
    }
  }
}

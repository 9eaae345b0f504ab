import Testing
import Varve
import VarveCore

@Suite struct SharedAnswersTests {
  private func tracker(
    _ results: Results<Ewe>, _ watched: WatchedPathNames = .usual, at realm: Realm
  ) throws -> CollectionTracker {
    var tracker = CollectionTracker(results.handle, watching: watched)
    _ = try tracker.start(at: realm.context.snapshot)
    return tracker
  }

  private func difference(_ old: Realm, _ new: Realm) -> VersionDifference {
    VersionDifference(
      from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
  }

  private func withFlock(_ body: (Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { for id in 0..<20 { realm.add(Ewe(id, name: "n\(id % 3)", age: id)) } }
      try body(realm)
    }
  }

  @Test func equalQueriesShareOneAnswer() throws {
    try withFlock { realm in
      let old = realm.freeze()
      func query() -> Results<Ewe> {
        realm.objects(Ewe.self).where { $0.age > 4 && !($0.name == "n1") || $0.weight == 0.5 }
          .sorted(by: \.age, ascending: false)
      }
      var first = try tracker(query(), at: old)
      var second = try tracker(query(), at: old)
      var named = try tracker(query(), .paths([["name"]]), at: old)
      #expect(first.answer != nil && first.answer === second.answer)
      #expect(first.answer === named.answer)
      try realm.write { realm.object(ofType: Ewe.self, forPrimaryKey: 9)?.age = 7 }
      let new = realm.freeze()
      let difference = difference(old, new)
      guard case .change(let changes) = try first.advance(difference),
        case .change(let others) = try second.advance(difference),
        case .change(let orderAlone) = try named.advance(difference)
      else {
        Issue.record("Nothing changed.")
        return
      }
      #expect(changes == others && changes.isEmpty == false)
      #expect(orderAlone.deletions == changes.deletions)
      #expect(first.answer === second.answer && first.answer === named.answer)
      // A tracker that starts later and finds the existing answers.
      #expect(try tracker(query(), at: new).answer === first.answer)
      #expect(try tracker(query(), at: old).answer !== first.answer)
      #expect(try tracker(query(), at: old).answer?.ids == query().moved(to: old))
    }
  }

  @Test func sharedAnswerKeepsWatchedPathsSeparate() throws {
    try withFlock { realm in
      let old = realm.freeze()
      let all = realm.objects(Ewe.self)
      var ages = try tracker(all, .paths([["age"]]), at: old)
      var names = try tracker(all, .paths([["name"]]), at: old)
      try realm.write {
        all[3].age = 100
        all[5].name = "x"
      }
      let difference = difference(old, realm.freeze())
      guard case .change(let aged) = try ages.advance(difference),
        case .change(let renamed) = try names.advance(difference)
      else {
        Issue.record("Nothing changed.")
        return
      }
      #expect(aged.modifications == [3] && renamed.modifications == [5])
      #expect(ages.answer === names.answer)
    }
  }

  /// Queries that are pairwise different.
  private func differentQueries(_ all: Results<Ewe>) -> [Results<Ewe>] {
    var queries = [all]
    queries.append(all.where { $0.age > 4 })
    queries.append(all.where { $0.age > 5 })
    queries.append(all.where { $0.age >= 4 })
    queries.append(all.where { $0.weight > 4 })
    queries.append(all.where { $0.age > 4 && $0.id > 4 })
    queries.append(all.where { $0.age > 4 || $0.id > 4 })
    queries.append(all.where { $0.id > 4 || $0.age > 4 })
    queries.append(all.where { !($0.age > 4) })
    queries.append(all.where { $0.age == $0.id })
    queries.append(all.where { $0.id == $0.age })
    queries.append(all.where { $0.name == "n1" })
    queries.append(all.where { $0.name == "N1" })
    queries.append(all.where { $0.name.equals("n1", caseInsensitive: true) })
    queries.append(all.where { $0.age.in([1, 2]) })
    queries.append(all.where { $0.age.in([1, 3]) })
    queries.append(all.where { $0.age.in([1]) })
    queries.append(all.where { $0.mother == nil })
    queries.append(all.where { $0.farm == nil })
    queries.append(all.where { $0.weight == 0 })
    queries.append(all.where { $0.farm.name == "n1" })
    queries.append(all.sorted(by: \.age))
    queries.append(all.sorted(by: \.age, ascending: false))
    queries.append(all.sorted(by: \.name))
    queries.append(all.sorted(by: \.name).where { $0.age > 4 })
    return queries
  }

  @Test func differentQueriesHaveDifferentAnswers() throws {
    try withFlock { realm in
      let old = realm.freeze()
      let queries = differentQueries(realm.objects(Ewe.self))
      // The trackers are kept until the end: an answer without an owner cannot be shared.
      let trackers = try queries.map { try tracker($0, at: old) }
      defer { withExtendedLifetime(trackers) {} }
      let answers = trackers.map(\.answer)
      for (index, answer) in answers.enumerated() {
        let ids = queries[index].moved(to: old)
        #expect(answer?.ids == ids, "query \(index)")
        let isShared = answers[..<index].contains { $0 === answer }
        #expect(!isShared, "query \(index)")
      }
      for (index, query) in differentQueries(realm.objects(Ewe.self)).enumerated() {
        let again = try tracker(query, at: old).answer
        #expect(again === answers[index], "query \(index)")
      }
    }
  }

  @Test func positiveAndNegativeZeroShareAnAnswer() throws {
    try withFlock { realm in
      try realm.write { realm.objects(Ewe.self)[3].weight = -0.0 }
      let version = realm.freeze()
      let all = realm.objects(Ewe.self)
      let zero = try tracker(all.where { $0.weight == 0 }, at: version)
      let negative = try tracker(all.where { $0.weight == -0.0 }, at: version)
      #expect(zero.answer === negative.answer)
      #expect(zero.answer?.ids == all.where { $0.weight == -0.0 }.moved(to: version))
    }
  }

  @Test func divisorTypeDistinguishesAnswers() throws {
    try withFlock { realm in
      let version = realm.freeze()
      let all = realm.objects(Ewe.self)
      let (integer, double) = (all.filter("age / 2 == 2"), all.filter("age / 2.0 == 2"))
      let first = try tracker(integer, at: version)
      let second = try tracker(double, at: version)
      #expect(first.answer !== second.answer)
      #expect(first.answer?.ids == integer.moved(to: version))
      #expect(second.answer?.ids == double.moved(to: version))
    }
  }

  @Test func conditionsOnSameObjectShareAnAnswer() throws {
    try withFlock { realm in
      let old = realm.freeze()
      let all = realm.objects(Ewe.self)
      let first = try tracker(all.where { $0.mother == all.first }, at: old)
      let other = try tracker(all.where { $0.mother == all.last }, at: old)
      let again = try tracker(all.where { $0.mother == all.first }, at: old)
      #expect(first.answer === again.answer && first.answer !== other.answer)
    }
  }

  @Test func longConditionsAreComparedOnSmallStack() throws {
    try withFlock { realm in
      let old = realm.freeze()
      let all = realm.objects(Ewe.self)
      onASmallStack {
        func query() -> Results<Ewe> {
          all.where { ewe in (1..<50_000).reduce(ewe.id == 0) { $0 || ewe.id == $1 % 8 } }
        }
        let first = try tracker(query(), at: old)
        let second = try tracker(query(), at: old)
        let isShared = first.answer === second.answer
        #expect(isShared && first.answer?.count == 8)
      }
    }
  }
}

extension Results where Element: Object {
  /// The ids of the same query in another version.
  fileprivate func moved(to realm: Realm) -> [UInt64] {
    ResultsHandle(context: realm.context, query: handle.query).objectIDs
  }
}

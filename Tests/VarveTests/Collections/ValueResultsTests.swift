import Foundation
import Testing
import Varve

/// Queries on lists and maps of values.
@Suite struct ValueResultsTests {
  /// Checks a club inside a write, live and frozen.
  private func check(_ body: (Club) -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try realm.write {
        realm.add(club)
        body(club)
      }
      body(club)
      body(club.freeze())
    }
  }

  @Test func valueListIsFilteredSortedAndMadeDistinct() throws { try check(checkNumbers) }

  private func checkNumbers(_ club: Club) {
    let numbers = club.numbers
    #expect(Array(numbers.where { $0 > 2 }) == [3, 3, 5])
    #expect(Array(numbers.where { $0 > 2 && $0 != 5 }) == [3, 3])
    #expect(Array(numbers.where { !($0.in([1, 5])) }) == [3, 2, 3])
    #expect(Array(numbers.sorted(ascending: true)) == [1, 2, 3, 3, 5])
    #expect(Array(numbers.sorted(ascending: false)) == [5, 3, 3, 2, 1])
    #expect(Array(numbers.sorted(byKeyPath: "self", ascending: false)) == [5, 3, 3, 2, 1])
    #expect(Array(numbers.distinct()) == [3, 1, 2, 5])
    #expect(Array(numbers.distinct().sorted(ascending: true)) == [1, 2, 3, 5])
    #expect(Array(numbers.where { $0 < 5 }.distinct().sorted(ascending: true)) == [1, 2, 3])
    #expect(numbers.index(matching: { $0 == 2 }) == 2 && numbers.index(of: 5) == 4)
    let some = numbers.where { $0 < 4 }
    #expect(some.count == 4 && some.first == 3 && some.last == 3 && some[1] == 1)
    #expect(some.min() == 1 && some.max() == 3 && some.sum() == 9 && some.average() == 2.25)
    #expect(some.index(of: 2) == 2 && some.contains(3) && !some.contains(5))
    #expect(some.description.contains("Results<Int>"))
  }

  @Test func nullsSortFirstAndAreEqual() throws { try check(checkWords) }

  private func checkWords(_ club: Club) {
    let words = club.words
    #expect(Array(words.sorted(ascending: true)) == [nil, nil, "a", "b", "b"])
    #expect(Array(words.distinct()) == ["b", nil, "a"])
    #expect(Array(words.where { $0 == nil }) == [nil, nil])
    #expect(Array(words.where { $0.starts(with: "B", caseInsensitive: true) }) == ["b", "b"])
  }

  @Test func mapValuesAreQueriedInKeyOrder() throws { try check(checkMaps) }

  private func checkMaps(_ club: Club) {
    #expect(Array(club.scores.where { $0 > 1 }) == [3, 2, 3, 5])
    #expect(Array(club.scores.sorted(ascending: false)) == [5, 3, 3, 2, 1])
    #expect(Array(club.scores.distinct()) == [3, 1, 2, 5])
    #expect(club.byName.where { $0.name == "Bob" }.map(\.id) == [2, 5])
    #expect(club.byName.sorted(byKeyPath: "score", ascending: false).first?.id == 5)
    #expect(club.byName.sorted(by: ["name", "id"]).map(\.id) == [1, 3, 2, 5, 4])
    #expect(club.byName.distinct(by: ["name"]).map(\.id) == [1, 2, 4])
    #expect(club.byName.sum(of: \.score) == 5 && club.byName.max(of: \.rank) == 9)
    #expect(club.byName.min(of: \.score) == 0 && club.byName.average(of: \.score) == 1)
  }

  @Test func valueResultsFollowTheirCollection() throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try realm.write { realm.add(club) }
      let big = club.numbers.where { $0 > 2 }.sorted(ascending: true)
      let frozen = big.freeze()
      try realm.write {
        club.numbers.append(9)
        #expect(Array(big) == [3, 3, 5, 9], "inside the write")
        club.numbers.remove(at: 3)
        club.numbers.remove(at: 0)
        #expect(Array(big) == [5, 9])
      }
      #expect(Array(big) == [5, 9] && Array(frozen) == [3, 3, 5] && frozen.isFrozen)
      #expect(frozen.thaw().map(Array.init) == [5, 9] && !big.isInvalidated)
      #expect(big.realm == realm)
      try realm.write { realm.delete(club) }
      #expect(big.isInvalidated && big.isEmpty && Array(frozen) == [3, 3, 5])
      #expect(frozen.thaw() == nil)
    }
  }

  @Test func changesOfValuesAreDelivered() async throws {
    try await withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try await realm.write { realm.add(club) }
      let sorted = club.numbers.sorted(ascending: true)
      var changes = sorted.changes.makeAsyncIterator()
      guard case .initial(let start, reason: nil) = await changes.next() else {
        Issue.record("no initial state")
        return
      }
      #expect(Array(start) == [1, 2, 3, 3, 5])
      try await realm.write { club.words.append("x") }
      try await realm.write {
        club.numbers[0] = 4
        club.numbers.append(0)
      }
      guard case .update(let next, let change) = await changes.next() else {
        Issue.record("no update")
        return
      }
      #expect(Array(next) == [0, 1, 2, 3, 4, 5])
      #expect(change.deletions.count == 1 && change.insertions.count == 2)
      var applied = Array(start)
      for index in change.deletions.reversed() { applied.remove(at: index) }
      for index in change.insertions { applied.insert(next[index], at: index) }
      #expect(applied == Array(next))
      try await realm.write { realm.delete(club) }
      guard case .update(_, let last) = await changes.next() else {
        Issue.record("no last update")
        return
      }
      #expect(last.deletions == Array(0..<6))
      #expect(await changes.next() == nil)
      expectError(.invalidInput) { try sorted.changes(keyPaths: ["self"]) }
    }
  }

  @Test func unknownPropertyNameIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try realm.write { realm.add(club) }
      expectError(.invalidInput) { try club.numbers.sorted(byKeyPath: "na" + "me") }
      expectError(.invalidInput) { try club.numbers.distinct(by: ["na" + "me"]) }
    }
  }
}

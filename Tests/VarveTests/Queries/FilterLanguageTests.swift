import Foundation
import Testing
import Varve

/// Predicates on collections, and the suffixes SORT, DISTINCT and LIMIT.
@Suite struct FilterLanguageTests {
  private func ids(_ results: Results<Member>) -> [Int] { results.map(\.id) }

  private func check(_ body: (Club, Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try realm.write { realm.add(club) }
      try body(club, realm)
    }
  }

  @Test func pathsTraverseCollections() throws {
    try check { (club, realm) throws in
      let (clubs, members) = (realm.objects(Club.self), realm.objects(Member.self))
      #expect(clubs.filter("ANY members.name = 'Cid'").count == 1)
      #expect(try clubs.filter("members.name = %@", "Dan").isEmpty)
      #expect(clubs.filter("ALL members.score < 2").isEmpty)
      #expect(clubs.filter("ALL members.score <= 2 AND NONE members.id > 5").count == 1)
      #expect(try clubs.filter("%@ IN numbers AND NOT %@ IN numbers", 5, 4).count == 1)
      #expect(clubs.filter("words = nil AND scores.@keys = 'k3' AND scores['k4'] = 5").count == 1)
      #expect(clubs.filter("members[0].name = 'Ann' AND numbers[LAST] = 5").count == 1)
      #expect(ids(members.filter("ANY clubs.id = 1 AND friends.@count > 0")) == [3])
      #expect(ids(members.filter("@links.Member.friend.id = 2")) == [3])
      #expect(try ids(members.filter("%@ IN clubs.members AND id < 3", club.members[0])) == [1, 2])
    }
  }

  @Test func aggregatesArithmeticAndSubqueriesAreEvaluated() throws {
    try check { (_, realm) throws in
      let (clubs, members) = (realm.objects(Club.self), realm.objects(Member.self))
      #expect(clubs.filter("members.@count = 5 AND numbers.@sum = 14").count == 1)
      #expect(clubs.filter("members.@avg.score = 1 AND members.score.@max = 2").count == 1)
      #expect(clubs.filter("numbers.@sum / numbers.@count = 2").count == 1)
      #expect(ids(members.filter("id * 2 + 1 > 7 AND score - 0.5 < 1.25")) == [4])
      let two = "SUBQUERY(members, $m, $m.score > 0.5 AND $m.name != 'Bob').@count = 2"
      let found = try clubs.filter(two).count
      #expect(found == 1)
      // The paths in a subquery start at its own variable only.
      for inner in ["id", "$n.id", "SUBQUERY($m.friends, $f, $m.id = 1).@count"] {
        expectError(.invalidInput) {
          _ = try clubs.filter("SUBQUERY(members, $m, \(inner) = 1).@count = 1")
        }
      }
    }
  }

  @Test func suffixesAreAppliedInOrder() throws {
    try check { (club, realm) throws in
      let members = realm.objects(Member.self)
      #expect(ids(members.filter("id > 1 SORT(name DESC, id ASC) LIMIT(3)")) == [4, 2, 5])
      #expect(try ids(members.filter("TRUEPREDICATE LIMIT(%@) SORT(id DESC)", 2)) == [2, 1])
      #expect(ids(members.filter("TRUEPREDICATE DISTINCT(name) SORT(id DESC)")) == [4, 2, 1])
      #expect(ids(members.filter("TRUEPREDICATE SORT(id DESC) DISTINCT(name)")) == [5, 4, 3])
      #expect(
        Array(club.numbers.filter("SELF > 1 SORT(SELF DESC) DISTINCT(SELF) LIMIT(2)")) == [5, 3])
      expectError(.invalidInput) { try members.index(matching: "id > 1 " + "LIMIT(3)") }
      expectError(.unknownProperty) { try members.filter("id > 1 " + "SORT(age)") }
    }
  }

  @Test func argumentsOfManyTypesAreAccepted() throws {
    try check { (club, realm) throws in
      let members = realm.objects(Member.self)
      #expect(try ids(members.filter("$1 = name AND id IN $0", Set([1, 2, 9]), "Ann")) == [1])
      #expect(try ids(members.filter("SELF IN %@", club.members.filter("id > 3"))) == [4, 5])
      #expect(
        try ids(members.filter("name LIKE %@ OR name MATCHES %@", "C?d", "A.+")) == [1, 3, 4])
      // A string that looks like a date is a string.
      #expect(try ids(members.filter("name != %@", "2024-01-31")) == [1, 2, 3, 4, 5])
      #expect(try ids(members.filter("friend = %@ AND id = 1", club.members[2])) == [1])
      expectError(.invalidInput) { try members.filter("friend = " + "%@", club) }
      expectError(.invalidInput) { try members.filter("id IN %@", sequence(first: 1) { $0 + 1 }) }
    }
  }

  @Test func allErrorsAreReported() throws {
    try withTemporaryRealm { realm, _ in
      let text = "age = 1 AND ANY name = 'x' AND score ="
      let error = thrownError { try realm.objects(Member.self).filter(text) }
      #expect(error?.code == .unknownProperty && error?.propertyName == "age")
      #expect(error?.details.filter { $0.hasSuffix("^") }.count == 3)
    }
  }
}

import Foundation
import Testing
import Varve

/// Predicates as text.
@Suite struct FilterTests {
  private func ids(_ results: Results<Member>) -> [Int] { results.map(\.id) }

  private func check(_ body: (Club, Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try realm.write { realm.add(club) }
      try body(club, realm)
    }
  }

  @Test func everyCollectionIsFilteredInOrder() throws {
    try check { (club, realm) throws in
      let all = realm.objects(Member.self)
      #expect(ids(all.filter("name = 'Ann'")) == [1, 3])
      #expect(try ids(all.filter("name BEGINSWITH[c] %@ AND score > %@", "b", 1)) == [5])
      #expect(try ids(club.members.filter("id IN %@", [5, 2, 99])) == [2, 5])
      #expect(ids(club.byName.objects.filter("NOT name CONTAINS 'n'")) == [2, 4, 5])
      #expect(ids(all.filter("score BETWEEN {0.5, 1.5}")) == [2, 3, 4])
      #expect(try ids(all.filter("score BETWEEN %@", [1.5, 9])) == [4, 5])
      #expect(ids(all.filter("TRUEPREDICATE")) == [1, 2, 3, 4, 5])
      #expect(ids(all.filter("FALSEPREDICATE")).isEmpty)
      let sorted = all.sorted(by: \.id, ascending: false)
      #expect(ids(sorted.filter("id < 3 || id = 5")) == [5, 2, 1])
    }
  }

  @Test func incomparableArgumentThrows() throws {
    try check { (club, realm) throws in
      let all = realm.objects(Member.self)
      expectError(.invalidInput) { try all.filter("name = %@", 5) }
      expectError(.invalidInput) { try all.filter("id = %@", "1") }
      expectError(.invalidInput) { try all.filter("id IN %@", 5) }
      expectError(.unknownProperty) { try all.filter("%K = 1", "nope") }
      expectError(.invalidInput) { try all.filter("id = %@", FilterTests.self) }
      expectError(.invalidInput) { try all.index(matching: "name = %@", 5) }
      expectError(.invalidInput) { try club.numbers.filter("SELF > %@", "x") }
      expectError(.invalidInput) { try all.filter("name MATCHES %@", "(") }
      let error = thrownError {
        try realm.write { realm.delete(try all.filter("NOT name = %@", 5)) }
      }
      #expect(error?.code == .invalidInput && error?.className == "Member")
      #expect(all.count == 5)
    }
  }

  @Test func caseInsensitiveInMatchesLists() throws {
    try check { (club, realm) throws in
      let all = realm.objects(Member.self)
      #expect(ids(all.filter("name IN[c] {'ANN', 'nobody'}")) == [1, 3])
      #expect(ids(all.filter("name IN {'ANN', 'nobody'}")).isEmpty)
      #expect(try ids(all.filter("NOT name IN[c] %@", ["ann"])) == [2, 4, 5])
    }
  }

  @Test func decimalFractionIsNearestFloat() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, number) in [Float(0.1), 0.25, .infinity].enumerated() {
          let sample = Sample()
          sample.id = id
          sample.float = number
          realm.add(sample)
        }
      }
      let all = realm.objects(Sample.self)
      #expect(all.filter("float = 0.1").count == 1)
      #expect(all.filter("float IN {0.1, 0.25}").count == 2)
      #expect(try all.filter("float > %@", 0.1).count == 2)
      #expect(all.filter("float = 1e300").isEmpty && all.filter("float > 1e300").count == 1)
    }
  }

  @Test func pathsTraverseLinks() throws {
    try check { (_, realm) throws in
      let all = realm.objects(Member.self)
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      #expect(ids(all.filter("friend.name = 'Ann' AND friend.friend.id = 3")).count == 5)
      #expect(try ids(all.filter("friend = %@", third)).count == 5)
      #expect(try ids(all.filter("SELF = %@", third)) == [3])
      #expect(ids(all.filter("friend = nil")).isEmpty)
      #expect(try ids(all.filter("friend IN %@ AND id = 1", [third])) == [1])
      #expect(try ids(all.filter("%K = %@", "friend.id", 3)).count == 5)
      #expect(try ids(all.filter("rank = nil")) == [1] && ids(all.filter("rank = %@", nil)) == [1])
      #expect(ids(all.filter("id = friend.id")) == [3] && ids(all.filter("3 >= id")) == [1, 2, 3])
    }
  }

  @Test func valuesAreFilteredBySelf() throws {
    try check { (club, _) throws in
      #expect(Array(club.numbers.filter("SELF > 2")) == [3, 3, 5])
      #expect(try Array(club.numbers.filter("SELF IN %@", [1, 5])) == [1, 5])
      #expect(Array(club.words.filter("SELF = nil OR SELF = 'a'")) == [nil, "a", nil])
      #expect(club.numbers.index(matching: "SELF = 2") == 2)
      expectError(.invalidInput) { try club.numbers.filter("name" + " = 2") }
    }
  }

  @Test func indexMatchingFindsFirstMatch() throws {
    try check { (club, realm) throws in
      let all = realm.objects(Member.self)
      #expect(all.index(matching: "name = 'Bob'") == 1)
      #expect(try club.members.index(matching: "name = %@", "Cid") == 3)
      #expect(club.members.index(matching: "name = 'Dan'") == nil)
      let found = try all.index(matching: "score" + " > 1")
      #expect(found == 3)
    }
  }

  private static let faults: [(String, Realm.Error.Code, String)] = [
    ("age = 1", .unknownProperty, "age"), ("friend.age = 1", .unknownProperty, "age"),
    ("name.length = 1", .invalidInput, "name.length"), ("name > 1", .invalidInput, "name"),
    ("id BEGINSWITH '1'", .invalidInput, "id"), ("id = 'x'", .invalidInput, "id"),
    ("clubs = 1", .invalidInput, "clubs"),
  ]

  @Test(arguments: faults)
  func invalidPredicateErrorNamesClassAndProperty(
    text: String, code: Realm.Error.Code, property: String
  ) throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.objects(Member.self).filter(text + "") }
      #expect(
        error?.code == code && error?.className == "Member", "\(text): \(String(describing: error))"
      )
      #expect(error?.propertyName == property, "\(String(describing: error))")
      #expect(error?.description.contains("^") == true)
    }
  }

  @Test(arguments: [
    "", "id", "id =", "id = 1 AND", "(id = 1", "id = %@ = 1", "id = %@", "= 1", "%", "id = 'x",
  ])
  func malformedPredicateThrows(text: String) throws {
    try withTemporaryRealm { realm, _ in
      expectError(.invalidInput) { try realm.objects(Member.self).filter(text + "") }
    }
  }

  @Test func argumentsMustMatchPlaceholders() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Member.self)
      expectError(.invalidInput) { try all.filter("id = 1" + "", 5) }
      expectError(.invalidInput) { try all.filter("id = %@" + "", "x") }
      expectError(.invalidInput) { try all.filter("id IN %@" + "", 5) }
      expectError(.invalidInput) { try all.filter("id = %@" + "", Thread.current) }
      expectError(.invalidInput) { try all.filter("%K = 1" + "", 5) }
    }
  }

  @Test func invalidLiteralPredicateTrapsWithReason() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TemporaryRealm()
      _ = try store.open().objects(Member.self).filter("age = 1")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Member") && text.contains("age"), "\(text)")
  }
}

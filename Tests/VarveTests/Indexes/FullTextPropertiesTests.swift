import Testing
import Varve
import VarveCore

@Model private final class Bulletin: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(fullText: true) var title = ""
  @Persisted(fullText: true) var body: String?
}

/// A class with two full-text indexes.
@Suite struct FullTextPropertiesTests {
  /// More than an index keeps as pending texts.
  private static let count = PendingTextLimits.count + 300

  private func add(_ realm: Realm) {
    for id in 0..<Self.count {
      let bulletin = Bulletin()
      bulletin.id = id
      bulletin.title = "title\(id % 7) shared"
      bulletin.body = id % 3 == 0 ? nil : "body\(id % 5) shared"
      realm.add(bulletin)
    }
  }

  private func expect(
    _ realm: Realm, title: String, body: String, _ found: ([Int], [Int]),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let all = realm.objects(Bulletin.self)
    let titles = all.search(title, in: \.title).map(\.object.id).sorted()
    let bodies = all.search(body, in: \.body).map(\.object.id).sorted()
    #expect(titles == found.0, "\(title)", sourceLocation: sourceLocation)
    #expect(bodies == found.1, "\(body)", sourceLocation: sourceLocation)
    let both = all.where { $0.title.fullTextSearch(title) && $0.body.fullTextSearch(body) }
    let common = Set(found.0).intersection(found.1).sorted()
    #expect(both.map(\.id) == common, "\(title), \(body)", sourceLocation: sourceLocation)
    let either = all.where { $0.title.fullTextSearch(title) || $0.body.fullTextSearch(body) }
    let union = Set(found.0).union(found.1).sorted()
    #expect(either.map(\.id) == union, "\(title), \(body)", sourceLocation: sourceLocation)
  }

  @Test func eachPropertyIsSearchedInItsIndex() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { add(realm) }
      let all = Array(0..<Self.count)
      let withBody = all.filter { $0 % 3 != 0 }
      expect(realm, title: "shared", body: "shared", (all, withBody))
      expect(
        realm, title: "title2", body: "body4",
        (all.filter { $0 % 7 == 2 }, withBody.filter { $0 % 5 == 4 }))
      // A word of the other property.
      expect(realm, title: "body4", body: "title2", ([], []))
      expect(realm, title: "body*", body: "title*", ([], []))
      try store.check()
    }
  }

  @Test func changeOfOnePropertyLeavesIndexOfOther() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { add(realm) }
      let first = try #require(realm.object(ofType: Bulletin.self, forPrimaryKey: 1))
      let second = try #require(realm.object(ofType: Bulletin.self, forPrimaryKey: 2))
      try realm.write { first.title = "moved" }
      expect(realm, title: "moved", body: "body1 shared", ([1], bodies(1)))
      try realm.write {
        // Both texts are exchanged.
        (second.title, second.body) = (second.body ?? "", second.title)
        expect(realm, title: "body2", body: "title2", ([2], [2]))
      }
      expect(realm, title: "body2", body: "title2", ([2], [2]))
      expect(realm, title: "moved", body: "body2", ([1], bodies(2).filter { $0 != 2 }))
      try store.check()
      try realm.write { second.body = nil }
      expect(realm, title: "body2", body: "title2", ([2], []))
      try realm.write { realm.delete(second) }
      expect(realm, title: "body2", body: "body2", ([], bodies(2).filter { $0 != 2 }))
      try realm.write { realm.deleteAll() }
      expect(realm, title: "shared", body: "shared", ([], []))
      try store.check()
    }
  }

  /// The ids of the objects with a body.
  private func bodies(_ number: Int) -> [Int] {
    (0..<Self.count).filter { $0 % 3 != 0 && $0 % 5 == number }
  }
}

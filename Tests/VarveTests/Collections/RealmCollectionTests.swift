import Foundation
import Testing
import Varve

/// The behavior of every ordered collection: live, frozen, inside a write, and unmanaged.
@Suite struct RealmCollectionTests {
  /// Checks a collection that contains the five members of a club once each.
  private func checkMembers<C: RealmCollection>(
    _ collection: C, _ ids: [Int], isFrozen: Bool = false
  ) where C.Element == Member {
    #expect(collection.map(\.id) == ids && collection.count == ids.count && !collection.isEmpty)
    #expect(Array(collection).map(\.id) == ids && Array(collection.indices) == Array(0..<ids.count))
    #expect(collection.indices.map { collection[$0].id } == ids)
    #expect(collection.first?.id == ids.first && collection.last?.id == ids.last)
    #expect(collection.reversed().map(\.id) == ids.reversed())
    #expect(collection.objects(at: [1, 0]).map(\.id) == [ids[1], ids[0]])
    for (index, member) in collection.enumerated() {
      #expect(collection.index(of: member) == index && collection.firstIndex(of: member) == index)
      #expect(collection.contains(member) && member.isFrozen == isFrozen)
    }
    #expect(collection.index(of: Member()) == nil && !collection.contains(Member()))
    #expect(collection.description.contains("Member"))
    #expect(collection.isFrozen == isFrozen && !collection.isInvalidated)
    checkAggregates(collection)
  }

  private func checkAggregates<C: RealmCollection>(_ collection: C) where C.Element == Member {
    #expect(collection.min(of: \.score) == 0 && collection.max(of: \.score) == 2)
    #expect(collection.sum(of: \.score) == 5 && collection.average(of: \.score) == 1)
    #expect(collection.min(of: \.rank) == 6 && collection.max(of: \.rank) == 9)
    #expect(collection.sum(of: \.rank) == 30 && collection.average(of: \.rank) == 7.5)
    #expect(collection.sum(of: \.friend?.id) == 15)
    do {
      let least: Double? = try collection.min(ofProperty: "score")
      let greatest: Int? = try collection.max(ofProperty: "rank")
      let sum: Int = try collection.sum(ofProperty: "friend.id")
      #expect(least == 0 && greatest == 9 && sum == 15)
      #expect(try collection.average(ofProperty: "rank") == 7.5)
    } catch {
      Issue.record(error)
    }
    expectError(.unknownProperty) { try collection.average(ofProperty: "nothing") }
    expectError(.invalidInput) { try collection.average(ofProperty: "name") }
    expectError(.invalidInput) { try collection.average(ofProperty: "friend") }
    expectError(.invalidInput) { try collection.min(ofProperty: "score") as Int? }
    expectError(.invalidInput) { try collection.max(ofProperty: "clubs") as Int? }
  }

  /// Checks the queries of a managed collection.
  private func checkQueries<C: RealmCollection>(_ collection: C) where C.Element == Member {
    let ids = collection.map(\.id)
    let names = ClubFixture.names
    func name(_ id: Int) -> String { names[id - 1] }
    #expect(collection.realm != nil)
    #expect(collection.where { $0.name == "Ann" }.map(\.id) == ids.filter { name($0) == "Ann" })
    let third = ids.firstIndex { $0 == 3 }
    #expect(collection.index(matching: { $0.id == 3 }) == third)
    #expect(collection.index(matching: { $0.id == 33 }) == nil)
    #expect(collection.sorted(by: \.id, ascending: false).map(\.id) == [5, 4, 3, 2, 1])
    let byName = ids.filter { name($0) == "Ann" } + ids.filter { name($0) == "Bob" } + [4]
    #expect(collection.sorted(byKeyPath: "name").map(\.id) == byName)
    let descriptors = ["name", SortDescriptor(keyPath: "score", ascending: false)]
    #expect(collection.sorted(by: descriptors).map(\.id) == [3, 1, 5, 2, 4])
    let property = ["rank", "friend.name"]
    do {
      #expect(
        try collection.sorted(byKeyPath: property[0]).map(\.id) == [1, 5, 4, 3, 2],
        "null comes first")
      #expect(try collection.distinct(by: property.dropFirst().map(\.self)).count == 1)
    } catch {
      Issue.record(error)
    }
    expectError(.unknownProperty) { try collection.sorted(byKeyPath: "no" + "thing") }
    expectError(.invalidInput) { try collection.distinct(by: ["clubs" + ""]) }
    var seen: Set<String> = []
    let firsts = ids.filter { seen.insert(name($0)).inserted }
    #expect(collection.distinct(by: ["name"]).map(\.id) == firsts)
    #expect(collection.distinct(by: [\.name]).map(\.id) == firsts)
    #expect(collection.distinct(by: [\.name, \.score]).map(\.id) == ids)
    #expect(
      collection.sorted(by: \.id, ascending: false).distinct(by: ["name"]).map(\.id) == [5, 4, 3])
    #expect(
      collection.distinct(by: ["name"]).sorted(by: \.id).map(\.id) == firsts.sorted(),
      "the first of the order before is kept")
    #expect(collection.distinct(by: ["name"]).where { $0.id > 2 }.count == 3)
  }

  @Test func distinctOmitsObjectsWithBrokenPath() throws {
    try withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      club.members[3].friend = nil
      try realm.write { realm.add(club) }
      let members = realm.objects(Member.self)
      #expect(members.distinct(by: ["friend.name"]).map(\.id) == [1])
      #expect(members.distinct(by: ["friend.rank", "name"]).map(\.id) == [1, 2])
      // Null at the end of a path is a value.
      #expect(members.where { $0.id < 3 }.distinct(by: ["rank"]).map(\.id) == [1, 2])
      try realm.write {
        for member in members { member.friend = nil }
        #expect(members.distinct(by: ["friend.name"]).isEmpty)
      }
    }
  }

  /// Checks everything: live, frozen and thawed.
  private func checkManaged<C: RealmCollection>(
    _ collection: C, _ ids: [Int]
  ) where C.Element == Member {
    checkMembers(collection, ids)
    checkQueries(collection)
    let any = AnyRealmCollection(collection)
    checkMembers(any, ids)
    checkQueries(any)
    // A collection frozen inside a write has the version before the write.
    if collection.realm?.isInWriteTransaction == true { return }
    let frozen = collection.freeze()
    checkMembers(frozen, ids, isFrozen: true)
    checkQueries(frozen)
    #expect(frozen.freeze().map(\.id) == ids)
    #expect(frozen.thaw().map { $0.map(\.id) } == ids && frozen.thaw()?.isFrozen == false)
    #expect(collection.thaw().map { $0.map(\.id) } == ids)
    checkMembers(any.freeze(), ids, isFrozen: true)
    #expect(any.freeze().thaw().map { $0.map(\.id) } == ids && any.thaw() != nil)
  }

  /// Checks each kind of collection of the five members.
  private func checkAllKinds(_ club: Club, _ realm: Realm) {
    let all = [1, 2, 3, 4, 5]
    checkManaged(club.members, all)
    checkManaged(club.group, all)
    checkManaged(club.group.where { $0.id > 0 }, all)
    checkManaged(club.group.sorted(by: \.id, ascending: false), all.reversed())
    checkManaged(realm.objects(Member.self), all)
    checkManaged(realm.objects(Member.self).where { $0.id > 0 }, all)
    checkManaged(realm.objects(Member.self).sorted(by: \.score, ascending: false), all.reversed())
    checkManaged(realm.objects(Member.self).distinct(by: ["id"]), all)
    checkManaged(club.members.where { $0.id > 0 }, all)
    checkManaged(club.members.sorted(by: \.id, ascending: false), all.reversed())
    checkManaged(club.byName.objects, all)
    if let third = realm.object(ofType: Member.self, forPrimaryKey: 3) {
      checkManaged(third.friends, all)
      checkManaged(third.friends.where { $0.id < 9 }, all)
    }
  }

  @Test func objectCollectionsShareBehavior() throws {
    let club = ClubFixture.make()
    checkMembers(club.members, [1, 2, 3, 4, 5])
    checkMembers(club.group, [1, 2, 3, 4, 5])
    #expect(club.members.realm == nil)
    checkMembers(AnyRealmCollection(club.members), [1, 2, 3, 4, 5])
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(club)
        checkAllKinds(club, realm)
      }
      checkAllKinds(club, realm)
    }
  }

  @Test func everyKindDeliversChanges() async throws {
    try await withTemporaryRealm { realm, _ in
      let club = ClubFixture.make()
      try await realm.write { realm.add(club) }
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      try await checkChanges(of: club.members, realm)
      try await checkChanges(of: club.group, realm)
      try await checkChanges(of: AnyRealmCollection(club.members), realm)
      try await checkChanges(of: realm.objects(Member.self), realm)
      try await checkChanges(of: club.members.where { $0.id > 0 }, realm)
      try await checkChanges(of: realm.objects(Member.self).distinct(by: ["id"]), realm)
      try await checkChanges(of: club.members.distinct(by: ["id"]), realm)
      try await checkChanges(of: third.friends, realm)
    }
  }

  private func checkChanges<C: RealmCollection>(
    of collection: C, _ realm: Realm
  ) async throws where C.Element == Member {
    var changes = try collection.changes(keyPaths: [\.name]).makeAsyncIterator()
    guard case .initial(let start, reason: nil) = await changes.next() else {
      Issue.record("no initial state")
      return
    }
    #expect(start.map(\.id) == [1, 2, 3, 4, 5] && start.isFrozen)
    try await realm.write {
      collection[1].score += 1
      collection[3].name += "!"
    }
    guard case .update(let next, let update) = await changes.next() else {
      Issue.record("no update")
      return
    }
    #expect(update.modifications == [3] && update.deletions.isEmpty && update.insertions.isEmpty)
    #expect(next[3].name == collection[3].name && next.isFrozen)
    var none = collection.freeze().changes.makeAsyncIterator()
    #expect(await none.next() == nil)
  }
}

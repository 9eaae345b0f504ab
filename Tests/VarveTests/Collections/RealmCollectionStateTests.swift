import Foundation
import Testing
import Varve

/// The behavior of every kind of collection in every state: with values, empty, unmanaged, frozen,
/// and after deletion of its owner. ``RealmCollectionTests`` tests the collections of objects.
@Suite struct RealmCollectionStateTests {
  // MARK: Values

  private func checkValues<C: RealmCollection>(
    _ collection: C, _ values: [Int], isFrozen: Bool = false
  ) where C.Element == Int {
    #expect(Array(collection) == values && collection.map(\.self) == values)
    #expect(collection.count == values.count && !collection.isEmpty)
    #expect(collection.indices.map { collection[$0] } == values)
    #expect(collection.first == values.first && collection.last == values.last)
    #expect(collection.objects(at: [2, 0]) == [values[2], values[0]])
    for value in values {
      let expected = values.firstIndex(of: value)
      #expect(
        collection.index(of: value) == expected && collection.firstIndex(of: value) == expected)
      #expect(collection.contains(value))
    }
    #expect(collection.index(of: 99) == nil && !collection.contains(99))
    #expect(collection.min() == values.min() && collection.max() == values.max())
    #expect(collection.sum() == values.reduce(0, +))
    #expect(collection.average() == Double(values.reduce(0, +)) / Double(values.count))
    #expect(Array(collection[1..<3]) == Array(values[1..<3]))
    #expect(
      Array(collection.prefix { $0 != values[2] }) == Array(values.prefix { $0 != values[2] }))
    #expect(Array(collection.reversed()) == values.reversed())
    #expect(collection.isFrozen == isFrozen && !collection.isInvalidated)
    #expect(collection.description.contains("Int"))
    let keyed = Self.byName(collection)
    #expect(keyed == nil || keyed == values)
  }

  private static func byName<C: _LiveCollection>(_ collection: C) -> [Int]? {
    guard let list = collection as? List<Int> else { return nil }
    return try? list.value(forKey: "self").compactMap { $0 as? Int }
  }

  private func checkQueries<C: RealmCollection>(
    _ collection: C, _ values: [Int]
  ) where C.Element == Int {
    #expect(collection.realm != nil)
    #expect(Array(collection.where { $0 > 1 }) == values.filter { $0 > 1 })
    #expect(collection.index(matching: { $0 == values[2] }) == values.firstIndex(of: values[2]))
    #expect(Array(collection.sorted(ascending: false)) == values.sorted(by: >))
    var seen: Set<Int> = []
    #expect(Array(collection.distinct()) == values.filter { seen.insert($0).inserted })
    let byPath = collection.sorted(byKeyPath: "self")
    #expect(Array(byPath) == values.sorted())
    expectError(.invalidInput) { try collection.distinct(by: ["na" + "me"]) }
  }

  private func checkManaged<C: RealmCollection>(
    _ collection: C, _ values: [Int]
  ) where C.Element == Int {
    checkValues(collection, values)
    checkQueries(collection, values)
    let any = AnyRealmCollection(collection)
    checkValues(any, values)
    checkQueries(any, values)
    if collection.realm?.isInWriteTransaction == true { return }
    for frozen in [AnyRealmCollection(collection.freeze()), any.freeze()] {
      checkValues(frozen, values, isFrozen: true)
      checkQueries(frozen, values)
      #expect(frozen.freeze().isFrozen && frozen.thaw().map(Array.init) == values)
    }
    #expect(collection.thaw().map(Array.init) == values)
  }

  private func checkAllValues(_ club: Club, _ bag: Bag) {
    checkManaged(club.numbers, [3, 1, 2, 3, 5])
    checkManaged(club.numbers.where { $0 > 1 }, [3, 2, 3, 5])
    checkManaged(club.numbers.sorted(ascending: false), [5, 3, 3, 2, 1])
    checkManaged(club.numbers.distinct(), [3, 1, 2, 5])
    checkManaged(club.scores.where { $0 > 0 }, [3, 1, 2, 3, 5])
    checkManaged(club.scores.sorted(ascending: true), [1, 2, 3, 3, 5])
    checkManaged(bag.ints, [1, 2, 3, 5])
    checkManaged(bag.ints.where { $0 > 1 }, [2, 3, 5])
  }

  @Test func valueCollectionsShareBehavior() throws {
    let (club, bag) = (ClubFixture.make(), Bag(1))
    bag.ints.insert(objectsIn: [3, 1, 2, 3, 5])
    checkValues(club.numbers, [3, 1, 2, 3, 5])
    checkValues(bag.ints, Array(bag.ints))
    checkValues(AnyRealmCollection(club.numbers), [3, 1, 2, 3, 5])
    #expect(club.numbers.realm == nil && bag.ints.realm == nil)
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(club)
        realm.add(bag)
        checkAllValues(club, bag)
      }
      checkAllValues(club, bag)
    }
  }

  // MARK: Empty

  private func checkEmpty<C: RealmCollection>(_ collection: C, isInvalidated: Bool = false) {
    #expect(collection.isEmpty && collection.count == 0 && Array(collection).isEmpty)
    #expect(collection.first == nil && collection.last == nil)
    #expect(collection.map { _ in 0 }.isEmpty && collection.reversed().isEmpty)
    #expect(collection.isInvalidated == isInvalidated)
    #expect(!collection.description.isEmpty)
  }

  private func checkEmpty<C: RealmCollection>(
    objects collection: C, isInvalidated: Bool = false
  ) where C.Element == Member {
    checkEmpty(collection, isInvalidated: isInvalidated)
    #expect(collection.index(of: Member()) == nil && !collection.contains(Member()))
    #expect(collection.min(of: \.score) == nil && collection.max(of: \.rank) == nil)
    #expect(collection.sum(of: \.score) == 0 && collection.average(of: \.score) == nil)
    checkEmpty(AnyRealmCollection(collection), isInvalidated: isInvalidated)
  }

  private func checkEmpty<C: RealmCollection>(
    values collection: C, isInvalidated: Bool = false
  ) where C.Element == Int {
    checkEmpty(collection, isInvalidated: isInvalidated)
    #expect(collection.index(of: 1) == nil && !collection.contains(1))
    #expect(collection.min() == nil && collection.max() == nil && collection.sum() == 0)
    #expect(collection.average() == nil)
    checkEmpty(AnyRealmCollection(collection), isInvalidated: isInvalidated)
  }

  @Test func emptyCollectionHasNoEndsOrAggregates() throws {
    let (club, bag, member) = (Club(), Bag(1), Member())
    checkEmpty(objects: club.members)
    checkEmpty(objects: club.group)
    checkEmpty(objects: member.friends)
    checkEmpty(values: club.numbers)
    checkEmpty(values: bag.ints)
    try withTemporaryRealm { realm, _ in
      checkEmpty(objects: realm.objects(Member.self))
      try realm.write {
        realm.add(club)
        realm.add(bag)
        realm.add(member)
      }
      for club in [club, club.freeze()] {
        checkEmpty(objects: club.members)
        checkEmpty(objects: club.members.where { $0.id > 0 })
        checkEmpty(objects: club.group)
        checkEmpty(objects: club.group.sorted(by: \.id))
        checkEmpty(objects: club.byName.where { $0.id > 0 })
        checkEmpty(values: club.numbers)
        checkEmpty(values: club.numbers.distinct())
        checkEmpty(values: club.scores.sorted(ascending: true))
      }
      checkEmpty(objects: member.friends)
      checkEmpty(objects: member.freeze().friends.where { $0.id > 0 })
      checkEmpty(values: bag.ints)
      checkEmpty(objects: realm.objects(Member.self).where { $0.id > 9 })
    }
  }

  // MARK: Invalidated

  @Test func collectionOfDeletedObjectIsEmptyAndInvalidated() throws {
    try withTemporaryRealm { realm, _ in
      let (club, bag) = (ClubFixture.make(), Bag(1))
      bag.ints.insert(objectsIn: [1, 2])
      try realm.write {
        realm.add(club)
        realm.add(bag)
      }
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      let (members, group, friends) = (club.members, club.group, third.friends)
      let (numbers, ints, scores) = (club.numbers, bag.ints, club.scores.sorted(ascending: true))
      let (some, sorted) = (club.members.where { $0.id > 1 }, club.group.sorted(by: \.id))
      let frozen = (members.freeze(), group.freeze(), friends.freeze(), numbers.freeze())
      let (map, frozenMap) = (club.byName, club.byName.freeze())
      let all = realm.objects(Member.self)
      try realm.write { realm.delete([club, bag, third] as [Object]) }
      checkEmpty(objects: members, isInvalidated: true)
      checkEmpty(objects: group, isInvalidated: true)
      checkEmpty(objects: friends, isInvalidated: true)
      checkEmpty(objects: some, isInvalidated: true)
      checkEmpty(objects: sorted, isInvalidated: true)
      checkEmpty(values: numbers, isInvalidated: true)
      checkEmpty(values: ints, isInvalidated: true)
      checkEmpty(values: scores, isInvalidated: true)
      #expect(map.isInvalidated && map.isEmpty && map.keys.isEmpty && map["1"] == nil)
      // A live collection is returned unchanged by `thaw()`.
      #expect(members.thaw() === members && group.thaw() === group && map.thaw() === map)
      #expect(friends.thaw()?.isInvalidated == true && some.thaw()?.isInvalidated == true)
      #expect(all.count == 4 && !all.isInvalidated)
      // Frozen collections stay.
      #expect(frozen.0.count == 5 && frozen.1.count == 5 && frozen.2.count == 5)
      #expect(Array(frozen.3) == [3, 1, 2, 3, 5] && frozenMap.count == 6)
      #expect(!frozen.0.isInvalidated && frozen.0.thaw() == nil && frozenMap.thaw() == nil)
      #expect(frozen.1.thaw() == nil && frozen.2.thaw() == nil && frozen.3.thaw() == nil)
    }
  }

  @Test func observingUnmanagedOrFrozenThrows() throws {
    let club = ClubFixture.make()
    func check<C: RealmCollection>(_ code: Realm.Error.Code, _ collection: C) {
      expectError(code) { try collection.observe { _ in } }
      expectError(code) { try AnyRealmCollection(collection).observe { _ in } }
    }
    check(.unmanaged, club.members)
    check(.unmanaged, club.group)
    check(.unmanaged, club.numbers)
    check(.unmanaged, Member().friends)
    expectError(.unmanaged) { try club.byName.observe { _ in } }
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(club) }
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      check(.frozen, club.members.freeze())
      check(.frozen, club.group.freeze())
      check(.frozen, club.numbers.freeze())
      check(.frozen, third.friends.freeze())
      check(.frozen, realm.objects(Member.self).freeze())
      expectError(.frozen) { try club.byName.freeze().observe { _ in } }
      let (members, group, friends) = (club.members, club.group, third.friends)
      let (numbers, map) = (club.numbers, club.byName)
      try realm.write { realm.delete([club, third] as [Object]) }
      check(.invalidatedObject, members)
      check(.invalidatedObject, group)
      check(.invalidatedObject, numbers)
      check(.invalidatedObject, friends)
      expectError(.invalidatedObject) { try map.observe { _ in } }
    }
  }

  // MARK: Out of bounds, in another realm

  /// A concurrent task may have shortened a live collection.
  @Test func readOutOfBoundsOfLiveCollectionIsInvalidated() throws {
    try withTemporaryRealm { realm, _ in
      let (club, bag) = (ClubFixture.make(), Bag(1))
      try realm.write {
        realm.add(club)
        realm.add(bag)
      }
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      func check<C: RealmCollection>(_ collection: C) where C.Element == Member {
        for index in [collection.count, -1, .max] {
          #expect(collection[index].isInvalidated && collection[index].id == 0)
          #expect(AnyRealmCollection(collection)[index].isInvalidated)
        }
      }
      check(club.members)
      check(club.group)
      check(third.friends)
      check(realm.objects(Member.self))
      check(club.members.sorted(by: \.id))
      #expect(club.numbers[9] == 0 && bag.ints[9] == 0 && club.words[9] == nil)
      #expect(club.numbers.sorted(ascending: true)[9] == 0)
    }
  }

  @Test func everyKindIsPassedToAnotherRealm() throws {
    try withTemporaryRealm { realm, store in
      let (club, bag) = (ClubFixture.make(), Bag(1))
      bag.ints.insert(1)
      try realm.write {
        realm.add(club)
        realm.add(bag)
      }
      let third = try #require(realm.object(ofType: Member.self, forPrimaryKey: 3))
      let other = try store.open()
      func check<C: RealmCollection>(_ collection: C) where C.Element: Equatable {
        let found = other.resolve(ThreadSafeReference(to: collection))
        #expect(found?.count == collection.count && found?.realm == other)
        #expect(other.resolve(ThreadSafeReference(to: AnyRealmCollection(collection))) != nil)
      }
      check(club.members)
      check(club.group)
      check(third.friends)
      check(realm.objects(Member.self).where { $0.id > 2 })
      check(club.numbers)
      check(bag.ints)
      check(club.scores.sorted(ascending: true))
      #expect(other.resolve(ThreadSafeReference(to: club.byName))?.count == 6)
    }
  }
}

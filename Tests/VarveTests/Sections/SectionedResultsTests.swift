import Foundation
import Testing
import Varve

@Suite struct SectionedResultsTests {
  private let guests: [(String, Int?)] = [
    ("Bo", 2), ("Ann", 1), ("Cy", nil), ("Abe", 2), ("Bea", 1),
  ]

  @Test func sectionsAreOrderedByProperty() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let all = realm.objects(Guest.self)
      let byTable = all.sectioned(by: \.table)
      #expect(byTable.allKeys == [nil, 1, 2] && byTable.count == 3)
      #expect(byTable.map { $0.map(\.name) } == [["Cy"], ["Ann", "Bea"], ["Bo", "Abe"]])
      #expect(byTable[1].key == 1 && byTable[1].id == 1 && byTable[1].count == 2)
      #expect(byTable[1].first?.name == "Ann" && byTable[1].last?.name == "Bea")
      #expect(byTable[IndexPath(item: 1, section: 2)].name == "Abe")
      #expect(all.sectioned(by: \.table, ascending: false).allKeys == [2, 1, nil])
      #expect(
        all.sectioned(by: \.table, sortDescriptors: ["name"]).names
          == ["Optional(2): Abe Bo", "Optional(1): Ann Bea", "nil: Cy"])
    }
  }

  @Test func computedSectionsAreOrderedByKeysOrElements() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let all = realm.objects(Guest.self)
      #expect(all.sectioned(by: \.firstLetter).names == ["A: Ann Abe", "B: Bo Bea", "C: Cy"])
      #expect(
        all.sectioned(by: \.firstLetter, ascending: false).names
          == ["C: Cy", "B: Bo Bea", "A: Ann Abe"])
      #expect(
        all.sectioned(by: { $0.firstLetter }, sortDescriptors: ["name"]).names
          == ["A: Abe Ann", "B: Bea Bo", "C: Cy"])
      #expect(all.sectioned(by: { $0.firstLetter }).allKeys == ["B", "A", "C"])
      #expect(all.sectioned(by: \.host?.name).names == ["nil: Bo Ann Cy Abe Bea"])
    }
  }

  @Test func everyCollectionHasSections() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      try realm.write {
        let party = realm.create(Party.self, value: ["id": 1, "numbers": [5, 2, 9, 4]])
        party.guests.append(objectsIn: [try realm.guest(2), try realm.guest(0), try realm.guest(0)])
      }
      let party = try #require(realm.objects(Party.self).first)
      #expect(party.guests.sectioned(by: { $0.firstLetter }).names == ["C: Cy", "B: Bo Bo"])
      let isEven = party.numbers.sectioned(by: { $0 % 2 == 0 }, ascending: true)
      #expect(isEven.allKeys == [true, false] && isEven.map { Array($0) } == [[2, 4], [5, 9]])
      #expect(Array(party.numbers.sectioned(by: { $0 > 4 })[0]) == [5, 9])
      let some = realm.objects(Guest.self).where { $0.table != nil }
      #expect(AnyRealmCollection(some).sectioned(by: \.table).allKeys == [1, 2])
    }
  }

  @Test func liveSectionsUpdateAndFrozenSectionsDoNot() throws {
    try withTemporaryRealm { realm, store in
      try realm.addGuests(guests)
      let byTable = realm.objects(Guest.self).sectioned(by: \.table)
      let (first, frozen) = (byTable[1], byTable.freeze())
      try realm.write {
        #expect(byTable.count == 3)
        try realm.guest(1).table = 7
        try realm.guest(4).table = 2
        #expect(byTable.allKeys == [nil, 2, 7] && first.isEmpty)
        byTable[0][0].name = "Cyd"
      }
      #expect(byTable.names == ["nil: Cyd", "Optional(2): Bo Abe Bea", "Optional(7): Ann"])
      #expect(first.isEmpty && first.first == nil && first.key == 1)
      #expect(frozen.isFrozen && frozen.names[0] == "nil: Cy" && frozen[1].count == 2)
      #expect(frozen[1][0].isFrozen && !byTable[1][0].isFrozen)
      #expect(frozen.thaw()?.allKeys == [nil, 2, 7] && frozen[1].thaw()?.count == 0)
      let other = try store.open()
      #expect(other.resolve(byTable)?.realm == other && byTable.realm == realm)
      #expect(other.resolve(byTable[2])?.first?.name == "Ann")
      #expect(byTable.description.contains("Optional(2): 3"))
    }
  }

  @Test func outOfBoundsReadsDefaultAndFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let byTable = realm.objects(Guest.self).sectioned(by: \.table)
      #expect(byTable[9].isEmpty && byTable[9].key == nil)
      #expect(byTable[0][9].isInvalidated)
      #expect(byTable[IndexPath(row: 0, section: 9)].isInvalidated)
      expectError(.indexOutOfBounds) { try realm.write { _ = byTable[9] } }
      expectError(.indexOutOfBounds) { try realm.write { _ = byTable[0][9] } }
    }
  }

  @Test func sectionsOfDeletedListAreInvalidated() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      try realm.write {
        realm.create(Party.self, value: ["id": 1]).guests.append(
          objectsIn: realm.objects(Guest.self))
      }
      let party = try #require(realm.objects(Party.self).first)
      let byTable = party.guests.sectioned(by: \.table)
      let frozen = byTable.freeze()
      #expect(byTable.count == 3 && !byTable.isInvalidated)
      try realm.write { realm.delete(party) }
      #expect(byTable.isInvalidated && byTable.isEmpty && frozen.count == 3 && frozen.thaw() == nil)
      let all = realm.objects(Guest.self).sectioned(by: \.table)
      #expect(all.count == 3)
      realm.invalidate()
      #expect(all.isEmpty && all.isInvalidated)
    }
  }
}

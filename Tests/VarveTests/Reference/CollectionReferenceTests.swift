import Foundation
import Testing
import Varve

/// Members common to all ordered collections.
@Suite struct CollectionReferenceTests {
  @Test func emptyCollectionsHaveNoFirstMinimumOrAverage() throws {
    func check<C: RealmCollection>(_ empty: C) where C.Element == Spice {
      #expect(empty.first == nil && empty.last == nil && empty.count == 0 && empty.isEmpty)
      #expect(empty.min(of: \.grams) == nil && empty.max(of: \.heat) == nil)
      #expect(empty.sum(of: \.grams) == 0 && empty.sum(of: \.price) == Decimal128(0))
      #expect(empty.average(of: \.grams) == nil && empty.average(of: \.heat) == nil)
      #expect(empty.min(of: \.picked) == nil && empty.max(of: \.picked) == nil)
    }
    check(List<Spice>())
    try withPantry { realm, pantry, _ in
      check(realm.objects(Spice.self).where { $0.id > 99 })
      check(pantry.row.where { $0.id > 99 })
      check(realm.objects(Spice.self).freeze().where { $0.id > 99 })
      try realm.write {
        pantry.row.removeAll()
        check(pantry.row)
        realm.delete(realm.objects(Spice.self))
        check(realm.objects(Spice.self))
      }
      check(pantry.row)
      check(AnyRealmCollection(pantry.row))
      check(realm.objects(Spice.self))
    }
  }

  @Test func aggregatesAcceptOnlyNumbersAndDates() throws {
    try withPantry { realm, pantry, _ in
      let day = Date(timeIntervalSince1970: 0)
      try realm.write {
        pantry.row[0].picked = day
        pantry.row[1].price = 2.5
      }
      let least: Date? = try pantry.row.min(ofProperty: "picked")
      let greatest: Decimal128? = try pantry.row.max(ofProperty: "price")
      #expect(least == day && greatest == 2.5)
      #expect(pantry.row.sum(of: \.grams) == 80 && pantry.row.average(of: \.grams) == 20)
      for property in ["blend", "parts", "photo", "name", "pantries"] {
        let error = thrownError { try pantry.row.sum(ofProperty: property) as Int }
        #expect(error?.code == .invalidInput && error?.className == "Spice", "\(property)")
        #expect(error?.propertyName == property)
        expectError(.invalidInput) { try pantry.row.min(ofProperty: property) as Int? }
        expectError(.invalidInput) { try pantry.row.max(ofProperty: property) as Int? }
        expectError(.invalidInput) { try pantry.row.average(ofProperty: property) }
      }
      expectError(.invalidInput) { try pantry.row.sum(ofProperty: "picked") as Int }
      expectError(.invalidInput) { try pantry.row.average(ofProperty: "picked") }
      expectError(.unknownProperty) { try pantry.row.average(ofProperty: "colour") }
    }
  }

  @Test func outOfBoundsIndexFailsWriteAndReadsDefaultOutside() throws {
    try withPantry { realm, pantry, _ in
      let all = realm.objects(Spice.self)
      #expect(all[3].isInvalidated && pantry.row[4].isInvalidated && pantry.numbers[-1] == 0)
      let numbers = pantry.numbers.sorted(ascending: true)
      #expect(numbers[4] == 0)
      let reads: [() -> Void] = [
        { _ = all[3] }, { _ = pantry.row[4] }, { _ = pantry.numbers[-1] }, { _ = numbers[4] },
        { _ = pantry.row.where { $0.id == 1 }[1] }, { _ = pantry.row.first?.pantries[9] },
      ]
      for read in reads {
        expectError(.indexOutOfBounds) { try realm.write { read() } }
      }
      let error = thrownError { try realm.write { _ = all[3] } }
      #expect(error?.className == "Spice" && error?.value == "index 3, count 3")
      #expect(all[2].id == 3 && pantry.row[3].id == 3 && pantry.numbers[3] == 3)
    }
  }

  @Test func resultsAreLiveAndComposable() throws {
    try withPantry { realm, pantry, _ in
      let salt = realm.objects(Spice.self).where { $0.name == "salt" }
      let heavy = salt.filter("grams > 15").sorted(by: \.grams)
      let one = heavy.distinct(by: ["name"])
      let frozen = heavy.freeze()
      #expect(heavy.map(\.id) == [3, 1] && one.map(\.id) == [3])
      try realm.write {
        realm.create(Spice.self, value: ["id": 4, "name": "salt", "grams": 16])
        #expect(heavy.map(\.id) == [4, 3, 1])
        pantry.row[0].grams = 1
      }
      #expect(heavy.map(\.id) == [4, 1] && one.map(\.id) == [4] && salt.count == 3)
      #expect(frozen.map(\.id) == [3, 1] && frozen[0].grams == 20 && frozen[0].isFrozen)
    }
  }

  @Test func iterationInWriteCoversElementsAtItsStart() throws {
    try withPantry { realm, pantry, _ in
      let salt = realm.objects(Spice.self).where { $0.name == "salt" }
      var seen: [Int] = []
      try realm.write {
        for spice in salt {
          seen.append(spice.id)
          // Each iteration removes the object from the iterated results and inserts another.
          spice.name = "gone"
          realm.create(Spice.self, value: ["id": 10 + spice.id, "name": "salt"])
        }
        for spice in pantry.row {
          seen.append(spice.id)
          pantry.row.removeAll()
        }
      }
      #expect(seen == [1, 3, 3, 1, 2, 3] && pantry.row.isEmpty)
      #expect(salt.map(\.id) == [11, 13])
    }
  }

  @Test func objectsOfFrozenCollectionAreFrozen() throws {
    try withPantry { realm, pantry, _ in
      let row = pantry.row.freeze()
      let all = realm.objects(Spice.self).sorted(by: \.grams).freeze()
      let map = pantry.spices.freeze()
      let back = try #require(pantry.row.first).pantries.freeze()
      try realm.write { realm.deleteAll() }
      #expect(row.isFrozen && row[0].isFrozen && row.first?.isFrozen == true)
      #expect(all.isFrozen && all.allSatisfy(\.isFrozen) && all.map(\.id) == [2, 3, 1])
      #expect(map.isFrozen && map["a"]??.isFrozen == true && map["a"]??.grams == 30)
      #expect(map.keys == ["a", "b", "c", "d", "e"] && map.objects.allSatisfy(\.isFrozen))
      #expect(back.isFrozen && back.first?.isFrozen == true && back.first?.row.isFrozen == true)
      #expect(pantry.row.isInvalidated && !row.isInvalidated && row.map(\.id) == [3, 1, 2, 3])
      #expect(!List<Int>().isFrozen && !Map<String, Int>().isFrozen)
    }
  }

  @Test func frozenCollectionIsReadByManyThreads() throws {
    try withPantry { realm, pantry, _ in
      let (row, map) = (pantry.row.freeze(), pantry.spices.freeze())
      try realm.write {
        pantry.row.removeAll()
        pantry.spices.removeAll()
      }
      for _ in 0..<4 {
        onAnotherThread {
          #expect(
            row.map(\.id) == [3, 1, 2, 3] && map.values.compactMap { $0?.id } == [1, 2, 3, 1])
        }
      }
      #expect(row.freeze() === row && map.freeze() === map)
      #expect(row.thaw()?.isEmpty == true && map.thaw()?.isEmpty == true)
      let live = pantry.spices
      #expect(map.thaw() == live && live.thaw() === live)
      try realm.write { realm.delete(pantry) }
      #expect(row.thaw() == nil && map.thaw() == nil && row.count == 4)
    }
  }
}

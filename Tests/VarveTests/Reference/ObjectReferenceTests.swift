import Foundation
import Testing
import Varve

/// Lookup of objects and their metadata.
@Suite struct ObjectReferenceTests {
  @Test func objectsAreFoundInQueriedRealm() throws {
    try withPantry { realm, _, _ in
      try withPantry { other, _, _ in
        try other.write { other.delete(other.objects(Spice.self).where { $0.id > 1 }) }
        #expect(realm.objects(Spice.self).map(\.id) == [1, 2, 3])
        #expect(other.objects(Spice.self).map(\.id) == [1])
        #expect(try realm.objects(Spice.self).filter("grams < %@", 25).map(\.id) == [2, 3])
        #expect(try other.objects(Spice.self).filter("grams < %@", 25).isEmpty)
        #expect(realm.objects(Spice.self).filter("TRUEPREDICATE").count == 3)
        let isMint: (Query<Spice>) -> Query<Bool> = { $0.name == "mint" }
        #expect(realm.objects(Spice.self).where(isMint).map(\.id) == [2])
        #expect(realm.object(ofType: Spice.self, forPrimaryKey: 2)?.name == "mint")
        #expect(other.object(ofType: Spice.self, forPrimaryKey: 2) == nil)
      }
    }
  }

  @Test func defaultRealmIsQueriedLikeAnyOther() throws {
    try withDefaultRealm {
      try Realm().write { try Realm().add(PantryFixture.make()) }
      #expect(try Realm().objects(Spice.self).map(\.id) == [1, 2, 3])
      #expect(try Realm().objects(Spice.self).filter("name = 'salt'").map(\.id) == [1, 3])
      #expect(try Realm().object(ofType: Spice.self, forPrimaryKey: 3)?.grams == 20)
      #expect(try Realm().object(ofType: Spice.self, forPrimaryKey: 33) == nil)
    }
  }

  @Test func primaryKeyLookupDoesNotScan() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for id in 0..<5_000 { realm.create(Spice.self, value: ["id": id, "grams": id]) }
      }
      let clock = ContinuousClock()
      let lookingUp = clock.measure {
        for id in 0..<20 {
          #expect(realm.object(ofType: Spice.self, forPrimaryKey: id * 200)?.grams == id * 200)
        }
      }
      let walking = clock.measure {
        for id in 0..<20 {
          #expect(realm.objects(Spice.self).where { $0.grams == id * 200 }.first?.id == id * 200)
        }
      }
      // The scan reads thousands of rows; a factor of two is far below the actual difference.
      #expect(lookingUp * 2 < walking)
    }
  }

  @Test func objectRealmIsItsStore() throws {
    let loose = PantryFixture.make()
    #expect(loose.realm == nil && !loose.isFrozen && !loose.isInvalidated)
    try withPantry { realm, pantry, _ in
      #expect(pantry.realm == realm && pantry.row[0].realm == realm && !pantry.isFrozen)
      let frozen = pantry.freeze()
      #expect(frozen.isFrozen && frozen.realm?.isFrozen == true && frozen.row[0].isFrozen)
      try realm.write { realm.delete(pantry) }
      #expect(frozen.isFrozen && !frozen.isInvalidated && frozen.row.count == 4)
    }
  }

  @Test func valueOfWrongTypeChangesNothing() throws {
    try withPantry { realm, pantry, _ in
      for (property, value) in [
        ("counts", ["a": "text"] as Any), ("row", [["name": "no key"], 5]), ("numbers", ["x"]),
        ("spices", ["a": Pantry()]), ("row", [Pantry()]), ("notes", ["a": 5]),
      ] {
        let error = thrownError {
          try realm.write {
            realm.create(Pantry.self, value: ["id": 1, property: value], update: .modified)
          }
        }
        #expect(error?.code == .typeMismatch, "\(property): \(String(describing: error))")
      }
      #expect(pantry.counts.count == 3 && pantry.row.count == 4 && pantry.spices.count == 5)
      #expect(pantry.numbers.count == 4 && pantry.notes.count == 2)
    }
  }

  @Test func nullIsAcceptedByOptionalsOnly() throws {
    try withPantry { realm, _, _ in
      expectError(.missingValue) {
        try realm.write { realm.create(Spice.self, value: ["id": 9, "grams": NSNull()]) }
      }
      let spice = try realm.write {
        realm.create(Spice.self, value: ["id": 9, "heat": NSNull(), "blend": NSNull()])
      }
      #expect(
        spice.heat == nil && spice.blend == nil && spice.objectSchema["heat"]?.isOptional == true)
      #expect(spice.objectSchema["grams"]?.isOptional == false)
    }
  }

  @Test func classIsStoredUnderItsOwnName() throws {
    try withPantry { realm, pantry, _ in
      #expect(Spice.className() == "Spice" && Pantry.className() == "Pantry")
      #expect(pantry.objectSchema.className == Pantry.className())
      // The class of an object in a variable of the superclass type is its own class.
      let object: Object = pantry.row[0]
      #expect(type(of: object).className() == "Spice")
      // The stored classes come first in the schema, followed by the other compiled classes.
      #expect(Set(realm.schema.objectSchema.prefix(2).map(\.className)) == ["Pantry", "Spice"])
    }
  }
}

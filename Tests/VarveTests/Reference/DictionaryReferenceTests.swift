import Foundation
import Testing
import Varve

/// The content of maps and its changes.
@Suite struct DictionaryReferenceTests {
  @Test func countIncludesKeysWithNull() throws {
    try withPantry { realm, pantry, _ in
      let spices = pantry.spices
      #expect(spices.count == 5 && spices.keys.count == 5 && !spices.isEmpty)
      try realm.write {
        spices["f"] = .some(nil)
        #expect(spices.count == 6)
      }
      let frozen = spices.freeze()
      try realm.write { spices.removeAll() }
      #expect(spices.count == 0 && spices.isEmpty && frozen.count == 6)
      try realm.write { realm.delete(pantry) }
      #expect(spices.isInvalidated && spices.count == 0 && frozen.count == 6)
      expectError(.invalidatedObject) { try realm.write { _ = spices.count } }
    }
  }

  @Test func realmIsThatOfOwner() throws {
    let loose = PantryFixture.make()
    #expect(loose.spices.realm == nil && loose.row.realm == nil && Map<String, Int>().realm == nil)
    try withPantry { realm, pantry, _ in
      #expect(pantry.spices.realm == realm && pantry.spices.realm?.isFrozen == false)
      #expect(pantry.row.realm == realm && realm.objects(Spice.self).realm == realm)
      let frozen = pantry.freeze()
      #expect(frozen.spices.realm?.isFrozen == true && frozen.row.realm?.isFrozen == true)
      #expect(frozen.spices.realm?.version == realm.version)
      #expect(pantry.row.freeze().realm?.isFrozen == true)
      #expect(pantry.row.first?.pantries.realm == realm)
    }
  }

  @Test func keysAndValuesAreCopiesInKeyOrder() throws {
    try withPantry { realm, pantry, _ in
      let (keys, values) = (pantry.notes.keys, pantry.notes.values)
      #expect(keys == ["a", "none"] && values == ["b", nil])
      try realm.write {
        pantry.notes["\u{e9}"] = "3"
        pantry.notes["Z"] = "0"
        pantry.notes["a"] = "1"
      }
      #expect(keys == ["a", "none"] && values == ["b", nil])
      #expect(pantry.notes.keys == ["Z", "a", "none", "\u{e9}"])
      #expect(pantry.notes.values == ["0", "1", nil, "3"])
      #expect(pantry.notes.map(\.key) == pantry.notes.keys)
      // Keys and values are in the same order in every version.
      #expect(pantry.notes.keys.map { pantry.notes[$0] ?? "absent" } == pantry.notes.values)
    }
  }

  @Test func absentKeyIsNilAndNullIsPresent() throws {
    func check(_ pantry: Pantry) {
      let notes = pantry.notes
      #expect(notes["a"] == "b" && notes.object(forKey: "a") == "b")
      #expect(notes["none"] == .some(nil) && notes.object(forKey: "none") == .some(nil))
      #expect(notes["absent"] == nil && notes.object(forKey: "absent") == nil)
      #expect(notes.contains(key: "none") && !notes.contains(key: "absent"))
      #expect(pantry.spices["e"] == .some(nil) && pantry.spices["b"]??.name == "mint")
      #expect(pantry.counts["x"] == 3 && pantry.counts["$x"] == nil && pantry.counts[""] == nil)
    }
    check(PantryFixture.make())
    try withPantry { realm, pantry, _ in
      check(pantry)
      check(pantry.freeze())
      try realm.write { check(pantry) }
    }
  }

  @Test func enumerationVisitsEntriesUntilStopped() throws {
    func check(_ map: Map<String, Int>) {
      var seen: [String] = []
      map.enumerate { key, value, _ in seen.append("\(key)\(value)") }
      #expect(seen == ["x3", "y1", "z3"])
      seen = []
      map.enumerate { key, value, stop in
        seen.append("\(key)\(value)")
        stop = value == 1
      }
      #expect(seen == ["x3", "y1"])
      #expect(map.asKeyValueSequence().map(\.key) == ["x", "y", "z"])
      var count = 0
      for (key, value) in map where key > "x" { count += value }
      #expect(count == 4)
    }
    check(PantryFixture.make().counts)
    try withPantry { realm, pantry, _ in
      check(pantry.counts)
      expectCancelled { try pantry.counts.enumerate { _, _, _ in throw Cancelled() } }
      try realm.write {
        // The enumeration covers the entries that existed when it began.
        var keys: [String] = []
        pantry.counts.enumerate { key, value, _ in
          keys.append(key)
          pantry.counts["new \(key)"] = value
          pantry.counts["z"] = nil
        }
        #expect(keys == ["x", "y", "z"])
      }
      #expect(pantry.counts.keys == ["new x", "new y", "new z", "x", "y"])
    }
  }

  @Test func setReplacesAllEntriesOrNone() throws {
    try withPantry { realm, pantry, _ in
      let counts = pantry.counts
      try realm.write { counts.set(["a": 1, "b": 2]) }
      #expect(counts.keys == ["a", "b"] && counts.values == [1, 2])
      let other = Map<String, Int>()
      other["c"] = 3
      try realm.write { counts.set(other) }
      #expect(counts.keys == ["c"])
      try realm.write { counts.set([(key: "d", value: 4), (key: "d", value: 5)]) }
      #expect(counts.keys == ["d"] && counts["d"] == 5)
      expectError(.invalidKey) {
        try realm.write {
          counts.set(["good": 1, "b.d": 2])
          #expect(counts.keys == ["d"])
        }
      }
      try realm.write { counts.set([:]) }
      #expect(counts.isEmpty)
    }
  }

  @Test func removeAllReportsEachKeyAsDeleted() throws {
    try withPantry { realm, pantry, _ in
      let events = EventRecorder<ObservedEntries>()
      let token = try pantry.spices.observe { events.note(ObservedEntries($0)) }
      _ = events.wait(for: 1)
      try realm.write { pantry.spices.removeAll() }
      #expect(events.wait(for: 2).last == .update([], ["a", "b", "c", "d", "e"]))
      #expect(pantry.spices.isEmpty && realm.objects(Spice.self).count == 3)
      let frozen = pantry.counts.freeze()
      expectError(.frozen) { try realm.write { frozen.removeAll() } }
      #expect(frozen.count == 3 && pantry.counts.count == 3)
      token.invalidate()
    }
  }

  @Test func removingAbsentKeysChangesNothing() throws {
    try withPantry { realm, pantry, _ in
      let version = realm.version
      try realm.write {
        pantry.counts.removeObjects(forKeys: ["absent", "b.d", "$"])
        pantry.counts.removeObject(for: "absent")
        pantry.counts["absent"] = nil
      }
      #expect(realm.version == version)
      try realm.write { pantry.counts.removeObjects(forKeys: ["x", "absent", "x", "z"]) }
      #expect(pantry.counts.keys == ["y"])
      try realm.write { pantry.counts.removeObject(for: "y") }
      #expect(pantry.counts.isEmpty && realm.version != version)
    }
  }

  @Test func settingAKeyInsertsUpdatesOrRemoves() throws {
    try withPantry { realm, pantry, _ in
      try realm.write {
        pantry.counts["new"] = 7
        pantry.counts["x"] = 8
        pantry.counts.updateValue(9, forKey: "y")
        pantry.counts["z"] = nil
        pantry.notes["a"] = .some(nil)
        pantry.notes.updateValue(nil, forKey: "b")
        pantry.notes["none"] = nil
        pantry.spices["new"] = Spice(value: ["id": 9, "name": "anise"])
      }
      #expect(pantry.counts.map(\.value) == [7, 8, 9] && pantry.counts.keys == ["new", "x", "y"])
      #expect(pantry.notes.keys == ["a", "b"] && pantry.notes.values == [nil, nil])
      #expect(pantry.spices["new"]??.realm == realm && realm.objects(Spice.self).count == 4)
    }
  }

  @Test func addEntriesAndMergeCopyEntries() throws {
    func check(_ counts: Map<String, Int>) {
      counts.addEntries(from: ["x": 10, "new": 11])
      #expect(counts.map(\.value) == [11, 10, 1, 3])
      counts.addEntries(from: counts)
      counts.addEntries(from: [:])
      #expect(counts.keys == ["new", "x", "y", "z"] && counts["x"] == 10)
      var clashes: [String] = []
      counts.merge(["x": 1, "other": 2]) { old, new in
        clashes.append("\(old) \(new)")
        return old + new
      }
      #expect(clashes == ["10 1"] && counts["x"] == 11 && counts["other"] == 2)
    }
    check(PantryFixture.make().counts)
    try withPantry { realm, pantry, _ in
      try realm.write { check(pantry.counts) }
      expectError(.invalidKey) {
        try realm.write { pantry.counts.addEntries(from: ["fine": 1, "$bad": 2]) }
      }
      #expect(!pantry.counts.contains(key: "fine") && pantry.counts.count == 5)
      #expect(pantry.counts.contains { $0.key == "x" && $0.value == 11 })
    }
  }

  @Test func mapBelongsToPropertyOrIsUnmanaged() throws {
    let counts = Map<String, Int>()
    counts["a"] = 1
    let loose = Pantry()
    loose.id = 2
    loose.counts = counts
    #expect(loose.counts["a"] == 1 && !loose.counts.isFrozen && !loose.counts.isInvalidated)
    try withPantry { realm, pantry, _ in
      try realm.write { realm.add(loose) }
      #expect(loose.counts.realm == realm && loose.counts["a"] == 1)
      // Two reads of a property return the same map.
      let (first, second) = (pantry.counts, pantry.counts)
      #expect(first == second && first.hashValue == second.hashValue && first != loose.counts)
      try realm.write {
        first["w"] = 5
        #expect(second["w"] == 5)
      }
      #expect(second.keys == ["w", "x", "y", "z"])
      let (row, again) = (pantry.row, pantry.row)
      #expect(row == again)
      try realm.write { row.removeAll() }
      #expect(again.isEmpty)
    }
  }
}

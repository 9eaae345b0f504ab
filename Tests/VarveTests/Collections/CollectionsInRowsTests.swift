import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// Lists and maps in the rows of their owners, and on their way out of them and back.
@Suite struct CollectionsInRowsTests {
  /// A collection leaves the row when it has more bytes.
  private static let leaving = 256
  /// A collection comes back when it has at most these bytes.
  private static let entering = 128

  private func withTray(_ body: (Realm, Tray, TemporaryRealm) throws -> Void) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let (realm, tray) = try store.openWithTray()
    try body(realm, tray, store)
  }

  // MARK: Sizes

  @Test(arguments: TrayProperty.allCases)
  func collectionGrowsAndShrinksOneElementAWrite(property: TrayProperty) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    _ = try store.openWithTray()
    let most = 400 / property.elementBytes + 1
    var wasInRow = true
    for (step, count) in (Array(1...most) + (0..<most).reversed()).enumerated() {
      // As after a restart.
      try Realm.close(store.configuration)
      let realm = try store.open()
      let tray = try #require(realm.object(ofType: Tray.self, forPrimaryKey: 1))
      let numbers = Array(0..<count)
      let expected = property.content(numbers)
      let inside = try realm.write {
        property.assign(numbers, to: tray, realm)
        return property.content(of: tray)
      }
      let comment: Comment = "\(property), \(count) elements in step \(step)"
      #expect(inside == expected, comment)
      #expect(property.content(of: tray) == expected, comment)
      #expect(property.content(of: tray.freeze()) == expected, comment)
      let byteCount = property.byteCount(count)
      let isInRow = byteCount <= (wasInRow ? Self.leaving : Self.entering)
      #expect(try store.isInRow(property) == isInRow, comment)
      wasInRow = isInRow
      if step % 10 == 9 { try store.check(comment) }
      try Realm.close(store.configuration)
      let again = try store.open().object(ofType: Tray.self, forPrimaryKey: 1)
      #expect(again.map { property.content(of: $0) } == expected, comment)
    }
    #expect(wasInRow)
  }

  /// Up to a size at which a dictionary leaves the row before the end of the write.
  @Test(arguments: TrayProperty.allCases, [0, 1, 5, 14, 30])
  func collectionGrowsAndShrinksInOneWrite(property: TrayProperty, last: Int) throws {
    try withTray { realm, tray, store in
      let most = 700 / property.elementBytes
      let counts = Array(1...most) + (last..<most).reversed()
      let wrong = try realm.write {
        counts.filter { count in
          property.assign(Array(0..<count), to: tray, realm)
          return property.content(of: tray) != property.content(Array(0..<count))
        }
      }
      #expect(wrong.isEmpty)
      let expected = property.content(Array(0..<last))
      #expect(property.content(of: tray) == expected)
      try store.check()
      #expect(try store.isInRow(property) == (property.byteCount(last) <= Self.leaving))
      // The next write begins with the place that this one chose.
      try realm.write { property.assign(Array(0..<2), to: tray, realm) }
      #expect(property.content(of: tray) == property.content([0, 1]))
      #expect(try store.isInRow(property))
    }
  }

  /// A list of many nodes.
  @Test(arguments: [true, false])
  func longListComesBack(isInOneWrite: Bool) throws {
    try withTray { realm, tray, store in
      try realm.write {
        tray.numbers.append(objectsIn: 0..<3)
        if isInOneWrite {
          tray.numbers.append(objectsIn: 3..<20_000)
          tray.numbers.removeLast(19_995)
        }
      }
      if !isInOneWrite {
        try realm.write { tray.numbers.append(objectsIn: 3..<20_000) }
        #expect(try store.count(.lists) > 40)
        let pebbles = realm.objects(Pebble.self)
        try realm.write {
          for _ in 0..<30 { tray.pebbles.append(objectsIn: pebbles) }
        }
        try realm.write {
          tray.numbers.removeSubrange(5...)
          tray.pebbles.removeAll()
          tray.pebbles.append(pebbles[7])
        }
        #expect(tray.pebbles.map(\.id) == [7])
      }
      #expect(Array(tray.numbers) == [0, 1, 2, 3, 4])
      #expect(try store.count(.lists) == 0)
    }
  }

  /// A reader accepts a dictionary in a row that is larger than writers make it.
  @Test(arguments: [true, false])
  func largeDictionaryInRowIsChanged(isRemoval: Bool) throws {
    try withTray { realm, tray, store in
      let keys = (100..<200).map { "k\($0)" }
      try store.edit { transaction in
        let schema = try #require(store.configuration.store().schema.schema(named: "Tray"))
        let property = try #require(schema.property(named: "scores"))
        let field = try #require(schema.currentLayout.field(forProperty: property.id))
        let id = ObjectKey.objectID(forInteger: 1)
        let row = try #require(transaction.find(schema.table, id: id))
        let buffer = RowBuffer(layout: schema.currentLayout)
        try buffer.load(from: try schema.reader(for: row))
        // Each part as the format has it: a tag and eight bytes behind a key of four.
        var ends: [UInt8] = []
        var parts: [UInt8] = []
        for (index, key) in keys.enumerated() {
          parts += Array(key.utf8)
          ends += littleEndian(UInt64(parts.count), 2)
          parts += [5] + littleEndian(UInt64(index), 8)
          ends += littleEndian(UInt64(parts.count), 2)
        }
        (ends + parts).withUnsafeBytes { buffer.setElements($0, count: keys.count, field) }
        try transaction.put(schema.table, id: id, buffer.finish(classID: schema.id, objectID: id))
      }
      try realm.refresh()
      var model = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
      #expect(model == Dictionary(uniqueKeysWithValues: tray.scores.map { ($0.key, $0.value) }))
      try realm.write {
        tray.scores["k150"] = isRemoval ? nil : -1
        model["k150"] = isRemoval ? nil : -1
        #expect(tray.scores.count == model.count)
      }
      #expect(model == Dictionary(uniqueKeysWithValues: tray.scores.map { ($0.key, $0.value) }))
      try store.check()
    }
  }

  /// The place of a collection of each size in a new object, and in one that is updated.
  @Test(arguments: TrayProperty.allCases)
  func newObjectContainsCollectionOfEachSize(property: TrayProperty) throws {
    try withTray { realm, _, store in
      for count in 0...400 / property.elementBytes + 1 {
        let numbers = Array(0..<count)
        let comment: Comment = "\(count) elements"
        try realm.write {
          let added = Tray(2)
          property.assign(numbers, to: added, realm)
          realm.add(added)
        }
        let added = try #require(realm.object(ofType: Tray.self, forPrimaryKey: 2))
        #expect(property.content(of: added) == property.content(numbers), comment)
        let isInRow = property.byteCount(count) <= Self.leaving
        #expect(try store.isInRow(property) == isInRow, comment)
        if count % 10 == 9 { try store.check(comment) }
        let updated = Tray(2)
        try realm.write {
          property.assign([count, 1], to: updated, realm)
          realm.add(updated, update: .all)
        }
        #expect(property.content(of: added) == property.content([count, 1]), comment)
        try realm.write { realm.delete(added) }
        #expect(try store.count(property.table) == 0, comment)
      }
    }
  }

  /// Collections leave a row that becomes long by other properties only when they are changed.
  @Test func longRowKeepsUnchangedCollections() throws {
    try withTray { realm, tray, store in
      try realm.write {
        for property in TrayProperty.allCases { property.assign([1, 2], to: tray, realm) }
      }
      func expectContent(_ numbers: [Int]) {
        for property in TrayProperty.allCases {
          #expect(property.content(of: tray) == property.content(numbers), "\(property)")
        }
      }
      // Below the size from which a string is a blob.
      try realm.write { tray.title = String(repeating: "t", count: 512) }
      expectContent([1, 2])
      #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
      try realm.write {
        for property in TrayProperty.allCases {
          property.assign(Array(0..<11), to: tray, realm)
        }
      }
      // All six are below the bound, but not together with the title.
      expectContent(Array(0..<11))
      #expect(try store.count(.lists) + store.count(.dictionaries) > 0)
      try store.check()
      try realm.write {
        tray.title = ""
        for property in TrayProperty.allCases { property.assign([3], to: tray, realm) }
      }
      expectContent([3])
      #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
    }
  }

  // MARK: Versions

  @Test(arguments: TrayProperty.allCases)
  func frozenObjectKeepsContentWhileLiveOneMoves(property: TrayProperty) throws {
    try withTray { realm, tray, store in
      var kept: [(tray: Tray, content: [String])] = []
      for count in [0, 3, 60, 4, 0, 70, 2] {
        try realm.write { property.assign(Array(0..<count), to: tray, realm) }
        kept.append((tray.freeze(), property.content(Array(0..<count))))
      }
      let inside = try realm.write {
        property.assign(Array(5..<65), to: tray, realm)
        return kept.map { property.content(of: $0.tray) }
      }
      #expect(inside == kept.map(\.content))
      for (frozen, content) in kept { #expect(property.content(of: frozen) == content) }
      try realm.write { realm.delete(tray) }
      for (frozen, content) in kept { #expect(property.content(of: frozen) == content) }
      #expect(try store.count(property.table) == 0)
    }
  }

  @Test(arguments: TrayProperty.allCases, [0, 4, 60])
  func failedAndCancelledWritesLeaveContent(property: TrayProperty, count: Int) throws {
    try withTray { realm, tray, store in
      let numbers = Array(0..<count)
      try realm.write { property.assign(numbers, to: tray, realm) }
      for other in [[], [7], Array(1..<5), Array(20..<90)] {
        expectCancelled {
          try realm.write {
            property.assign(other, to: tray, realm)
            property.assign(numbers.reversed(), to: tray, realm)
            property.assign(other, to: tray, realm)
            throw Cancelled()
          }
        }
        #expect(property.content(of: tray) == property.content(numbers))
        expectError(.indexOutOfBounds) {
          try realm.write {
            property.assign(other, to: tray, realm)
            tray.numbers.remove(at: 1_000)
            property.assign(numbers.reversed(), to: tray, realm)
          }
        }
        #expect(property.content(of: tray) == property.content(numbers))
        try realm.write {
          property.assign(other, to: tray, realm)
          realm.cancelWrite()
          property.assign(numbers.reversed(), to: tray, realm)
        }
        #expect(property.content(of: tray) == property.content(numbers))
        try store.check()
      }
      try realm.write { property.assign([9] + numbers, to: tray, realm) }
      #expect(property.content(of: tray) == property.content([9] + numbers))
    }
  }

  /// Writes that share a transaction, of which some fail.
  @Test(arguments: TrayProperty.allCases)
  func groupedWritesKeepSuccessfulWrites(property: TrayProperty) async throws {
    try await withTemporaryRealm { realm, store in
      let tray = Tray(1)
      try await realm.asyncWrite {
        for id in 0...TrayProperty.greatest { realm.add(Pebble(id)) }
        realm.add(tray)
      }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<80 {
          group.addTask {
            try? await realm.asyncWrite {
              let count = property.content(of: tray).count
              property.assign(Array(0..<(number % 3 == 0 ? 70 : count + 1)), to: tray, realm)
              if number % 3 == 0 { throw Cancelled() }
            }
          }
        }
      }
      let added = (0..<80).count { $0 % 3 != 0 }
      #expect(property.content(of: tray) == property.content(Array(0..<added)))
      try store.check()
    }
  }

  // MARK: Elements that cannot be in a row

  @Test func blobKeepsCollectionOutside() throws {
    try withTray { realm, tray, store in
      let long = String(repeating: "b", count: 600)
      try realm.write {
        tray.words.append(objectsIn: ["a", "c"])
        tray.notes["a"] = "1"
      }
      #expect(try store.isInRow(.words) && store.isInRow(.notes))
      try realm.write {
        tray.words.insert(long, at: 1)
        tray.notes["b"] = long
      }
      #expect(Array(tray.words) == ["a", long, "c"])
      #expect(tray.notes.keys == ["a", "b"] && tray.notes.values == ["1", long])
      #expect(try !store.isInRow(.words) && !store.isInRow(.notes))
      #expect(try store.count(.blobs) == 2)
      try store.check()
      try realm.write {
        tray.words[1] = "b"
        tray.notes["b"] = "2"
      }
      #expect(Array(tray.words) == ["a", "b", "c"] && tray.notes.values == ["1", "2"])
      #expect(try store.isInRow(.words) && store.isInRow(.notes))
      #expect(try store.count(.blobs) == 0)
      // Stored and replaced in one write.
      try realm.write {
        tray.words.append(long)
        tray.notes["c"] = long
        tray.words.removeLast()
        tray.notes["c"] = nil
      }
      #expect(Array(tray.words) == ["a", "b", "c"] && tray.notes.keys == ["a", "b"])
      #expect(try store.count(.blobs) == 0)
    }
  }

  @Test func keysThatRowsCannotContainKeepMapOutside() throws {
    try withTray { realm, tray, store in
      let longest = String(repeating: "k", count: 438)
      let keys = [
        "a\0b", "\0", longest, longest + "k", longest + "kk", longest + "kkk",
        longest + String(repeating: "l", count: 300),
      ]
      for key in keys {
        try realm.write {
          tray.notes["a"] = "1"
          tray.notes["b"] = "2"
        }
        #expect(try store.isInRow(.notes))
        let inside = try realm.write {
          tray.notes[key] = "long"
          return (tray.notes[key], tray.notes["a"], tray.notes.count)
        }
        let comment: Comment = "\(key.utf8.count) bytes"
        #expect(inside == ("long", "1", 3), comment)
        let expected = ["a", "b", key].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(tray.notes.keys == expected && tray.notes[key] == "long", comment)
        #expect(try !store.isInRow(.notes), comment)
        try store.check(comment)
        try realm.write { tray.notes[key] = nil }
        #expect(tray.notes.keys == ["a", "b"] && tray.notes.values == ["1", "2"], comment)
        #expect(try store.isInRow(.notes), comment)
        // In a new object.
        let added = Tray(2)
        added.notes["a"] = "1"
        added.notes[key] = "long"
        try realm.write { realm.add(added) }
        #expect(added.notes.count == 2 && added.notes[key] == "long", comment)
        try store.check(comment)
        try realm.write { realm.delete(added) }
        #expect(try store.count(.dictionaries) == 0, comment)
      }
    }
  }

  @Test func nestedCollectionKeepsCollectionOutside() throws {
    try withTemporaryRealm { realm, store in
      let box = MixedBox(id: 1)
      box.items.append(objectsIn: [1, "a"])
      box.fields["a"] = 1
      try realm.write { realm.add(box) }
      func isInRow() throws -> Bool {
        try store.count(.lists) == 0 && store.count(.dictionaries) == 0
      }
      #expect(try isInRow())
      try realm.write {
        box.items.insert([2, ["k": 3]], at: 1)
        box.fields["b"] = ["k": [4]]
      }
      #expect(box.items.count == 3 && box.items[1][1]?["k"] == 3 && box.items[2] == "a")
      #expect(box.fields["b"]?["k"]?[0] == 4 && box.fields["a"] == 1)
      #expect(try !isInRow())
      try store.check()
      try realm.write {
        box.items[1].listValue?.append(5)
        box.fields["b"]?.dictionaryValue?["l"] = 6
      }
      #expect(box.items[1][2] == 5 && box.fields["b"]?["l"] == 6)
      try store.check()
      try realm.write {
        box.items.remove(at: 1)
        box.fields["b"] = 7
      }
      #expect(box.items.map(\.self) == [1, "a"] && box.fields["b"] == 7)
      #expect(try isInRow() && store.count(.collections) == 0)
    }
  }

  // MARK: Text

  @Test func textRoundTripGivesEqualStore() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("first.varve", [Tray.self, Pebble.self, MixedBox.self])
      try realm.write {
        for id in 0...TrayProperty.greatest { realm.add(Pebble(id)) }
        for (id, count) in [0, 1, 5, 12, 20, 40, 90].enumerated() {
          let tray = realm.create(Tray.self, value: ["id": id])
          for property in TrayProperty.allCases {
            property.assign((0..<count).map { ($0 * 7) % 90 }, to: tray, realm)
          }
          tray.notes["a\0b"] = id == 2 ? "zero" : nil
          let box = MixedBox(id: id)
          box.items.append(objectsIn: (0..<count).map { AnyRealmValue.int($0) })
          if id == 3 { box.items.append([1, ["k": 2]]) }
          box.fields["a"] = .string(String(repeating: "f", count: count * 10))
          realm.add(box)
        }
      }
      let first = try directory.text(realm)
      let copy = try directory.importing(first)
      #expect(try directory.text(copy) == first)
      // Elsewhere: a collection that was longer comes back later than a new one leaves the row.
      let (boxes, trays) = (copy.objects(MixedBox.self), copy.objects(Tray.self))
      try copy.write {
        for box in boxes { box.items.append(objectsIn: (0..<90).map { AnyRealmValue.int($0) }) }
        for tray in trays { tray.words.append(String(repeating: "w", count: 700)) }
      }
      #expect(try directory.text(copy) != first)
      try copy.write {
        for box in boxes { box.items.removeLast(90) }
        for tray in trays { tray.words.removeLast() }
      }
      #expect(try directory.text(copy) == first)
    }
  }
}

import Testing
import Varve
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// The choice of the place of changed collections: in the row, or outside it.
@Suite struct CollectionPlaceTests {
  private func withTray(_ body: (Realm, Tray, TemporaryRealm) throws -> Void) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let (realm, tray) = try store.openWithTray()
    try body(realm, tray, store)
  }

  /// A number of elements with more bytes than those at which a collection comes back, and no more
  /// than those at which it leaves.
  private func middleCount(_ property: TrayProperty) -> Int {
    let count = (1...).first { property.byteCount($0) > 200 } ?? 0
    #expect(property.byteCount(count) <= 256)
    return count
  }

  @Test(arguments: TrayProperty.allCases)
  func sizeDuringWriteDoesNotMatter(property: TrayProperty) throws {
    try withTray { realm, tray, store in
      let middle = Array(0..<middleCount(property))
      try realm.write { property.assign(middle, to: tray, realm) }
      #expect(try store.isInRow(property))
      try realm.write {
        property.assign(Array(0..<700 / property.elementBytes), to: tray, realm)
        property.assign(middle.reversed(), to: tray, realm)
      }
      #expect(property.content(of: tray) == property.content(middle.reversed()))
      #expect(try store.isInRow(property))
      try store.check()
    }
  }

  @Test func elementThatCannotBeInRowDuringWriteDoesNotMatter() throws {
    try withTray { realm, tray, store in
      let (words, notes) = (middleCount(.words), middleCount(.notes))
      try realm.write {
        TrayProperty.words.assign(Array(0..<words), to: tray, realm)
        TrayProperty.notes.assign(Array(0..<notes), to: tray, realm)
      }
      try realm.write {
        tray.words[3] = String(repeating: "b", count: 600)
        tray.notes["k003"] = String(repeating: "b", count: 600)
        tray.words[3] = "text 003"
        tray.notes["k003"] = "text 003"
      }
      #expect(TrayProperty.words.content(of: tray) == TrayProperty.words.content(Array(0..<words)))
      #expect(TrayProperty.notes.content(of: tray) == TrayProperty.notes.content(Array(0..<notes)))
      #expect(try store.isInRow(.words) && store.isInRow(.notes))
      try store.check()
    }
  }

  /// All are small enough, but not together.
  @Test func placesInLongRowDoNotDependOnOrderOfChanges() throws {
    var places: Set<[Int]> = []
    var random = SeededRandom(seed: 25)
    for _ in 0..<8 {
      try withTray { realm, tray, store in
        try realm.write {
          tray.title = String(repeating: "t", count: 500)
          for property in TrayProperty.allCases.shuffled(using: &random) {
            property.assign(Array(0..<2), to: tray, realm)
          }
        }
        try realm.write {
          for property in TrayProperty.allCases.shuffled(using: &random) {
            property.assign(Array(0..<10), to: tray, realm)
          }
        }
        for property in TrayProperty.allCases {
          #expect(property.content(of: tray) == property.content(Array(0..<10)), "\(property)")
        }
        try store.check()
        places.insert([try store.count(.lists), try store.count(.dictionaries)])
      }
    }
    #expect(places.count == 1 && places.first != [0, 0], "\(places)")
  }

  /// The list leaves the row in the same write, so the dictionary has room.
  @Test func collectionThatLeavesMakesRoomForOthers() throws {
    try withTray { realm, tray, store in
      try realm.write {
        tray.title = String(repeating: "t", count: 500)
        TrayProperty.words.assign(Array(0..<20), to: tray, realm)
        TrayProperty.notes.assign(Array(0..<9), to: tray, realm)
      }
      #expect(try store.isInRow(.words) && store.isInRow(.notes))
      try realm.write {
        TrayProperty.notes.assign(Array(0..<14), to: tray, realm)
        tray.words.append(objectsIn: (20..<80).map { "text 0\($0)" })
      }
      #expect(try !store.isInRow(.words) && store.isInRow(.notes))
      #expect(tray.words.count == 80 && tray.notes.count == 14)
      try store.check()
    }
  }

  @Test func newObjectWithLongStringsKeepsItsRowShort() throws {
    try withTray { realm, _, store in
      let (words, notes) = (middleCount(.words), middleCount(.notes))
      try realm.write {
        let added = Tray(2)
        added.title = String(repeating: "t", count: 500)
        TrayProperty.words.assign(Array(0..<words), to: added, realm)
        TrayProperty.numbers.assign(Array(0..<30), to: added, realm)
        TrayProperty.notes.assign(Array(0..<notes), to: added, realm)
        realm.add(added)
      }
      let added = try #require(realm.object(ofType: Tray.self, forPrimaryKey: 2))
      #expect(TrayProperty.words.content(of: added) == TrayProperty.words.content(Array(0..<words)))
      #expect(TrayProperty.notes.content(of: added) == TrayProperty.notes.content(Array(0..<notes)))
      #expect(Array(added.numbers) == Array(0..<30))
      #expect(try store.rowBytes(ofTray: 2) <= 1000)
      try store.check()
    }
  }

  @Test func emptiedSetHasNoID() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let object = Marked(value: ["marks": [1, 2]])
    try realm.write { realm.add(object) }
    let old = object.freeze()
    try realm.write { object.marks.removeAll() }
    #expect(object.marks.isEmpty && Array(old.marks) == [1, 2])
    #expect(try store.slot(of: object, "marks") == .none)
    try realm.write { object.marks.insert(3) }
    #expect(Array(object.marks) == [3] && Array(old.marks) == [1, 2])
    #expect(try store.slot(of: object, "marks") != .none)
    try store.check()
  }

  /// A slot in the row, which no writer stores for a set.
  @Test func damagedSetIsNotChanged() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let object = Marked(value: ["numbers": [1, 2, 3]])
    try realm.write { realm.add(object) }
    let schema = try #require(store.configuration.store().schema.schema(named: "Marked"))
    let marks = try store.field(of: schema, "marks")
    let id = object.handle.id
    try store.edit { transaction in
      let buffer = RowBuffer(layout: schema.currentLayout)
      let row = try #require(transaction.find(schema.table, id: id))
      try buffer.load(from: try schema.reader(for: row))
      let elements = [1, 2, 3].flatMap { littleEndian(UInt64($0), 8) }
      elements.withUnsafeBytes { buffer.setElements($0, count: 3, marks) }
      try transaction.put(schema.table, id: id, buffer.finish(classID: schema.id, objectID: id))
    }
    try realm.refresh()
    expectError(.corrupted) { try realm.write { object.marks.insert(5) } }
    #expect(try store.count(.sets) == 0)
    #expect(Array(object.numbers) == [1, 2, 3])
    try Realm.close(store.configuration)
  }

  /// So few rows are buffered that dictionaries leave rows that cannot be.
  @Test(arguments: TrayProperty.allCases)
  func fewBufferedRowsKeepContent(property: TrayProperty) throws {
    try withTray { realm, _, store in
      let ids = 10..<60
      try realm.write {
        for id in ids { realm.add(Tray(id)) }
      }
      let trays = ids.compactMap { realm.object(ofType: Tray.self, forPrimaryKey: $0) }
      let core = try store.configuration.store()
      let numbers = Array(0..<middleCount(property))
      let inside = try realm.write {
        let transaction = try #require(core.runningTransaction(for: nil))
        transaction.rows.maximum = 7
        for tray in trays { property.assign([1], to: tray, realm) }
        for tray in trays { property.assign(numbers, to: tray, realm) }
        return trays.map { property.content(of: $0) }
      }
      for (id, (tray, content)) in zip(ids, zip(trays, inside)) {
        #expect(content == property.content(numbers), "\(id)")
        #expect(property.content(of: tray) == property.content(numbers), "\(id)")
      }
      #expect(try store.isInRow(property))
      try store.check()
    }
  }
}

@Model final class Marked: Object {
  @Persisted var marks: MutableSet<Int>
  @Persisted var numbers: List<Int>
}

extension TemporaryRealm {
  fileprivate func field(of schema: ClassSchema, _ name: String) throws -> RowField {
    let property = try #require(schema.property(named: name))
    return try #require(schema.currentLayout.field(forProperty: property.id))
  }

  fileprivate func slot(of object: Marked, _ name: String) throws -> CollectionSlot {
    let core = try configuration.store()
    let schema = try #require(core.schema.schema(named: "Marked"))
    let snapshot = try core.newestSnapshot()
    let bytes = try #require(snapshot.find(schema.table, id: object.handle.id))
    return try schema.reader(for: bytes).collectionContent(field(of: schema, name)).slot
  }

  fileprivate func rowBytes(ofTray id: Int) throws -> Int {
    let core = try configuration.store()
    let schema = try #require(core.schema.schema(named: "Tray"))
    let snapshot = try core.newestSnapshot()
    let objectID = ObjectKey.objectID(forInteger: Int64(id))
    return try #require(snapshot.find(schema.table, id: objectID)).count
  }
}

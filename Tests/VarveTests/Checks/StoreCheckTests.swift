import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// Every kind of damage made below the library is found and classified.
@Suite struct StoreCheckTests {
  /// The unnamed table contains the root record and tables.
  @Test func recordOfAnotherProgramIsFound() throws {
    try withStore { store in
      try store.edit { transaction in
        try transaction.put(StoredEntry(key: Array("foreign".utf8), value: [1]), .main)
      }
      let problems = try store.report().problems
      #expect(problems.map(\.kind) == [.foreignRecord])
      #expect(problems.first?.detail == "the record \"foreign\" of another program")
    }
  }

  /// A store with rows, indexes, links, lists and maps in rows and outside them, and blobs.
  private func withStore(_ body: (TemporaryRealm) throws -> Void) throws {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try realm.write {
      let node = Node(value: ["key": "a", "name": "x", "texts": ["t"]])
      node.data = Data(repeating: 1, count: 2_000)
      node.next = node
      node.nodes.append(objectsIn: [node, node])
      node.byName["me"] = .some(node)
      node.words["w"] = String(repeating: "w", count: 600)
      node.leaves.append(Leaf(value: ["id": 1]))
      // Too long for the row.
      node.numbers.append(objectsIn: (0..<100).map(Int?.some))
      realm.add(node)
      let bag = Bag(1, coins: [Coin(1)])
      bag.strings.insert(String(repeating: "s", count: 600))
      realm.add(bag)
    }
    #expect(try store.report().isSound)
    #expect(try store.count(.lists) == 1 && store.count(.dictionaries) == 1)
    try body(store)
    try Realm.close(store.configuration)
    store.remove()
  }

  private func change(
    _ store: TemporaryRealm, _ body: (WriteTransaction) throws -> Void
  ) throws {
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    do {
      try body(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    _ = try transaction.commit()
  }

  /// The problems that a check finds after removal of the entry at an index of a table.
  private func kindsWithout(_ table: Table, at index: Int = 0) throws -> Set<String> {
    var kinds: Set<String> = []
    try withStore { store in
      try change(store) { transaction in
        var cursor = transaction.cursor(table)
        _ = cursor.seekFirst()
        for _ in 0..<index { _ = cursor.next() }
        if table.hasIntegerKeys {
          _ = try transaction.delete(table, id: cursor.id)
        } else {
          let key = Array(cursor.key)
          _ = try key.withUnsafeBytes { try transaction.delete(table, key: $0) }
        }
      }
      kinds = Set(try store.report().problems.map(\.kind.rawValue))
    }
    return kinds
  }

  /// The problems that a check finds after insertion of an entry into a table.
  private func kindsWith(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws -> Set<String> {
    var kinds: Set<String> = []
    try withStore { store in
      try change(store) { transaction in
        try key.withUnsafeBytes { key in
          try value.withUnsafeBytes { try transaction.put(table, key: key, $0) }
        }
      }
      kinds = Set(try store.report().problems.map(\.kind.rawValue))
    }
    return kinds
  }

  @Test func missingEntriesAreFound() throws {
    #expect(try kindsWithout(.indexes) == ["missingIndexEntry"])
    #expect(try kindsWithout(.backlinks) == ["missingBacklink"])
    #expect(try kindsWithout(.blobs) == ["damagedBlob"])
    #expect(try kindsWithout(.dictionaries).contains("wrongCount"))
    #expect(try kindsWithout(.sets) == ["wrongCount"])
    #expect(try kindsWithout(.sets, at: 1) == ["wrongCount", "strayBacklink"])
    #expect(try kindsWithout(.lists).contains("wrongCount"))
    #expect(try kindsWithout(.catalog).isSuperset(of: ["strayRow", "strayIndexEntry"]))
  }

  @Test func classWithoutTableIsFound() throws {
    try withStore { store in
      var record = StoredClass(id: 5_000, name: "Unknown", isEmbedded: false, nextPropertyID: 1)
      try record.addLayout()
      try change(store) { transaction in
        transaction.root.nextClassID = 5_001
        var key = OrderedKey()
        CatalogKey.classRecord(id: record.id).encode(into: &key)
        var value = ByteBuffer()
        CatalogCodec.encode(record, into: &value)
        try key.withUnsafeBytes { key in
          try value.withUnsafeBytes { try transaction.put(.catalog, key: key, $0) }
        }
      }
      let problems = try store.report().problems
      #expect(problems.contains { $0.place == "Unknown" && $0.detail.contains("table") })
    }
  }

  @Test func missingRowIsFoundByItsTraces() throws {
    let kinds = try kindsWithout(.objects(ofClass: 2))
    #expect(kinds.isSuperset(of: ["danglingLink", "strayIndexEntry"]))
    #expect(
      try kindsWithout(.objects(ofClass: 1)).isSuperset(
        of: ["strayIndexEntry", "strayListNode", "strayEntry", "strayBlob"]))
  }

  @Test func strayEntriesAreFound() throws {
    #expect(try kindsWith(.indexes, [0, 0, 0, 99, 1], []) == ["strayIndexEntry"])
    #expect(try kindsWith(.blobs, [0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 0, 0], [1]) == ["strayBlob"])
    #expect(
      try kindsWith(.lists, [UInt8](repeating: 9, count: 16), [1, 2, 3]) == ["strayListNode"])
    #expect(try kindsWith(.dictionaries, [UInt8](repeating: 9, count: 10), [0]) == ["strayEntry"])
    #expect(try kindsWith(.sets, [UInt8](repeating: 9, count: 10), [0]) == ["strayEntry"])
    #expect(
      try kindsWith(.collections, [UInt8](repeating: 9, count: 8), [0]) == ["damagedCollection"])
    #expect(
      try kindsWith(.backlinks, [UInt8](repeating: 9, count: 36), [1, 0, 0, 0])
        == ["strayBacklink"])
  }

  @Test func invalidSetElementsAreFound() throws {
    for element in [[8], [5], [0x48] + [UInt8](repeating: 1, count: 16), [5, 1, 2, 3]] {
      try withStore { store in
        try change(store) { transaction in
          let first = try #require(transaction.entries(.sets).first)
          try transaction.put(StoredEntry(key: first.key, element: element), .sets)
        }
        #expect(try store.report().problems.map(\.kind.rawValue) == ["damagedEntry"])
        let realm = try store.open()
        let bag = try #require(realm.objects(Bag.self).first)
        // Reading an unreadable element does not trap and is reported.
        _ = (Array(bag.strings), bag.strings[0], bag.strings.first)
        if element != [8] { expectError(.corrupted) { try realm.write {} } }
      }
    }
  }

  @Test func changedBytesOfARowAreFound() throws {
    try withStore { store in
      try change(store) { transaction in
        var cursor = transaction.cursor(.objects(ofClass: 2))
        _ = cursor.seekFirst()
        let id = cursor.id
        var row = Array(cursor.value)
        row[row.count - 1] ^= 1
        try row.withUnsafeBytes { try transaction.put(.objects(ofClass: 2), id: id, $0) }
      }
      #expect(try store.report().problems.contains { $0.kind == .badChecksum })
      try change(store) { transaction in
        var cursor = transaction.cursor(.objects(ofClass: 2))
        _ = cursor.seekFirst()
        let id = cursor.id
        try [UInt8](repeating: 0xFF, count: 5).withUnsafeBytes {
          try transaction.put(.objects(ofClass: 2), id: id, $0)
        }
      }
      #expect(try store.report().problems.contains { $0.kind == .damagedRow })
    }
  }

  @Test func randomDamageNeverTraps() throws {
    var random = SeededRandom()
    let comment: Comment = "\(random)"
    for _ in 0..<30 {
      try withStore { store in
        let table = random.element(Table.fixed + [.objects(ofClass: 1)]) ?? .catalog
        try change(store) { transaction in
          var cursor = transaction.cursor(table)
          guard cursor.seekFirst() else { return }
          for _ in 0..<random.below(3) where !cursor.next() { _ = cursor.seekFirst() }
          var value = Array(cursor.value)
          for _ in 0..<1 + random.below(4) where !value.isEmpty {
            value[random.below(value.count)] = UInt8(random.below(256))
          }
          if random.chance(30) { value.removeLast(random.below(value.count)) }
          if table.hasIntegerKeys {
            let id = cursor.id
            try value.withUnsafeBytes { try transaction.put(table, id: id, $0) }
          } else {
            let key = Array(cursor.key)
            try key.withUnsafeBytes { key in
              try value.withUnsafeBytes { try transaction.put(table, key: key, $0) }
            }
          }
        }
        let report = try StoreCheck.run(try store.configuration.store().environment.snapshot())
        #expect(report.problemCount >= report.problems.count, comment)
      }
    }
  }
}

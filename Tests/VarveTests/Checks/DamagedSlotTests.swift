import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// Slots of collections in rows with damage that a valid checksum hides.
@Suite struct DamagedSlotTests {
  /// The four numbers of a slot in a row.
  private struct Slot {
    var offset: UInt32
    /// The length, with the flag of a collection in the row.
    var length: UInt32
    var revision: UInt32
    var count: UInt32

    static let flag: UInt32 = 1 << 31

    init(_ bytes: ArraySlice<UInt8>) {
      let words = (0..<4).map { word in
        bytes.dropFirst(4 * word).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      (offset, length, revision, count) = (words[0], words[1], words[2], words[3])
    }

    var bytes: [UInt8] {
      [offset, length, revision, count].flatMap { littleEndian(UInt64($0), 4) }
    }
  }

  /// A damage, and the length of the row in which it happens.
  private typealias Damage = @Sendable (inout Slot, UInt32) -> Void

  /// Damages that only a check finds, as for strings: bytes of another property in the same row.
  private static let found = ["offset in the fixed part", "offset one greater"]

  private static let damages: [(name: String, damage: Damage)] = [
    ("no offset", { slot, _ in slot.offset = 0 }),
    (found[0], { slot, _ in slot.offset = 12 }),
    (found[1], { slot, _ in slot.offset += 1 }),
    ("offset past the end", { slot, row in slot.offset = row - (slot.length & ~Slot.flag) + 1 }),
    ("offset at the end", { slot, row in slot.offset = row }),
    ("greatest offset", { slot, _ in slot.offset = .max }),
    ("no length", { slot, _ in slot.length = Slot.flag }),
    ("shorter", { slot, _ in slot.length -= 1 }),
    ("longer", { slot, _ in slot.length += 1 }),
    ("greatest length", { slot, _ in slot.length = .max }),
    ("no count", { slot, _ in slot.count = 0 }),
    ("lesser count", { slot, _ in slot.count -= 1 }),
    ("greater count", { slot, _ in slot.count += 1 }),
    ("greatest count", { slot, _ in slot.count = .max }),
    ("revision", { slot, _ in slot.revision = 1 }),
    ("no flag", { slot, _ in slot.length &= ~Slot.flag }),
  ]

  private static let properties = ["texts", "numbers", "leaves", "words", "byName"]

  private func makeStore() throws -> TemporaryRealm {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try realm.write {
      let node = Node(value: ["key": "a", "name": "hidden", "texts": ["one", "two"]])
      node.numbers.append(objectsIn: [7, nil, 9])
      node.leaves.append(objectsIn: [Leaf(value: ["id": 1]), Leaf(value: ["id": 2])])
      node.words["k"] = "v"
      node.words["l"] = "w"
      node.byName["me"] = .some(node)
      node.byName["none"] = .some(nil)
      realm.add(node)
    }
    #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
    #expect(try store.report().isSound)
    return store
  }

  /// Damages the slot of a property in the row of the only node, with a valid checksum.
  ///
  /// - Parameter elements: Bytes to append to the row before.
  private func damage(
    _ store: TemporaryRealm, _ name: String, appending elements: [UInt8] = [], _ damage: Damage
  ) throws {
    let schema = try #require(store.configuration.store().schema.schema(named: "Node"))
    let property = try #require(schema.properties.first { $0.name == name })
    let field = try #require(schema.currentLayout.field(forProperty: property.id))
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    do {
      var cursor = transaction.cursor(schema.table)
      let isPresent = cursor.seekFirst()
      try #require(isPresent)
      let id = cursor.id
      var row = Array(cursor.value) + elements
      row.replaceSubrange(4..<8, with: littleEndian(UInt64(row.count), 4))
      let range = field.offset..<field.offset + 16
      var slot = Slot(row[range])
      try #require(slot.length & Slot.flag != 0, "\(name) is not in the row")
      damage(&slot, UInt32(row.count))
      row.replaceSubrange(range, with: slot.bytes)
      let key = littleEndian(UInt64(schema.id), 8) + littleEndian(id, 8)
      row.replaceSubrange(0..<4, with: littleEndian(plainCRC32C(key + row.dropFirst(4)), 4))
      try row.withUnsafeBytes { try transaction.put(schema.table, id: id, $0) }
    } catch {
      transaction.abort()
      throw error
    }
    _ = try transaction.commit()
  }

  @Test(arguments: properties)
  func damagedSlotIsFound(property: String) throws {
    for (name, damage) in Self.damages {
      let store = try makeStore()
      try self.damage(store, property, damage)
      let report = try store.report()
      let kinds = Set(report.problems.map(\.kind.rawValue))
      // The checksum is valid.
      #expect(!report.isSound && !kinds.contains("badChecksum"), "\(name): \(report)")
      let expected: Set = [
        "damagedRow", "damagedCollection", "damagedEntry", "damagedList", "unknownID", "wrongCount",
      ]
      #expect(!kinds.isDisjoint(with: expected), "\(name): \(report)")
      try Realm.close(store.configuration)
      store.remove()
    }
  }

  @Test(arguments: properties)
  func readsOfDamagedSlotReturnNothingForeign(property: String) throws {
    for (name, damage) in Self.damages where !Self.found.contains(name) {
      let store = try makeStore()
      try self.damage(store, property, damage)
      let realm = try store.open()
      try realm.refresh()
      let node = try #require(realm.object(ofType: Node.self, forPrimaryKey: "a"))
      let comment: Comment = "\(property), \(name)"
      expectOwnContent(node, except: property, comment)
      expectOwnContent(node.freeze(), except: property, comment)
      // A write fails, or is rolled back.
      _ = errorCode {
        try realm.write {
          node.texts.append("three")
          node.words["m"] = "x"
          node.texts.removeLast()
          node.words["m"] = nil
          throw Cancelled()
        }
      }
      try Realm.close(store.configuration)
      store.remove()
    }
  }

  /// Changes of a collection: one, which is made in the row if possible, and several.
  private static let changes: [(String, @Sendable (Node, String) -> Void)] = [
    (
      "one change",
      { node, property in
        switch property {
        case "texts": node.texts.removeLast()
        case "numbers": node.numbers.removeLast()
        case "leaves": node.leaves.removeLast()
        case "words": node.words["l"] = nil
        default: node.byName["none"] = nil
        }
      }
    ),
    (
      "several changes",
      { node, property in
        switch property {
        case "texts": node.texts.append(objectsIn: (0..<20).map { "text \($0)" })
        case "numbers": node.numbers.insert(contentsOf: [1, nil, 3], at: 0)
        case "leaves": node.leaves.append(objectsIn: (5..<9).map { Leaf(value: ["id": $0]) })
        case "words": for number in 0..<20 { node.words["k\(number)"] = "word" }
        default: for number in 0..<60 { node.byName["n\(number)"] = .some(node) }
        }
      }
    ),
  ]

  /// The write is committed, or fails as it would with any damage.
  @Test(arguments: properties)
  func writesToDamagedSlotAreCommittedOrFail(property: String) throws {
    for (change, body) in Self.changes {
      for (name, damage) in Self.damages {
        let store = try makeStore()
        try self.damage(store, property, damage)
        let realm = try store.open()
        let node = try #require(realm.object(ofType: Node.self, forPrimaryKey: "a"))
        let code = errorCode { try realm.write { body(node, property) } }
        #expect(code == nil || code == .corrupted, "\(property), \(name), \(change)")
        try Realm.close(store.configuration)
        store.remove()
      }
    }
  }

  /// Lists whose ends have one byte, and of which most elements have none.
  private static let emptyElements: [(count: Int, ends: [Int])] = [
    (1000, [248]), (1000, [1]), (256, [255]), (250, [248, 249]), (400, [200, 248]),
  ]

  @Test(arguments: 0..<emptyElements.count)
  func elementsWithoutBytesAreNoTrap(_ number: Int) throws {
    let (count, ends) = Self.emptyElements[number]
    var table = [UInt8](repeating: UInt8(ends[0]), count: count)
    let dataBytes = count == 1000 ? 250 : ends.last ?? 0
    table[count - 1] = UInt8(dataBytes)
    let elements = table + [UInt8](repeating: 2, count: dataBytes)
    let changes: [@Sendable (Node) -> Void] = [
      { $0.texts.removeLast() }, { $0.texts.append("three") }, { $0.texts.remove(at: 0) },
      { $0.texts.append(objectsIn: (0..<300).map { "text \($0)" }) }, { $0.texts[0] = "one" },
    ]
    for (index, change) in changes.enumerated() {
      let store = try makeStore()
      let length = UInt32(elements.count)
      try damage(store, "texts", appending: elements) { slot, row in
        slot.offset = row - length
        slot.length = Slot.flag | length
        slot.count = UInt32(count)
      }
      let realm = try store.open()
      let node = try #require(realm.object(ofType: Node.self, forPrimaryKey: "a"))
      let code = errorCode { try realm.write { change(node) } }
      // More elements than bytes are damage, which the first change notices.
      let isRefused = count > dataBytes && index == 0
      #expect(code == .corrupted || code == nil && !isRefused, "\(number), change \(index)")
      try Realm.close(store.configuration)
      store.remove()
    }
  }

  /// Reads all collections. The damaged one may lack elements or give default values, no others.
  private func expectOwnContent(_ node: Node, except property: String, _ comment: Comment) {
    func expect<E: Hashable>(_ name: String, _ found: [E], _ content: [E], _ none: E) {
      if name == property {
        #expect(Set(found).isSubset(of: content + [none]), comment)
        #expect(found.count <= content.count, comment)
      } else {
        #expect(found == content, comment)
      }
    }
    expect("texts", Array(node.texts), ["one", "two"], "")
    expect("numbers", Array(node.numbers), [7, nil, 9], nil)
    expect("leaves", node.leaves.map(\.id), [1, 2], 0)
    expect("words", node.words.keys, ["k", "l"], "")
    expect("words", node.words.values, ["v", "w"], "")
    expect("byName", node.byName.keys, ["me", "none"], "")
    expect("byName", node.byName.values.map { $0?.key }, ["a", nil], nil)
    expect("words", [node.words["k"], node.words["z"]], ["v", nil], nil)
    _ = (node.texts.first, node.texts.last, node.numbers.last, node.leaves.first)
    _ = (node.texts.count, node.words.count, node.byName["me"], node.texts.contains("three"))
    #expect(node.name == "hidden", comment)
  }
}

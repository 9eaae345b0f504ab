import Testing
import VarveStorage
import VarveTestSupport

/// Appending under byte keys, as for the entries of new collections.
@Suite struct KeyAppendTests {
  /// Two collections grow alternately in one table while a third grows in another, with removals,
  /// changes and nested transactions in between, and some aborted writes.
  @Test func appendedEntriesAreInKeyOrder() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      var model: [Entry: [UInt8]] = [:]
      for _ in 0..<40 {
        let kept = model
        let transaction = try environment.beginWrite(timeout: .seconds(30))
        for _ in 0..<40 { try change(transaction, &model, &random) }
        if random.chance(25) {
          transaction.abort()
          model = kept
        } else {
          _ = try transaction.commit()
        }
        try compare(try environment.snapshot(), model)
      }
    }
  }

  @Test func onlyKeyAfterAllOthersIsAppended() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        #expect(try transaction.tryAppend(Entry(.dictionaries, 2, 1), [1]))
        // A collection with a lower id.
        #expect(try !transaction.tryAppend(Entry(.dictionaries, 1, 9), [2]))
        #expect(try !transaction.tryAppend(Entry(.dictionaries, 2, 1), [3]))
        #expect(try transaction.tryAppend(Entry(.dictionaries, 2, 2), [4]))
        _ = try Entry(.dictionaries, 2, 2).key.withUnsafeBytes {
          try transaction.delete(.dictionaries, key: $0)
        }
        #expect(try transaction.tryAppend(Entry(.dictionaries, 2, 2), [5]))
        // Another table has a separate cursor.
        #expect(try transaction.tryAppend(Entry(.sets, 1, 1), [6]))
        #expect(try transaction.tryAppend(Entry(.dictionaries, 2, 3), [7]))
      }
      try compare(
        snapshot,
        [
          Entry(.dictionaries, 2, 1): [1], Entry(.dictionaries, 2, 2): [5],
          Entry(.dictionaries, 2, 3): [7], Entry(.sets, 1, 1): [6],
        ])
    }
  }

  @Test func unchangedTableReadsAsBefore() throws {
    try withStore { environment, _ in
      try environment.write { try $0.put(.sets, key: Entry(.sets, 1, 1).key, [1]) }
      try environment.write { transaction in
        #expect(!transaction.hasChanged(.sets))
        #expect(transaction.bytes(.sets, key: Entry(.sets, 1, 1).key) == [1])
        try transaction.beginNested()
        #expect(try transaction.tryAppend(Entry(.sets, 1, 2), [2]))
        #expect(transaction.hasChanged(.sets))
        #expect(transaction.count(.sets) == 2)
        try transaction.abortNested()
        #expect(transaction.count(.sets) == 1)
        #expect(transaction.bytes(.sets, key: Entry(.sets, 1, 2).key) == nil)
        #expect(try transaction.tryAppend(Entry(.sets, 1, 2), [3]))
        #expect(transaction.bytes(.sets, key: Entry(.sets, 1, 2).key) == [3])
      }
    }
  }

  private func change(
    _ transaction: WriteTransaction, _ model: inout [Entry: [UInt8]], _ random: inout SeededRandom
  ) throws {
    switch random.below(12) {
    case ..<6:
      for _ in 0...random.below(30) {
        let table: Table = random.chance(30) ? .sets : .dictionaries
        try append(transaction, table, UInt8(1 + random.below(2)), &model, &random)
      }
    case 6, 7:
      for entry in model.keys.sorted().suffix(random.below(30)) {
        _ = try entry.key.withUnsafeBytes { try transaction.delete(entry.table, key: $0) }
        model[entry] = nil
      }
    case 8:
      guard let entry = random.element(model.keys.sorted()) else { return }
      model[entry] = random.bytes(random.below(300))
      try transaction.put(entry.table, key: entry.key, model[entry] ?? [])
    case 9:
      let entry = Entry(.dictionaries, 2, 60_000)
      try entry.key.withUnsafeBytes { key in
        try [UInt8(9)].withUnsafeBytes {
          try transaction.put(entry.table, key: key, $0, append: true)
        }
      }
      model[entry] = [9]
    case 10:
      let kept = model
      try transaction.beginNested()
      try append(transaction, .dictionaries, 2, &model, &random)
      if random.chance(50) {
        try transaction.commitNested()
      } else {
        try transaction.abortNested()
        model = kept
      }
    default:
      guard random.chance(10) else { return }
      try transaction.deleteAll(.dictionaries)
      model = model.filter { $0.key.table != .dictionaries }
    }
  }

  /// Appends to a collection, or inserts when appending is not possible.
  private func append(
    _ transaction: WriteTransaction, _ table: Table, _ collection: UInt8,
    _ model: inout [Entry: [UInt8]], _ random: inout SeededRandom
  ) throws {
    let of = model.keys.filter { $0.table == table && $0.collection == collection }
    let entry = Entry(table, collection, (of.map(\.number).max() ?? 0) + 1)
    let bytes = random.bytes(random.below(200))
    let isLast = !model.keys.contains { $0.table == table && $0 > entry }
    #expect(try transaction.tryAppend(entry, bytes) == isLast)
    if !isLast { try transaction.put(table, key: entry.key, bytes) }
    model[entry] = bytes
  }

  private func compare(_ snapshot: Snapshot, _ model: [Entry: [UInt8]]) throws {
    for table in [Table.dictionaries, .sets] {
      var cursor = snapshot.cursor(table)
      var found: [[UInt8]] = []
      while cursor.next() { found.append(Array(cursor.key)) }
      let wanted = model.keys.filter { $0.table == table }.sorted().map(\.key)
      #expect(found == wanted)
    }
    for (entry, bytes) in model where snapshot.bytes(entry.table, key: entry.key) != bytes {
      Issue.record("\(entry) differs.")
    }
  }
}

/// The components of the key of a collection entry.
private struct Entry: Hashable, Comparable {
  let table: Table
  let collection: UInt8
  let number: UInt32

  init(_ table: Table, _ collection: UInt8, _ number: UInt32) {
    self.table = table
    self.collection = collection
    self.number = number
  }

  var key: [UInt8] {
    [collection] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  static func < (a: Entry, b: Entry) -> Bool {
    (a.table.index, a.collection, a.number) < (b.table.index, b.collection, b.number)
  }
}

extension WriteTransaction {
  fileprivate func tryAppend(_ entry: Entry, _ bytes: [UInt8]) throws -> Bool {
    try entry.key.withUnsafeBytes { key in
      try bytes.withUnsafeBytes { try tryAppend(entry.table, key: key, $0) }
    }
  }
}

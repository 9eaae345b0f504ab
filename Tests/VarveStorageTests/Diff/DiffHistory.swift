import Testing
import VarveStorage
import VarveTestSupport

/// Versions of a store made by random writes, each with a model of its contents.
struct DiffHistory {
  typealias Model = [Table: [[UInt8]: [UInt8]]]

  /// One version, pinned.
  struct Entry {
    let snapshot: Snapshot
    let model: Model
    /// The keys written since the previous version of the history.
    var written: [Table: Set<[UInt8]>]
  }

  static let birds = Table.objects(ofClass: 3)
  static let tables: [Table] = [dogs, cats, birds, .indexes, .lists]

  private(set) var entries: [Entry] = []
  private(set) var stepCount = 0
  var random = SeededRandom()
  private var model: Model = [:]
  private var written: [Table: Set<[UInt8]>] = [:]
  private var nextCat: UInt64 = 0

  init(_ environment: Environment) throws {
    entries = [Entry(snapshot: try environment.snapshot(), model: [:], written: [:])]
  }

  /// Makes random writes, and records the resulting version.
  mutating func advance(_ environment: Environment) throws {
    let before = (model, written, nextCat)
    let transaction = try environment.beginWrite(timeout: .seconds(30))
    do {
      for _ in 0..<chance(1...3) { try step(transaction) }
      if chance(1...6) == 1 {
        let outer = (model, written, nextCat)
        try transaction.beginNested()
        for _ in 0..<chance(1...3) { try step(transaction, isNested: true) }
        if Bool.random(using: &random) {
          try transaction.commitNested()
        } else {
          try transaction.abortNested()
          (model, written, nextCat) = outer
        }
      }
    } catch {
      transaction.abort()
      throw error
    }
    if chance(1...12) == 1 {
      transaction.abort()
      (model, written, nextCat) = before
      return
    }
    entries.append(
      Entry(snapshot: try transaction.commit(), model: model, written: written))
    written = [:]
  }

  /// Releases a version other than the newest: its pages will be reused.
  mutating func forget() {
    let index = Int.random(in: 0..<(entries.count - 1), using: &random)
    let gone = entries.remove(at: index)
    guard index > 0 else {
      entries[0].written = [:]
      return
    }
    entries[index].written.merge(gone.written) { $0.union($1) }
  }

  /// The keys that may differ between two versions.
  func written(_ table: Table, _ first: Int, _ second: Int) -> Set<[UInt8]> {
    entries[(min(first, second) + 1)..<(max(first, second) + 1)].reduce(into: []) {
      $0.formUnion($1.written[table] ?? [])
    }
  }

  mutating func chance(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}

/// The writes.
extension DiffHistory {
  mutating func randomKey(_ table: Table) -> [UInt8] {
    switch table {
    case cats:
      return bytes(UInt64.random(in: 0...nextCat, using: &random))
    case .indexes:
      // Few letters, so that keys share prefixes.
      return (0..<chance(1...10)).map { _ in [0, 127, 255][chance(0...2)] }
    case .lists:
      // Long keys make a deep tree with few entries.
      let list: UInt8 = [0, 1, 254, 255][chance(0...3)]
      let tail = [UInt8](repeating: list, count: chance(1...3) == 1 ? chance(200...490) : 0)
      return [255, list, UInt8(chance(0...90))] + tail
    default:
      return bytes(
        chance(1...20) == 1 ? random.next() : UInt64.random(in: 0..<1500, using: &random))
    }
  }

  private func bytes(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id) { Array($0) } }

  private mutating func randomValue() -> [UInt8] {
    let size =
      switch chance(1...100) {
      case 1...70: chance(0...60)
      case 71...92: chance(0...900)
      case 93...96: chance(1900...2100)
      default: chance(2000...20_000)
      }
    return [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: size)
  }

  private mutating func step(_ transaction: WriteTransaction, isNested: Bool = false) throws {
    stepCount += 1
    let table = Self.tables[chance(0...4)]
    if table.hasIntegerKeys, model[table] == nil {
      // Some versions do not have all tables.
      guard !isNested, stepCount > 30, chance(1...20) == 1 else { return }
      _ = try transaction.openTable(table, create: true)
      model[table] = [:]
    }
    let count = chance(1...8) == 1 ? chance(1...250) : chance(1...6)
    switch chance(0...12) {
    case 0...2: for _ in 0..<count { try put(transaction, table, randomKey(table)) }
    case 3 where table == cats:
      for _ in 0..<(count * 2) {
        nextCat += 1
        try put(transaction, table, bytes(nextCat))
      }
    case 4, 5:
      for _ in 0..<count {
        if let key = existingKey(transaction, table) { try put(transaction, table, key) }
      }
    case 6:
      for _ in 0..<count { try rewrite(transaction, table) }
    case 7, 8:
      for _ in 0..<count {
        if let key = existingKey(transaction, table) { try delete(transaction, table, key) }
      }
    case 9, 10: try deleteRange(transaction, table, count * chance(1...4))
    case 11 where chance(1...6) == 1:
      try transaction.deleteAll(table)
      written[table, default: []].formUnion((model[table] ?? [:]).keys)
      model[table] = [:]
    default:
      // Deletes an entry and puts it back unchanged.
      guard let key = existingKey(transaction, table) else { return }
      let value = model[table]?[key] ?? []
      try delete(transaction, table, key)
      try put(transaction, table, key, value)
    }
  }

  private mutating func rewrite(_ transaction: WriteTransaction, _ table: Table) throws {
    guard let key = existingKey(transaction, table) else { return }
    var value = model[table]?[key] ?? []
    if Bool.random(using: &random), !value.isEmpty { value[value.count - 1] &+= 1 }
    try put(transaction, table, key, value)
  }

  private mutating func put(
    _ transaction: WriteTransaction, _ table: Table, _ key: [UInt8], _ wanted: [UInt8]? = nil
  ) throws {
    let value = wanted ?? randomValue()
    if table.hasIntegerKeys {
      try transaction.put(
        table, id: key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }, value)
    } else {
      try transaction.put(table, key: key, value)
    }
    model[table, default: [:]][key] = value
    written[table, default: []].insert(key)
  }

  private mutating func delete(
    _ transaction: WriteTransaction, _ table: Table, _ key: [UInt8]
  ) throws {
    try key.withUnsafeBytes { key in
      _ =
        table.hasIntegerKeys
        ? try transaction.delete(table, id: key.loadUnaligned(as: UInt64.self))
        : try transaction.delete(table, key: key)
    }
    model[table]?[key] = nil
    written[table, default: []].insert(key)
  }

  /// Deletes consecutive entries, from either end or from the middle.
  private mutating func deleteRange(
    _ transaction: WriteTransaction, _ table: Table, _ count: Int
  ) throws {
    var keys: [[UInt8]] = []
    do {
      var cursor = transaction.cursor(table)
      let start = chance(0...3)
      var isOn = start == 0 ? cursor.seekFirst() : start == 1 ? cursor.seekLast() : false
      if start > 1 { isOn = seek(&cursor, table) }
      while isOn, keys.count < count {
        keys.append(Array(cursor.key))
        isOn = start == 1 ? cursor.previous() : cursor.next()
      }
    }
    for key in keys { try delete(transaction, table, key) }
  }

  private mutating func existingKey(_ transaction: WriteTransaction, _ table: Table) -> [UInt8]? {
    var cursor = transaction.cursor(table)
    return seek(&cursor, table) || cursor.seekFirst() ? Array(cursor.key) : nil
  }

  private mutating func seek(_ cursor: inout EntryCursor, _ table: Table) -> Bool {
    randomKey(table).withUnsafeBytes {
      table.hasIntegerKeys
        ? cursor.seek(id: $0.loadUnaligned(as: UInt64.self)) : cursor.seek(key: $0)
    }
  }
}

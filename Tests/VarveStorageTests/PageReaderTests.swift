import CLMDB
import Testing
import VarveStorage
import VarveTestSupport

/// The page reader, compared with LMDB's own cursor.
@Suite struct PageReaderTests {
  @Test func integerTablesReadLikeLMDB() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      var model: [UInt64: [UInt8]] = [:]
      for round in 0..<30 {
        try environment.write { transaction in
          _ = try transaction.openTable(dogs, create: true)
          for _ in 0..<Int.random(in: 1...400, using: &random) {
            let id = UInt64.random(in: 0..<3000, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4 where round > 3:
              #expect(try transaction.delete(dogs, id: id) == (model[id] != nil))
              model[id] = nil
            case 9:
              // Larger than a page.
              let value = random.bytes(Int.random(in: 2000...20_000, using: &random))
              try transaction.put(dogs, id: id, value)
              model[id] = value
            default:
              let value = random.bytes(Int.random(in: 0...300, using: &random))
              try transaction.put(dogs, id: id, value)
              model[id] = value
            }
          }
          if round == 20 {
            try transaction.deleteAll(dogs)
            model = [:]
          }
        }
        let snapshot = try environment.snapshot()
        try compare(snapshot, dogs, "seed \(random.seed)")
        let keys = model.keys.sorted()
        #expect(snapshot.count(dogs) == keys.count, "seed \(random.seed)")
        #expect(snapshot.ids(dogs, in: 0...UInt64.max) == keys, "seed \(random.seed)")
        for key in keys { #expect(snapshot.bytes(dogs, id: key) == model[key]) }
        for _ in 0..<40 {
          let id = UInt64.random(in: 0..<3100, using: &random)
          #expect(snapshot.bytes(dogs, id: id) == model[id], "seed \(random.seed)")
          var cursor = snapshot.cursor(dogs)
          let bound = keys.first { $0 >= id }
          check(cursor.seek(id: id) == (bound != nil))
          if let bound { check(cursor.id == bound, "seed \(random.seed)") }
          let upper = id + UInt64.random(in: 0..<500, using: &random)
          #expect(
            snapshot.countRange(dogs, .ids(from: id, below: upper))
              == keys.filter { $0 >= id && $0 < upper }.count, "seed \(random.seed)")
        }
      }
    }
  }

  @Test func byteTablesReadLikeLMDB() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      var model: [[UInt8]: [UInt8]] = [:]
      // The keys of the previous version in order: the order of a dictionary changes in every run.
      var keys: [[UInt8]] = []
      for round in 0..<25 {
        try environment.write { transaction in
          for _ in 0..<Int.random(in: 1...300, using: &random) {
            // Few letters, so that keys share prefixes; long keys, so that trees become deep.
            let length = Int.random(in: 1...(round % 2 == 0 ? 12 : 511), using: &random)
            let key = (0..<length).map { _ in UInt8.random(in: 0...2, using: &random) &* 127 }
            if Int.random(in: 0..<10, using: &random) < 3,
              let victim = keys.randomElement(using: &random), model[victim] != nil
            {
              let found = try victim.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
              #expect(found)
              model[victim] = nil
            } else {
              let value = random.bytes(
                Int.random(in: 0...10, using: &random) == 0
                  ? 9000 : Int.random(in: 0...50, using: &random))
              try transaction.put(.indexes, key: key, value)
              model[key] = value
            }
          }
        }
        let snapshot = try environment.snapshot()
        try compare(snapshot, .indexes, "seed \(random.seed)")
        keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(snapshot.count(.indexes) == keys.count)
        if let start = keys.randomElement(using: &random) {
          var scan = snapshot.keyScan(.indexes)
          var isPresent = start.withUnsafeBytes { scan.seek(key: $0) }
          for key in keys where !key.lexicographicallyPrecedes(start) {
            check(isPresent)
            check(Array(scan.key) == key, "seed \(random.seed)")
            check(Array(scan.value) == model[key], "seed \(random.seed)")
            isPresent = scan.next()
          }
          check(!isPresent)
          check(scan.key.isEmpty)
          check(!scan.next())
        }
        for _ in 0..<100 {
          let length = Int.random(in: 1...8, using: &random)
          let key = (0..<length).map { _ in UInt8.random(in: 0...2, using: &random) &* 127 }
          #expect(snapshot.bytes(.indexes, key: key) == model[key], "seed \(random.seed)")
          let bound = keys.first { !$0.lexicographicallyPrecedes(key) }
          var cursor = snapshot.cursor(.indexes)
          check(key.withUnsafeBytes { cursor.seek(key: $0) } == (bound != nil))
          if let bound { check(Array(cursor.key) == bound, "seed \(random.seed)") }
          let upper = key + [127]
          let count = withKeys(from: key, below: upper) { snapshot.countRange(.indexes, $0) }
          let expected = keys.filter {
            !$0.lexicographicallyPrecedes(key) && $0.lexicographicallyPrecedes(upper)
          }
          #expect(count == expected.count, "seed \(random.seed)")
        }
        if let key = keys.randomElement(using: &random) {
          #expect(snapshot.bytes(.indexes, key: key) == model[key], "seed \(random.seed)")
        }
      }
    }
  }

  @Test func cursorsChangeDirectionAnywhere() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in 0..<2000 { try transaction.put(dogs, id: UInt64(id) * 2, random.bytes(40)) }
      }
      var cursor = snapshot.cursor(dogs)
      var position = -1
      for _ in 0..<5000 {
        if Bool.random(using: &random) {
          let hasMoved = cursor.next()
          position = min(position + 1, 2000)
          #expect(hasMoved == (position < 2000), "seed \(random.seed)")
        } else if position >= 0 {
          let hasMoved = cursor.previous()
          position -= 1
          #expect(hasMoved == (position >= 0), "seed \(random.seed)")
        }
        if position >= 0, position < 2000 {
          check(cursor.id == UInt64(position) * 2, "seed \(random.seed)")
        } else {
          check(!cursor.isOnEntry)
        }
        if Int.random(in: 0..<50, using: &random) == 0 {
          position = Int.random(in: 0..<2000, using: &random)
          check(cursor.seek(id: UInt64(position) * 2 - (position > 0 ? 1 : 0)))
        }
      }
      check(cursor.seekLast())
      check(cursor.id == 3998)
      check(!cursor.next())
      check(cursor.previous())
      check(cursor.id == 3998)
      check(cursor.seekFirst())
      check(!cursor.previous())
      check(cursor.next())
      check(cursor.id == 0)
    }
  }

  @Test func missingTableIsEmpty() throws {
    try withStore { environment, _ in
      let snapshot = try environment.snapshot()
      for table in [cats, .objects(ofClass: 100), .objects(ofClass: 4_000_000_000)] {
        #expect(snapshot.find(table, id: 1) == nil)
        #expect(snapshot.count(table) == 0)
        #expect(!snapshot.contains(table))
        #expect(snapshot.countRange(table, .ids(from: 0, below: nil)) == 0)
        var cursor = snapshot.cursor(table)
        check(!cursor.seekFirst())
        check(!cursor.next())
        var leaves = snapshot.leaves(table)
        check(!leaves.next())
      }
      #expect(snapshot.contains(.catalog))
    }
  }

  @Test func manyTablesAreFound() throws {
    try withStore { environment, _ in
      let tables = (0..<300).map { Table.objects(ofClass: UInt32($0 * 7 + 1)) }
      let snapshot = try environment.write { transaction in
        for table in tables {
          #expect(try transaction.openTable(table, create: true))
          try transaction.put(
            table, id: UInt64(table.index), [UInt8(truncatingIfNeeded: table.index)])
        }
      }
      for _ in 0..<2 {
        for table in tables {
          #expect(
            snapshot.bytes(table, id: UInt64(table.index))
              == [UInt8(truncatingIfNeeded: table.index)])
        }
      }
    }
  }

  @Test func idRangeBeginsInMiddle() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in 0..<1000 { try transaction.put(dogs, id: UInt64(id), [1], append: true) }
      }
      #expect(snapshot.ids(dogs, in: 990...UInt64.max) == Array(990..<1000))
    }
  }

  /// Walks a table with the page reader and with LMDB's cursor.
  private func compare(_ snapshot: Snapshot, _ table: Table, _ comment: String) throws {
    var environment: OpaquePointer?
    var transaction: OpaquePointer?
    var cursor: OpaquePointer?
    var handle: MDB_dbi = 0
    // A second environment in one process is safe only here: it takes no locks and is closed before
    // the next write.
    let path = snapshot.environment.path
    #expect(mdb_env_create(&environment) == 0)
    mdb_env_set_maxdbs(environment, 64)
    let flags = UInt32(MDB_NOSUBDIR | MDB_NOLOCK | MDB_RDONLY | MDB_NOTLS)
    #expect(mdb_env_open(environment, path, flags, 0o600) == 0)
    defer { mdb_env_close(environment) }
    #expect(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == 0)
    defer { mdb_txn_abort(transaction) }
    let kind = table.hasIntegerKeys ? UInt32(MDB_INTEGERKEY) : 0
    #expect(mdb_dbi_open(transaction, table.name, kind, &handle) == 0)
    #expect(mdb_cursor_open(transaction, handle, &cursor) == 0)
    defer { mdb_cursor_close(cursor) }
    var walked = snapshot.cursor(table)
    var key = MDB_val()
    var value = MDB_val()
    var isSame = true
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
      isSame =
        isSame && walked.next()
        && walked.key.elementsEqual(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size))
        && walked.value.elementsEqual(
          UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
    check(isSame && !walked.next(), comment)
    // And in reverse.
    var move = MDB_LAST
    while mdb_cursor_get(cursor, &key, &value, move) == 0 {
      move = MDB_PREV
      isSame =
        isSame && walked.previous()
        && walked.key.elementsEqual(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size))
    }
    check(isSame && !walked.previous(), comment)
  }
}

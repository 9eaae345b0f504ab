import Testing
import VarveStorage
import VarveTestSupport

/// Diffs over pages that are damaged while the versions are pinned: they end, with or without an
/// error.
@Suite struct TableDiffDamageTests {
  @Test func diffsOfDamagedPagesEnd() throws {
    var random = SeededRandom()
    try withDamagedStore { environment, path in
      var old = try putRows(environment, 0..<3000)
      old = try environment.write { transaction in
        for key in 0..<800 { try transaction.put(.indexes, key: "key \(key)", "value") }
        for id in UInt64(0)..<30 {
          try transaction.put(dogs, id: id * 100, [UInt8](repeating: 1, count: 5000))
        }
      }
      let new = try environment.write { transaction in
        for id in UInt64(0)..<300 { try transaction.put(dogs, id: id * 10, rowContent(id)) }
        for key in 0..<80 { try transaction.put(.indexes, key: "key \(key * 10)", "other") }
      }
      let bytes = try readBytes(path)
      let pages = bytes.count / 4096
      func content(_ page: Int) -> [UInt8] { Array(bytes[(page * 4096)..<(page * 4096 + 4096)]) }
      // The result of the table lookup is cached: the pages that lead to a table are read once for
      // each version.
      for table in [dogs, .indexes] {
        for (from, to) in [(old, new), (new, old)] {
          var changes = try from.changes(to: to, in: table)
          _ = try changes.count()
        }
      }
      var failures = 0
      for _ in 0..<400 {
        let page = Int.random(in: 2..<pages, using: &random)
        let other = Int.random(in: 2..<pages, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try patch(path, at: page * 4096, [UInt8](repeating: 0, count: 4096))
        case 1: try patch(path, at: page * 4096, random.bytes(16))
        case 2:
          try patch(
            path, at: page * 4096 + Int.random(in: 0..<4088, using: &random), random.bytes(8))
        case 3: try patch(path, at: page * 4096, content(other))
        default:
          // Another page with the number of this one: only its contents are wrong.
          try patch(path, at: page * 4096, Array(content(page)[..<8]) + content(other)[8...])
        }
        for (from, to) in [(old, new), (new, old)] {
          for table in [dogs, .indexes] {
            let range = table == dogs ? KeyRange.ids(from: 700, below: 1900) : .all
            for range in [.all, range] {
              let code = errorCode {
                var changes = try from.changes(to: to, in: table, range)
                return try changes.count(upTo: 1_000_000)
              }
              if code != nil { failures += 1 }
              #expect(code == nil || code == .corrupted, "seed \(random.seed)")
            }
          }
        }
        try patch(path, at: page * 4096, content(page))
      }
      #expect(failures > 0)
      // After the repair the comparison succeeds again.
      var changes = try old.changes(to: new, in: dogs)
      let count = try changes.count()
      #expect(count == 300)
    }
  }

  @Test func pagesReachedOnManyPathsAreDamage() throws {
    try withDamagedStore { environment, path in
      func put() throws -> Snapshot {
        try environment.write { transaction in
          for number in 0..<1500 {
            let key = [UInt8(number / 250), UInt8(number % 250)]
            try transaction.put(.indexes, key: key + [UInt8](repeating: 1, count: 480), [])
          }
        }
      }
      let old = try put()
      let new = try put()
      var changes = try old.changes(to: new, in: .indexes)
      #expect(try changes.count() == 0)
      // In every branch page, all children become the first one: thousands of paths lead to one
      // leaf, and in both versions each path has the same entries.
      let bytes = try readBytes(path)
      for page in 2..<(bytes.count / 4096) {
        let content = Array(bytes[(page * 4096)..<(page * 4096 + 4096)])
        guard content[10] == 1 else { continue }
        let first = offset(content, 0)
        for index in 1..<((Int(content[12]) | Int(content[13]) << 8) / 2 - 8) {
          try patch(
            path, at: page * 4096 + offset(content, index), Array(content[first..<(first + 6)]))
        }
      }
      var damaged = try old.changes(to: new, in: .indexes)
      expectError(.corrupted) { try damaged.count() }
      #expect(damaged.pagesRead <= 2 * bytes.count / 4096)
    }
  }

  @Test(arguments: ["AAAAAAAA", "aaaaaaaa"])
  func keysOutOfOrderAreDamage(_ key: String) throws {
    try withDamagedStore { environment, path in
      let old = try environment.snapshot()
      let new = try environment.write { transaction in
        for key in ["aaaaaaaa", "bbbbbbbb", "cccccccc"] {
          try transaction.put(.indexes, key: key, "value")
        }
      }
      try replace(path, Array("bbbbbbbb".utf8), with: Array(key.utf8))
      var changes = try old.changes(to: new, in: .indexes)
      let first = try changes.next().map { Array($0.key) }
      #expect(first == Array("aaaaaaaa".utf8))
      expectError(.corrupted) { try changes.next() }
      #expect(environment.damageError?.page != nil)
      // The error is permanent.
      expectError(.corrupted) { try changes.next() }
    }
  }

  /// Bytes 4 to 7 of an entry: the flags and the key size.
  @Test(arguments: [[2, 0, 8, 0], [0, 0, 4, 0], [0, 0, 255, 7], [1, 0, 8, 0]] as [[UInt8]])
  func entryOfOtherTableKindIsDamage(_ header: [UInt8]) throws {
    try withDamagedStore { environment, path in
      let old = try putRows(environment, 0..<10)
      let new = try environment.write { transaction in
        try transaction.put(dogs, id: 0x6162_6364_6566_6768, Array("the value".utf8))
      }
      let bytes = try readBytes(path)
      let entry = Array("hgfedcbathe value".utf8)
      for position in bytes.indices where bytes[position] == entry[0] {
        if bytes[position...].starts(with: entry) { try patch(path, at: position - 4, header) }
      }
      var forth = try old.changes(to: new, in: dogs)
      expectError(.corrupted) { try forth.next() }
      var back = try new.changes(to: old, in: dogs)
      expectError(.corrupted) { try back.next() }
    }
  }

  @Test func damagedTableOfTablesThrows() throws {
    try withDamagedStore { environment, path in
      let old = try putRows(environment, 0..<10)
      let new = try putRows(environment, 5..<15)
      let bytes = try readBytes(path)
      for page in 2..<(bytes.count / 4096) {
        let content = Array(bytes[(page * 4096)..<(page * 4096 + 4096)])
        if contains(content, Array("catalog".utf8)) {
          try patch(path, at: page * 4096, [UInt8](repeating: 0, count: 4096))
        }
      }
      for _ in 0..<2 {
        expectError(.corrupted) { try old.changes(to: new, in: dogs).pagesRead }
        expectError(.corrupted) { try new.changes(to: old, in: dogs).pagesRead }
      }
    }
  }

  @Test func absentTableIsEmptyInDamagedStore() throws {
    try withDamagedStore { environment, _ in
      let old = try putRows(environment, 0..<10)
      let new = try putRows(environment, 5..<15)
      environment.markDamaged(StorageError(.corrupted, "For a test."))
      #expect(try old.changedIDs(to: new, in: cats) == [])
      #expect(try old.changedIDs(to: new, in: dogs).count == 5)
    }
  }

  @Test(arguments: [true, false])
  func treeDeeperThanLMDBLimitIsDamage(_ isKnown: Bool) throws {
    try withDamagedStore { environment, path in
      let old = try putRows(environment, 0..<10)
      let new = try putRows(environment, 5..<15)
      if isKnown { #expect(new.count(dogs) - old.count(dogs) == 5) }
      // The record follows the name, with the depth at offset 6.
      let bytes = try readBytes(path)
      let name = Array("c:1".utf8)
      for position in 8192..<(bytes.count - 16) where bytes[position] == name[0] {
        if Array(bytes[position..<(position + 3)]) == name {
          try patch(path, at: position + 9, [60, 0])
        }
      }
      expectError(.corrupted) { try old.changes(to: new, in: dogs).pagesRead }
    }
  }

  /// Opens a store that stays damaged at the end.
  private func withDamagedStore(_ body: (Environment, String) throws -> Void) throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    do {
      try body(environment, directory.file())
      try environment.close()
    } catch {
      try? environment.close()
      throw error
    }
  }

  private func offset(_ page: [UInt8], _ index: Int) -> Int {
    Int(page[16 + 2 * index]) | Int(page[17 + 2 * index]) << 8
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
  }

  /// Overwrites all occurrences of some bytes in a file.
  private func replace(_ path: String, _ part: [UInt8], with other: [UInt8]) throws {
    let bytes = try readBytes(path)
    for position in 0...(bytes.count - part.count) where bytes[position] == part[0] {
      if bytes[position...].starts(with: part) { try patch(path, at: position, other) }
    }
  }
}

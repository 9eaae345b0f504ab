import Glibc
import Testing
import VarveStorage
import VarveTestSupport

/// Damaged pages result in errors, never in traps.
@Suite struct DamageTests {
  @Test func readsOfDamagedPagesEnd() throws {
    var random = SeededRandom()
    let directory = TemporaryDirectory()
    let original = directory.file("original")
    let environment = try Environment.open(testOptions(original))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in UInt64(0)..<1500 {
        try transaction.put(dogs, id: id, [UInt8](repeating: 1, count: id % 100 == 0 ? 6000 : 60))
      }
      for key in 0..<800 { try transaction.put(.indexes, key: "key \(key)", "value") }
    }
    try environment.close()
    let bytes = try readBytes(original)
    let path = directory.file("damaged")
    var found = 0
    for _ in 0..<150 {
      try copyFile(original, path)
      // After the two meta pages.
      let page = Int.random(in: 2..<(bytes.count / 4096), using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try patch(path, at: page * 4096, [UInt8](repeating: 0, count: 4096))
      case 1: try patch(path, at: page * 4096, random.bytes(16))
      case 2:
        try patch(
          path, at: page * 4096 + Int.random(in: 0..<4088, using: &random), random.bytes(8))
      default:
        let other = Int.random(in: 2..<(bytes.count / 4096), using: &random)
        try patch(path, at: page * 4096, Array(bytes[(other * 4096)..<(other * 4096 + 4096)]))
      }
      let code = errorCode { found += try self.readEverything(path) ? 1 : 0 }
      #expect(
        code == nil || code == .corrupted || code == .notADatabase || code == .newerFormat,
        "seed \(random.seed)")
      for suffix in ["", "-lock", "-signal"] { unlink(path + suffix) }
    }
    #expect(found > 20, "seed \(random.seed)")
  }

  @Test func valueReachingOutOfFileIsDamage() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { transaction in
      try transaction.put(.catalog, key: "before", "value")
      try transaction.put(.catalog, key: "too long", String(repeating: "x", count: 6000))
      try transaction.put(.catalog, key: "zero", "value")
    }
    try environment.close()
    let bytes = try readBytes(directory.file())
    for offset in bytes.indices where bytes[offset...].starts(with: "too long".utf8) {
      // The low and the high half of the size are eight bytes before the key.
      try patch(directory.file(), at: offset - 8, [0xff, 0xff, 0xff, 0x3f])
    }
    var options = testOptions(directory.file())
    options.isReadOnly = true
    let damaged = try Environment.open(options)
    do {
      let snapshot = try damaged.snapshot()
      #expect(snapshot.text(.catalog, key: "before") == "value")
      #expect(damaged.damageError == nil)
      #expect(snapshot.text(.catalog, key: "too long") == nil)
      #expect(damaged.damageError?.code == .corrupted)
      var cursor = snapshot.cursor(.catalog)
      check(cursor.next() && cursor.value.elementsEqual("value".utf8))
      while cursor.next(), cursor.value.count <= bytes.count {}
      check(cursor.value.isEmpty)
    }
    try damaged.close()
  }

  @Test(arguments: [false, true])
  func writeThatReadsDamagedPageCannotCommit(_ isBackward: Bool) throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    func name(_ number: Int) -> String { "key \(10_000 + number)" }
    try environment.write { transaction in
      for number in 0..<3000 {
        try transaction.put(.indexes, key: name(number), String(repeating: "v", count: 50))
      }
    }
    let bytes = try readBytes(directory.file())
    let offset = try #require(
      bytes.indices.last { bytes[$0...].starts(with: name(1500).utf8) })
    // While the store is open, overwrites the flags and the bounds of the entries.
    try patch(
      directory.file(), at: offset / 4096 * 4096 + 10, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    let transaction = try environment.beginWrite(timeout: .seconds(10))
    // On another page of the same table.
    try transaction.put(.indexes, key: name(0), "changed")
    #expect(transaction.text(.indexes, key: name(0)) == "changed")
    #expect(environment.damageError == nil)
    var cursor = RangeCursor(
      transaction, .indexes, lower: nil, upper: nil, isForward: !isBackward)
    var count = 0
    while cursor.advance() { count += 1 }
    #expect(count < 3000)
    #expect(environment.damageError?.code == .corrupted)
    expectError(.corrupted) { try transaction.commit() }
    expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
    #expect(try environment.snapshot().text(.indexes, key: name(0)) != "changed")
    try environment.close()
  }

  @Test func walkDetectsUnreadableTable() throws {
    // The flags of a table's record, and of the entry that contains it.
    for (distance, flags) in [
      ("lists".utf8.count + PageLayout.recordFlags, [0x08, 0]), (-4, [0, 0]),
    ] {
      let directory = TemporaryDirectory()
      let environment = try Environment.open(testOptions(directory.file()))
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      try environment.close()
      let bytes = try readBytes(directory.file())
      let name = Array("lists".utf8)
      for offset in bytes.indices where bytes[offset...].starts(with: name) {
        try patch(directory.file(), at: offset + distance, flags.map { UInt8($0) })
      }
      var options = testOptions(directory.file())
      options.isReadOnly = true
      // Opening reads the table of tables.
      expectError(.corrupted) { try Environment.open(options) }
    }
  }

  @Test func damagedStoreRefusesWrites() throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.open(testOptions(directory.file()))
    environment.markDamaged(StorageError(.corrupted, "For a test."))
    expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
    _ = try environment.snapshot()
    try environment.close()
  }

  /// - Returns: The number of entries in the leaves.
  private func readLeaves(_ snapshot: Snapshot) -> Int {
    var count = 0
    for lower in [0] + snapshot.cuts(dogs, parts: 4) {
      var leaves = snapshot.leaves(dogs, from: lower)
      while leaves.next(), count < 300_000 {
        for index in leaves.leaf.start..<leaves.leaf.end {
          leaves.leaf.prefetchLater(beside: index)
          let long = leaves.leaf.plainEntry(at: index, least: 20)
          let plain = leaves.leaf.plainEntry(at: index)
          if (long != nil) != ((plain?.byteCount ?? 0) >= 20) {
            Issue.record("Of an entry of 20 bytes, or of a shorter one, two things are said.")
          }
          if let plain {
            count += plain.byteCount >= 0 ? 1 : 0
          } else if leaves.entry(at: index) != nil {
            count += 1
          } else {
            break
          }
        }
      }
    }
    return count
  }

  /// - Returns: Whether a read encountered damage.
  private func readEverything(_ path: String) throws -> Bool {
    // Read-only: LMDB itself would fail on the damage during a write.
    var options = testOptions(path)
    options.isReadOnly = true
    let environment = try Environment.open(options)
    var wasDamaged = false
    do {
      let snapshot = try environment.snapshot()
      var count = 0
      for table in Table.fixed + [dogs] {
        var cursor = snapshot.cursor(table)
        while cursor.next(), count < 100_000 { count += cursor.value.count > 0 ? 1 : 0 }
        _ = cursor.seekLast()
        while cursor.previous(), count < 200_000 { count += cursor.key.count > 0 ? 1 : 0 }
      }
      count += snapshot.ids(dogs, in: 0...UInt64.max).count
      count += readLeaves(snapshot)
      for id in UInt64(0)..<1500 { _ = snapshot.find(dogs, id: id) }
      for key in 0..<800 { _ = snapshot.text(.indexes, key: "key \(key)") }
      _ = snapshot.countRange(dogs, .ids(from: 0, below: 1400))
      _ = snapshot.estimateRange(dogs, .ids(from: 0, below: 1400))
      _ = snapshot.countRange(.indexes, .all)
      _ = snapshot.estimateRange(.indexes, .all)
      for isForward in [true, false] {
        var range = RangeCursor(
          snapshot, .indexes, lower: [1], upper: Array("key 5".utf8), isForward: isForward)
        while range.advance(), count < 400_000 { count += 1 }
      }
      wasDamaged = environment.damageError != nil
      let walked = errorCode { try StructureWalk.check(snapshot) }
      // The walk must also find any damage that a read encounters.
      if wasDamaged { #expect(walked == .corrupted) }
    }
    try environment.close()
    return wasDamaged
  }
}

import Glibc
import Testing
import VarveLocks
import VarveTestSupport

@testable import VarveStorage

/// The check of pages before LMDB touches them, in a file whose pages have not all been checked.
@Suite struct PathCheckTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file() }

  /// Long keys make the tree deep: a branch page has about seven entries.
  private func key(_ number: Int, _ length: Int) -> [UInt8] {
    Array("\(1_000_000 + number)".utf8) + [UInt8](repeating: 7, count: max(0, length - 7))
  }

  /// Makes a store with a deep table, and closes it.
  private func makeStore(keyLength: Int = 480, count: Int = 1500, valueSize: Int = 30) throws {
    let environment = try Environment.open(testOptions(path))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for number in 0..<count {
        let size = number % 50 == 0 ? 9000 : valueSize
        try transaction.put(
          .indexes, key: key(number * 2, keyLength), [UInt8](repeating: 1, count: size))
        try transaction.put(dogs, id: UInt64(number * 2), [UInt8](repeating: 1, count: size))
      }
    }
    try environment.close()
  }

  /// Opens the store so that paths are checked.
  private func withPaths(_ body: (Environment) throws -> Void) throws {
    try checkingPaths {
      let environment = try Environment.open(testOptions(path))
      do {
        try body(environment)
      } catch {
        try? environment.close()
        throw error
      }
      try environment.close()
    }
  }

  // MARK: Valid files

  /// The pages that a transaction has freed: those that LMDB copied or changed.
  private func freedPages(_ environment: Environment, by transactionID: UInt64) throws -> [UInt64] {
    var begun: EngineTransaction?
    #expect(environment.engine.begin(parent: nil, readOnly: true, &begun) == 0)
    let reader = try #require(begun)
    defer { reader.abort() }
    var opened: OpaquePointer?
    #expect(reader.openCursor(EngineTransaction.freeList, &opened) == 0)
    let cursor = try #require(opened)
    defer { EngineCursorCalls.close(cursor) }
    var (key, bytes) = (
      UnsafeRawBufferPointer(start: nil, count: 0), UnsafeRawBufferPointer(start: nil, count: 0)
    )
    let status = withUnsafeBytes(of: transactionID) {
      EngineCursorCalls.move(cursor, .range, seeking: $0, &key, &bytes)
    }
    guard status == 0 else { return [] }
    try #require(key.loadUnaligned(as: UInt64.self) == transactionID)
    return (0..<bytes.loadUnaligned(as: UInt64.self)).map {
      bytes.loadUnaligned(fromByteOffset: 8 * Int($0 + 1), as: UInt64.self)
    }
  }

  /// Commits, and expects that LMDB has touched only checked pages of the trees.
  ///
  /// - Returns: Whether the pages were checked one by one until the commit.
  private func commit(
    _ transaction: WriteTransaction, _ comment: String
  ) throws -> Bool {
    let (environment, base) = (transaction.environment, transaction.base)
    let isChecking = transaction.paths != nil
    let hasChanged = transaction.isChanged
    let snapshot = try transaction.commit()
    guard isChecking, let checked = environment.checkedPages.withLock({ $0 }) else { return false }
    let treePages = StructureProbe.treePages(base)
    let touched = try freedPages(environment, by: snapshot.transactionID).filter {
      treePages.contains($0)
    }
    #expect(!touched.isEmpty || !hasChanged, "\(comment)")
    #expect(touched.allSatisfy { checked.contains($0) }, "\(comment)")
    return hasChanged
  }

  private enum Change: CaseIterable {
    case delete, shorten, overflow, put, putAndDelete, append
  }

  private func apply(
    _ change: Change, _ number: Int, _ keyLength: Int, _ random: inout SeededRandom,
    _ transaction: WriteTransaction
  ) throws {
    let key = key(number, keyLength)
    let size: Int
    switch change {
    case .delete:
      _ = try key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
      try transaction.delete(dogs, id: UInt64(number))
      return
    case .putAndDelete:
      try transaction.put(.indexes, key: key, [3])
      _ = try key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
      return
    case .append:
      return try transaction.put(dogs, id: UInt64(100_000 + number), [4], append: true)
    case .shorten: size = 1
    case .overflow: size = 5000
    case .put: size = random.pick([10, 30, 300, 700, 5000])
    }
    try transaction.put(.indexes, key: key, [UInt8](repeating: 2, count: size))
    try transaction.put(dogs, id: UInt64(number), [UInt8](repeating: 2, count: size))
  }

  /// Runs of changes of one kind, so that leaves next to each other change in different ways.
  private func changeEntries(
    _ keyLength: Int, _ random: inout SeededRandom, _ transaction: WriteTransaction
  ) throws {
    let kinds = random.pick([
      Change.allCases, [.delete], [.delete, .shorten], [.delete, .shorten, .overflow],
    ])
    let step = random.pick([1, 2, 2, 3, 7, 50])
    var number = random.int(0...2000)
    for _ in 0..<random.pick([1, 3, 12, 60]) {
      let kind = random.pick(kinds)
      if random.oneIn(3) { number = max(0, number - random.int(0...60)) }
      for _ in 0..<random.pick([1, 5, 20]) {
        try apply(kind, number, keyLength, &random, transaction)
        if random.oneIn(97) { _ = transaction.bytes(.indexes, key: key(number, keyLength)) }
        number += step
      }
    }
  }

  @Test(arguments: [480, 120, 20])
  func everyPageThatLMDBTouchesIsChecked(_ keyLength: Int) throws {
    var random = SeededRandom()
    let comment = "\(random)"
    var verifiedCount = 0
    for _ in 0..<6 {
      for suffix in ["", "-lock", "-signal"] { unlink(path + suffix) }
      try makeStore(
        keyLength: keyLength, count: keyLength > 100 ? 700 : 3000,
        valueSize: random.pick([30, 300]))
      var remaining = 12
      while remaining > 0 {
        // Each environment begins without checked pages.
        try withPaths { environment in
          for _ in 0..<min(remaining, random.pick([1, 1, 4])) {
            remaining -= 1
            let transaction = try environment.beginWrite(timeout: .seconds(10))
            try changeEntries(keyLength, &random, transaction)
            if random.oneIn(6) {
              var cursor = transaction.cursor(.indexes)
              var count = 0
              while cursor.next() { count += 1 }
              check(count == transaction.count(.indexes), comment)
            }
            guard try commit(transaction, comment) else { break }
            verifiedCount += 1
          }
          if remaining == 0 { try StructureWalk.check(try environment.snapshot()) }
        }
      }
    }
    #expect(verifiedCount > 0, "\(comment)")
  }

  /// LMDB merges a leaf into the one before it, which shorter values have made almost empty, and
  /// then moves an entry from the leaf before both.
  @Test(arguments: [false, true], [1, 5000])
  func leafBesideShortenedLeafIsChecked(_ deletesFirst: Bool, _ size: Int) throws {
    let environment = try Environment.open(testOptions(path))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in 0..<600 {
        try transaction.put(
          dogs, id: UInt64(id), [UInt8](repeating: 1, count: 300), append: true)
      }
    }
    try environment.close()
    let pages = try leaves(dogs)
    let starts = try (6...8).map { try firstID(of: pages[$0]) }
    let rest = starts[1] - 5..<starts[1]
    let opened = try Environment.open(testOptions(path))
    try opened.write { transaction in
      for id in starts[0]..<rest.lowerBound { try transaction.delete(dogs, id: id) }
    }
    try opened.close()
    try withPaths { environment in
      let transaction = try environment.beginWrite(timeout: .seconds(10))
      if deletesFirst { try transaction.delete(dogs, id: starts[1]) }
      for id in rest { try transaction.put(dogs, id: id, [UInt8](repeating: 2, count: size)) }
      for id in starts[1]..<starts[2] { try transaction.delete(dogs, id: id) }
      let isVerified = try commit(transaction, "")
      #expect(isVerified)
    }
  }

  private func firstID(of page: UInt64) throws -> UInt64 {
    let bytes = try readBytes(path)
    let start = Int(page) * 4096
    let node = start + (Int(bytes[start + 16]) | Int(bytes[start + 17]) << 8)
    return bytes[(node + 8)..<(node + 16)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The file is checked in the same way where the newest visible version is found by a read
  /// transaction, for example without `/proc`.
  @Test func writesWithoutWordForVisibleVersionAreChecked() throws {
    try makeStore()
    try checkingPaths {
      var options = testOptions(path)
      options.findsVisibleVersion = false
      let environment = try Environment.open(options)
      #expect(environment.visibleTransactionID == nil)
      for number in 0..<10 {
        try environment.write { transaction in
          try transaction.put(dogs, id: UInt64(number * 290), [2])
          try transaction.delete(dogs, id: UInt64(number * 290 + 2))
        }
      }
      let progress = WorkProgress(nil, path: path)
      try progress.begin(total: 1)
      let report = try environment.reportPages(of: try environment.snapshot(), progress)
      #expect(report.damageCount == 0 && report.leakedCount == 0)
      try environment.close()
    }
  }

  // MARK: Damaged files

  /// The file offset of a page of a leaf, and its neighbours in key order.
  private func leaves(_ table: Table) throws -> [UInt64] {
    var options = testOptions(path)
    options.isReadOnly = true
    let environment = try Environment.open(options)
    var leaves: [UInt64] = []
    do {
      let snapshot = try environment.snapshot()
      leaves = StructureProbe.leaves(snapshot, table)
    }
    try environment.close()
    return leaves
  }

  /// Expects that a write finds a damaged page, and that the file is readable and refused
  /// afterwards.
  private func expectDamage(
    _ page: UInt64?, at location: SourceLocation = #_sourceLocation,
    _ body: (WriteTransaction) throws -> Void
  ) throws {
    try withPaths { environment in
      let transaction = try environment.beginWrite(timeout: .seconds(10))
      var found: StorageError?
      do { try body(transaction) } catch let error as StorageError { found = error }
      found = found ?? transaction.failure
      #expect(found?.code == .corrupted, sourceLocation: location)
      if let page { #expect(found?.page == page, sourceLocation: location) }
      #expect(transaction.hasFailed, sourceLocation: location)
      expectError(.corrupted) { try transaction.commit() }
      #expect(environment.damageError == nil, sourceLocation: location)
      _ = try environment.snapshot()
      expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
    }
  }

  private func ruin(_ page: UInt64) throws {
    try patch(path, at: Int(page) * 4096 + PageLayout.headerSize, [0xFE, 0xFF, 0xFE, 0xFF])
  }

  @Test func putInDamagedLeafIsRefused() throws {
    try makeStore()
    let leaves = try leaves(dogs)
    try ruin(leaves[0])
    try expectDamage(leaves[0]) { try $0.put(dogs, id: 1, [1]) }
  }

  @Test func appendToDamagedLeafIsRefused() throws {
    try makeStore()
    let leaves = try leaves(dogs)
    try ruin(leaves[leaves.count - 1])
    try expectDamage(leaves.last) { try $0.put(dogs, id: 1 << 40, [1], append: true) }
  }

  /// LMDB would merge the pages.
  @Test func deletionBesideDamagedLeafIsRefused() throws {
    try makeStore()
    let leaves = try leaves(dogs)
    try ruin(leaves[1])
    try expectDamage(leaves[1]) { try $0.delete(dogs, id: 0) }
  }

  @Test func moveOfCursorToDamagedLeafIsRefused() throws {
    try makeStore()
    let leaves = try leaves(dogs)
    try ruin(leaves[1])
    try expectDamage(leaves[1]) { transaction in
      try transaction.put(dogs, id: 1, [1])
      var cursor = transaction.cursor(dogs)
      while cursor.next() {}
    }
  }

  @Test func lookUpInDamagedLeafIsRefused() throws {
    try makeStore()
    let leaves = try leaves(.indexes)
    try ruin(leaves[3])
    let key = try firstKey(of: leaves[3])
    // The ruined page has lost the offset of this key.
    try expectDamage(leaves[3]) { transaction in
      try transaction.put(.indexes, key: "0", "1")
      _ = transaction.bytes(.indexes, key: key)
    }
  }

  private func firstKey(of page: UInt64) throws -> [UInt8] {
    let bytes = try readBytes(path)
    let start = Int(page) * 4096
    let upper = Int(bytes[start + 14]) | Int(bytes[start + 15]) << 8
    let node = start + upper
    let size = Int(bytes[node + PageLayout.nodeKeySize]) | Int(bytes[node + 7]) << 8
    return Array(bytes[node + 8..<node + 8 + size])
  }

  /// LMDB frees as many pages as the header says.
  @Test func tooManyOverflowPagesAreRefused() throws {
    try makeStore()
    var options = testOptions(path)
    options.isReadOnly = true
    var run = 0
    do {
      let environment = try Environment.open(options)
      do {
        let snapshot = try environment.snapshot()
        let value = try #require(snapshot.find(dogs, id: 200)?.baseAddress)
        run = value - snapshot.pages.base - PageLayout.headerSize
      }
      try environment.close()
    }
    try patch(path, at: run + PageLayout.overflowPages, [9, 0, 0, 0])
    try expectDamage(nil) { try $0.delete(dogs, id: 200) }
  }

  /// LMDB keeps the pages of a value that is replaced in its own transaction.
  @Test func overflowPagesOfReplacedValueAreValid() throws {
    let environment = try Environment.open(testOptions(path))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      try transaction.put(dogs, id: 1, [UInt8](repeating: 1, count: 50_000))
      try transaction.put(dogs, id: 1, [UInt8](repeating: 1, count: 5000))
    }
    try environment.close()
    try withPaths { environment in
      try environment.write { try $0.delete(dogs, id: 1) }
      #expect(environment.checkedPages.withLock { $0 } == nil)
    }
  }

  @Test func recordWithoutDepthIsRefused() throws {
    try makeStore()
    let leaves = try leaves(dogs)
    let bytes = try readBytes(path)
    // The record of the table follows its name in the unnamed table.
    let name = Array("c:1".utf8)
    let record = try #require(
      (8192..<bytes.count - 60).first { start in
        bytes[start..<start + 3].elementsEqual(name) && bytes[start - 2] == 3
          && bytes[start - 4] == UInt8(PageLayout.subData)
      })
    try #require(!leaves.isEmpty)
    try patch(path, at: record + 3 + PageLayout.recordDepth, [0, 0])
    try withPaths { environment in
      expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
    }
  }
}

/// The pages of the trees of a valid version.
private enum StructureProbe {
  static func leaves(_ snapshot: Snapshot, _ table: Table) -> [UInt64] {
    guard let record = snapshot.tree(table) else { return [] }
    var all: [UInt64] = []
    visit(snapshot.pages, record) { page, level in if level == 1 { all.append(page) } }
    return all
  }

  static func treePages(_ snapshot: Snapshot) -> Set<UInt64> {
    var all: Set<UInt64> = []
    for table in [dogs, .indexes] {
      guard let record = snapshot.tree(table) else { continue }
      visit(snapshot.pages, record) { page, _ in all.insert(page) }
    }
    return all
  }

  private static func visit(
    _ pages: PageMap, _ record: UnsafeRawPointer, _ body: (UInt64, Int) -> Void
  ) {
    let root = record.u64(PageLayout.recordRoot)
    guard root != PageLayout.noPage else { return }
    visit(pages, root, Int(record.u16(PageLayout.recordDepth)), body)
  }

  private static func visit(
    _ pages: PageMap, _ number: UInt64, _ level: Int, _ body: (UInt64, Int) -> Void
  ) {
    body(number, level)
    guard level > 1, let page = pages.page(number, PageLayout.branch) else { return }
    for index in 0..<pages.entryCount(page) {
      guard let node = pages.node(page, index) else { continue }
      visit(pages, pages.child(node), level - 1, body)
    }
  }
}

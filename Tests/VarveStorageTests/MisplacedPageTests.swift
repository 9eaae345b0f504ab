import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Valid pages that replace others: only their keys reveal them.
@Suite struct MisplacedPageTests {
  private let directory = TemporaryDirectory()
  private let pageSize = 4096

  /// Makes a store with trees of three levels, and damages it while it is open.
  ///
  /// - Parameters:
  ///   - table: The table of which a page is replaced.
  ///   - level: 0 for a leaf, 1 for a page above the leaves.
  ///   - body: Receives the store and the number of the replaced page.
  private func withMisplacedPage(
    _ table: Table, level: Int, _ body: (Environment, UInt64) throws -> Void
  ) throws {
    var options = testOptions(directory.file())
    options.maximumReaders = 128
    let environment = try Environment.open(options)
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in UInt64(0)..<9000 {
        try transaction.put(dogs, id: id * 2, [UInt8](repeating: 1, count: 300))
        try transaction.put(.indexes, key: name(id), String(repeating: "v", count: 300))
      }
    }
    let snapshot = try environment.snapshot()
    let record = try #require(snapshot.tree(table))
    #expect(record.u16(PageLayout.recordDepth) == 3)
    let pages = snapshot.pages
    let root = try #require(pages.page(record.u64(PageLayout.recordRoot), PageLayout.branch))
    func child(_ page: UnsafeRawPointer, _ index: Int) throws -> UnsafeRawPointer {
      let node = try #require(pages.node(page, index))
      return pages.base + Int(pages.child(node)) * pageSize
    }
    var (replaced, other) = (try child(root, 1), try child(root, 3))
    if level == 0 { (replaced, other) = (try child(replaced, 5), try child(replaced, 9)) }
    let number = replaced.u64(0)
    // Everything except the page number.
    let content = UnsafeRawBufferPointer(start: other + 8, count: pageSize - 8)
    try patch(directory.file(), at: Int(number) * pageSize + 8, Array(content))
    try body(environment, number)
    try environment.close()
  }

  private func name(_ id: UInt64) -> String { "key \(100_000 + id)" }

  @Test(arguments: [dogs, .indexes], [0, 1])
  func structureWalkDetectsMisplacedPage(_ table: Table, _ level: Int) throws {
    try withMisplacedPage(table, level: level) { environment, page in
      let snapshot = try environment.snapshot()
      do {
        try StructureWalk.check(snapshot)
        Issue.record("The page was not found.")
      } catch let error as StorageError {
        #expect(error.code == .corrupted)
        #expect(error.page == page)
      }
    }
  }

  @Test(arguments: [0, 1]) func idSearchDetectsMisplacedPage(_ level: Int) throws {
    try withMisplacedPage(dogs, level: level) { environment, page in
      let snapshot = try environment.snapshot()
      var missing = 0
      for id in UInt64(0)..<9000 where snapshot.find(dogs, id: id * 2) == nil { missing += 1 }
      #expect(missing > 0)
      #expect(environment.damageError?.page == page)
    }
  }

  @Test(arguments: [0, 1]) func keySearchDetectsMisplacedPage(_ level: Int) throws {
    try withMisplacedPage(.indexes, level: level) { environment, page in
      let snapshot = try environment.snapshot()
      var missing = 0
      for id in UInt64(0)..<9000 where snapshot.text(.indexes, key: name(id)) == nil {
        missing += 1
      }
      #expect(missing > 0)
      #expect(environment.damageError?.page == page)
    }
  }

  @Test(arguments: [dogs, .indexes], [0, 1])
  func cursorInEitherDirectionDetectsMisplacedPage(_ table: Table, _ level: Int) throws {
    for isForward in [true, false] {
      try withMisplacedPage(table, level: level) { environment, _ in
        var cursor = try environment.snapshot().cursor(table)
        var count = 0
        while isForward ? cursor.next() : cursor.previous() { count += 1 }
        #expect(count < 9000)
        #expect(environment.damageError?.code == .corrupted)
      }
      unlink(directory.file())
    }
  }

  @Test(arguments: [dogs, .indexes], [0, 1])
  func seekDetectsMisplacedPage(_ table: Table, _ level: Int) throws {
    try withMisplacedPage(table, level: level) { environment, _ in
      let snapshot = try environment.snapshot()
      for id in UInt64(0)..<9000 {
        var cursor = snapshot.cursor(table)
        if table == dogs {
          _ = cursor.seek(id: id * 2)
        } else {
          _ = Array(name(id).utf8).withUnsafeBytes { cursor.seek(key: $0) }
        }
      }
      #expect(environment.damageError?.code == .corrupted)
    }
  }

  @Test func absentKeysOfValidTreeAreNoDamage() throws {
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in UInt64(0)..<5000 {
        try transaction.put(dogs, id: id * 3 + 10, [UInt8](repeating: 1, count: 300))
        try transaction.put(.indexes, key: name(id * 3 + 10), String(repeating: "v", count: 300))
      }
      // Separators that are less than the keys after them.
      for id in stride(from: UInt64(0), to: 5000, by: 7) {
        for near in id..<min(5000, id + 5) {
          _ = try transaction.delete(dogs, id: near * 3 + 10)
          _ = try Array(name(near * 3 + 10).utf8).withUnsafeBytes {
            try transaction.delete(.indexes, key: $0)
          }
        }
      }
    }
    let snapshot = try environment.snapshot()
    for id in UInt64(0)..<15_100 {
      _ = snapshot.find(dogs, id: id)
      _ = snapshot.text(.indexes, key: name(id))
      var cursor = snapshot.cursor(dogs)
      _ = cursor.seek(id: id)
      var other = snapshot.cursor(.indexes)
      _ = Array(name(id).utf8).withUnsafeBytes { other.seek(key: $0) }
    }
    #expect(environment.damageError == nil)
    try StructureWalk.check(snapshot)
    try environment.close()
  }
}

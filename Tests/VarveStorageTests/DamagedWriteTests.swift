import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// Lengths that LMDB returns inside a write.
@Suite struct DamagedWriteTests {
  private let directory = TemporaryDirectory()

  /// Opens a store, damages a length in a page, and begins a write that has changed another page of
  /// the same table.
  private func withDamagedLength(
    of key: String, length: UInt32, _ body: (Environment, WriteTransaction) throws -> Void
  ) throws {
    let environment = try Environment.open(testOptions(directory.file()))
    try environment.write { transaction in
      for number in 0..<800 {
        try transaction.put(
          .indexes, key: "key \(1000 + number)", String(repeating: "v", count: 50))
      }
      try transaction.put(.indexes, key: "large", String(repeating: "w", count: 9000))
    }
    do {
      let snapshot = try environment.snapshot()
      let value = try #require(
        Array(key.utf8).withUnsafeBytes { key -> Int? in
          guard let record = snapshot.tree(.indexes),
            case .found(let node) = snapshot.pages.find(record, key: key)
          else { return nil }
          return node - snapshot.pages.base
        })
      try patch(directory.file(), at: value, withUnsafeBytes(of: length) { Array($0) })
    }
    let transaction = try environment.beginWrite(timeout: .seconds(10))
    // A page far from the damaged one.
    try transaction.put(.indexes, key: "key 1799x", "new")
    try body(environment, transaction)
    transaction.abort()
    try environment.close()
  }

  @Test(arguments: [
    ("key 1002", 5000), ("key 1002", 1 << 30), ("large", 20_000), ("large", 1 << 30),
  ])
  func lengthReachingOutOfPageIsDamage(_ key: String, _ length: UInt32) throws {
    try withDamagedLength(of: key, length: length) { environment, transaction in
      #expect(transaction.text(.indexes, key: key) == nil)
      #expect(transaction.failure?.code == .corrupted)
      #expect(environment.damageError?.code == .corrupted)
    }
  }

  /// LMDB would abort the process on this page.
  @Test func damagedPageOfUnchangedTableIsDamage() throws {
    let environment = try Environment.open(testOptions(directory.file()))
    let snapshot = try environment.write { transaction in
      for number in 0..<800 { try transaction.put(.lists, key: "list \(1000 + number)", "value") }
    }
    let record = try #require(snapshot.tree(.lists))
    let root = Int(record.u64(PageLayout.recordRoot))
    try patch(directory.file(), at: root * 4096, [UInt8](repeating: 0xFF, count: 4096))
    let transaction = try environment.beginWrite(timeout: .seconds(10))
    try transaction.put(.indexes, key: "key", "new")
    do {
      var cursor = transaction.cursor(.lists)
      check(!cursor.next())
    }
    #expect(environment.damageError?.page == UInt64(root))
    expectError(.corrupted) { try transaction.commit() }
    try environment.close()
  }

  @Test(arguments: [("key 1002", 5000), ("large", 1 << 30)])
  func cursorStopsAtLengthReachingOutOfPage(_ key: String, _ length: UInt32) throws {
    try withDamagedLength(of: key, length: length) { environment, transaction in
      do {
        var cursor = transaction.cursor(.indexes)
        var count = 0
        while cursor.next(), count < 2000 { count += cursor.value.count > 5000 ? 2000 : 1 }
        #expect(count < 802)
      }
      #expect(environment.damageError?.code == .corrupted)
    }
  }
}

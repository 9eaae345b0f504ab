import Testing
import VarveTestSupport

@testable import VarveStorage

/// The pages of a commit, compared with the difference of two complete walks.
@Suite struct CommitPagesTests {
  @Test func pagesAreThoseOfNewVersionOnly() throws {
    var random = SeededRandom()
    let store = DurableStore()
    let environment = try store.open()
    try environment.write { _ = try $0.openTable(dogs, create: true) }
    var sizes: [Int] = []
    var pinned: [Snapshot] = []
    for round in 0..<30 {
      let old = try environment.snapshot()
      let before = try Pages(try readBytes(store.path), old.transactionID)
      let new = try environment.write { try Self.change($0, &random, round) }
      let after = try Pages(try readBytes(store.path), new.transactionID)
      let expected = after.numbers.subtracting(before.numbers)
      let found = try #require(
        try Self.numbers(environment, old, new, limit: 100_000), "\(random) round \(round)")
      #expect(Set(found) == expected, "\(random) round \(round)")
      #expect(found.count == expected.count, "\(random) round \(round)")
      #expect(try Self.numbers(environment, old, new, limit: found.count) != nil)
      #expect(try Self.numbers(environment, old, new, limit: found.count - 1) == nil)
      sizes.append(found.count)
      // A pinned version makes the free list grow.
      if round % 10 == 3 { pinned.append(new) }
    }
    pinned = []
    print("pages of the commits: \(sizes), \(random)")
    #expect(sizes.contains { $0 < 12 } && sizes.contains { $0 > 300 })
    try environment.close()
  }

  /// Changes of all kinds: one entry, many entries, long values, nested transactions, deletion of
  /// whole tables.
  private static func change(
    _ transaction: WriteTransaction, _ random: inout SeededRandom, _ round: Int
  ) throws {
    let count = [1, 1, 5, 60, 3000][random.below(5)]
    if random.oneIn(6) { try transaction.deleteAll(dogs) }
    for _ in 0..<count {
      let id = UInt64(random.below(20_000))
      let length = random.oneIn(30) ? random.int(2000...30_000) : random.int(1...200)
      try transaction.put(dogs, id: id, [UInt8](repeating: UInt8(round), count: length))
      if random.oneIn(3) { _ = try transaction.delete(dogs, id: id + 1) }
    }
    if random.oneIn(2) { try transaction.put(.lists, key: "key \(round % 5)", "value \(round)") }
    if random.oneIn(4) {
      try transaction.beginNested()
      try transaction.put(.blobs, key: "key \(round)", "value")
      try random.oneIn(2) ? transaction.commitNested() : transaction.abortNested()
    }
  }

  private static func numbers(
    _ environment: Environment, _ old: Snapshot, _ new: Snapshot, limit: Int
  ) throws -> [UInt64]? {
    func meta(_ snapshot: Snapshot) throws -> MetaPage {
      try #require(
        MetaPage.read(
          snapshot.transactionID, base: new.mapping.base, pageSize: environment.pageSize))
    }
    return CommitPages.numbers(
      from: (try meta(old), old.pages), to: (try meta(new), new.pages), limit: limit)
  }
}

/// All pages of a version, found by a walk from its roots.
private struct Pages {
  let bytes: [UInt8]
  private(set) var numbers: Set<UInt64> = []

  init(_ bytes: [UInt8], _ id: UInt64) throws {
    self.bytes = bytes
    let meta = Int(id & 1) * 4096
    try #require(bytes.number(meta + 144, 8) == id)
    visit(bytes.number(meta + 40 + 40, 8))
    visit(bytes.number(meta + 88 + 40, 8))
  }

  private mutating func visit(_ number: UInt64) {
    guard number != .max else { return }
    numbers.insert(number)
    let page = Int(number) * 4096
    let isLeaf = bytes.number(page + 10, 2) & 2 != 0
    for index in 0..<(Int(bytes.number(page + 12, 2)) - 16) / 2 {
      let node = page + Int(bytes.number(page + 16 + 2 * index, 2))
      guard isLeaf else {
        visit(bytes.number(node, 6))
        continue
      }
      let flags = bytes.number(node + 4, 2)
      let value = node + 8 + Int(bytes.number(node + 6, 2))
      if flags & 1 != 0 {
        let first = bytes.number(value, 8)
        numbers.formUnion(first..<first + bytes.number(Int(first) * 4096 + 12, 4))
      } else if flags & 2 != 0 {
        visit(bytes.number(value + 40, 8))
      }
    }
  }
}

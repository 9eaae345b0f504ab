import Foundation
import Testing
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// Scans of tables of all sizes, on several threads.
@Suite struct SharedScanTests {
  private static let properties = [
    StoredProperty(id: 0, name: "id", kind: PropertyKind(type: .int64), isPrimaryKey: true),
    StoredProperty(id: 1, name: "age", kind: PropertyKind(type: .int64, isNullable: true)),
    StoredProperty(id: 2, name: "score", kind: PropertyKind(type: .double)),
    StoredProperty(id: 3, name: "name", kind: PropertyKind(type: .string)),
    StoredProperty(id: 4, name: "late", kind: PropertyKind(type: .int16), addedConstant: .int(7)),
  ]

  private func withTable(
    _ count: Int, _ random: inout SeededRandom,
    _ body: (ScannedTable, Snapshot, [(id: UInt64, age: Int64?, score: Double)]) throws -> Void
  ) throws {
    let table = try ScannedTable(Self.properties, oldCount: 4)
    let transaction = try table.begin()
    var rows: [(id: UInt64, age: Int64?, score: Double)] = []
    for index in 0..<count {
      let age: Int64? = random.oneIn(10) ? nil : Int64(random.below(100)) - 50 + (1 << 61)
      rows.append((UInt64(index) * 2 + 1 << 63, age, Double(random.below(1_000_000)) / 7))
      try table.put(
        rows[index].id, layout: index < count / 2 ? 1 : 2, in: transaction
      ) { property in
        switch property.id {
        case 1: age.map { .int($0) } ?? .null
        case 2: .double(rows[index].score)
        case 3: .string("n\(index % 10)")
        default: .int(9)
        }
      }
    }
    try body(table, try transaction.commit(), rows)
    try table.end()
  }

  @Test(arguments: [0, 1, 100, 3000, 45_000])
  func threadCountDoesNotChangeResults(_ count: Int) throws {
    var random = SeededRandom()
    print(random)
    try withTable(count, &random) { table, snapshot, rows in
      let properties = table.schema.properties
      let bound = Int64(1 << 61)
      let test = RowTest(all: [
        (properties[1], PropertyPredicate(QueryPath(["age"]), .compared(.greater, .int(bound)))),
        (properties[2], PropertyPredicate(QueryPath(["score"]), .compared(.less, .double(9e4)))),
      ])
      let kept = rows.filter { ($0.age ?? .min) > bound && $0.score < 9e4 }
      var double = 0.0
      for row in kept { double += row.score }
      for threads in [1, 2, 4] {
        let scan = RowScan(snapshot, table.schema, test: test, maxThreads: threads)
        #expect(try scan.count() == kept.count)
        #expect(try scan.ids() == kept.map(\.id))
        let ages = try scan.sum(properties[1])
        #expect(ages.value(as: .int64) == .int(kept.reduce(0) { $0 &+ ($1.age ?? 0) }))
        #expect(ages.count == kept.count)
        #expect(try scan.sum(properties[2]).value(as: .double) == .double(double))
        #expect(
          try scan.extreme(properties[2], .greatest) == kept.map(\.score).max().map { .double($0) })
        #expect(
          try scan.extreme(properties[1], .least) == kept.compactMap(\.age).min().map { .int($0) })
        let late = try RowScan(snapshot, table.schema, maxThreads: threads).sum(properties[4])
        let old = count / 2
        #expect(late.value(as: .int64) == .int(Int64(7 * old + 9 * (count - old))))
        for limit in [1, 100, 20_000] {
          let sorted = kept.sorted { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
          #expect(
            try scan.firstIDs(sortedBy: properties[2], isAscending: false, limit: limit)
              == sorted.prefix(limit).map(\.id))
        }
      }
    }
  }

  /// The bytes are not a row, or the row has a string out of its bounds.
  @Test func damagedRowFailsScan() throws {
    for kind in 0..<3 {
      let table = try ScannedTable(Self.properties, oldCount: 4)
      let transaction = try table.begin()
      for id in UInt64(0)..<300 {
        try table.put(id, in: transaction) { property in
          switch property.id {
          case 2: .double(1)
          case 3: .string("name \(id)")
          default: .int(1)
          }
        }
      }
      let objects = table.schema.table
      var bytes = Array(try #require(transaction.find(objects, id: 150)))
      switch kind {
      case 0: bytes = [1, 2, 3]
      case 1: bytes.removeLast()
      default:
        let field = try #require(table.schema.currentLayout.field(forProperty: 3))
        bytes[field.offset + 4] = 0xFF
      }
      try bytes.withUnsafeBytes { try transaction.put(objects, id: 150, $0) }
      let snapshot = try transaction.commit()
      let test = RowTest(table.schema.properties[3], .beginsWith, .string("name"))
      let scan = RowScan(snapshot, table.schema, test: test)
      #expect(code { try scan.count() } == .corrupted)
      #expect(code { try scan.ids() } == .corrupted)
      #expect(code { try scan.sum(table.schema.properties[1]) } == .corrupted)
      #expect(code { try scan.forEach { _, _ in true } } == .corrupted)
      #expect(try scan.ids(limit: 10).count == 10)
      try table.end()
    }
  }

  private func code<R>(_ body: () throws -> R) -> Failure.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Failure)?.code
    }
  }

  @Test func longProgramsNeedNoStack() throws {
    var random = SeededRandom()
    try withTable(100, &random) { table, snapshot, rows in
      let count = 100_000
      let steps = (0..<count).map { index in
        RowTest.Step(
          PropertyPredicate(
            QueryPath(["age"]), .compared(index % 3 == 0 ? .less : .equal, .int(Int64(index)))),
          table.schema.properties[1],
          ifTrue: RowTest.accepted, ifFalse: index + 1 < count ? index + 1 : RowTest.rejected)
      }
      let test = RowTest(steps, start: 0)
      let found = try RowScan(snapshot, table.schema, test: test).count()
      #expect(found == 0)
    }
  }

  @Test func compiledFilterIsReleased() throws {
    var random = SeededRandom()
    try withTable(100, &random) { table, snapshot, _ in
      weak var released: RowTest?
      do {
        let test = RowTest(table.schema.properties[1], .greater, .int(0))
        released = test
        _ = try RowScan(snapshot, table.schema, test: test).count()
      }
      #expect((released == nil) as Bool)
    }
  }
}

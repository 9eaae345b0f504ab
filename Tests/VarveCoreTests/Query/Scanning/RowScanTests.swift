import Foundation
import Testing
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// A scan finds the same rows as a test of each value.
@Suite struct RowScanTests {
  /// How the rows are read.
  enum Way: CaseIterable { case snapshot, transaction }

  /// Runs a test on rows of two layouts, with touched rows, blobs and rows on overflow pages.
  private func withRows(
    _ way: Way, count: Int, _ random: inout SeededRandom,
    _ body: (ScannedTable, any TableReader, [[Value]], inout SeededRandom) throws -> Void
  ) throws {
    let table = try ScannedTable(
      ScannedValues.properties, oldCount: ScannedValues.oldCount)
    let transaction = try table.begin()
    for index in 0..<count {
      let id = UInt64(index) * 3 + 1 << 63
      // Some leaves have rows of one layout, and some have rows of both.
      let layout: UInt16 =
        index < count / 3 ? 1 : index < count / 2 ? UInt16(random.int(1...2)) : 2
      try table.put(id, layout: layout, isTouched: random.oneIn(20), in: transaction) { property in
        if property.kind.hasNullBit, random.oneIn(4) { return .null }
        return random.pick(ScannedValues.values(property.kind.type))
      }
    }
    func run(_ reader: any TableReader) throws {
      var rows: [[Value]] = []
      for id in table.ids(reader) {
        rows.append(
          try table.schema.properties.map { try reader.value(table.schema, id, $0) ?? .null })
      }
      #expect(rows.count == count)
      try body(table, reader, rows, &random)
    }
    if way == .transaction {
      try run(transaction)
      transaction.abort()
    } else {
      try run(try transaction.commit())
    }
    try table.end()
  }

  @Test(arguments: Way.allCases)
  func predicatesMatchRowsByTheirValues(_ way: Way) throws {
    var random = SeededRandom()
    print(random)
    try withRows(way, count: 60, &random) { table, reader, rows, random in
      let ids = table.ids(reader)
      for property in table.schema.properties {
        for operation in ScannedValues.operations.map({ Optional($0) }) + [nil, nil] {
          for _ in 0..<(way == .snapshot ? 5 : 1) {
            let predicate = ScannedValues.predicate(operation, of: property, &random)
            let test = RowTest(all: [(property, predicate)])
            let expected = zip(ids, rows).filter { predicate.matches($1[Int(property.id)]) }.map(
              \.0)
            let found = try RowScan(reader, table.schema, test: test).ids()
            #expect(found == expected, "\(random) \(property.kind) \(predicate.kind)")
          }
        }
      }
    }
  }

  private struct ProgramStep {
    let property: StoredProperty
    let predicate: PropertyPredicate
    let ifTrue: Int
    let ifFalse: Int
  }

  private func program(
    _ properties: [StoredProperty], _ random: inout SeededRandom
  ) -> [ProgramStep] {
    let count = 1 + random.below(6)
    let isChain = random.oneIn(3)
    return (0..<count).map { index in
      func target() -> Int {
        let next = index + 1 + random.below(count - index)
        return next < count && !random.oneIn(3) ? next : random.pick([-1, -2])
      }
      let operation = random.pick(ScannedValues.operations)
      let property = random.pick(properties)
      let predicate = ScannedValues.predicate(
        random.oneIn(4) ? nil : operation, of: property, &random)
      let next = index + 1 < count ? index + 1 : RowTest.accepted
      var targets = (ifTrue: next, ifFalse: RowTest.rejected)
      if isChain, random.oneIn(4) { targets = (RowTest.rejected, next) }
      if !isChain { targets = (target(), target()) }
      return ProgramStep(
        property: property, predicate: predicate, ifTrue: targets.ifTrue, ifFalse: targets.ifFalse)
    }
  }

  private func passes(_ steps: [ProgramStep], _ start: Int, _ row: [Value]) -> Bool {
    var current = start
    while current >= 0 {
      let step = steps[current]
      let matches = step.predicate.matches(row[Int(step.property.id)])
      current = matches ? step.ifTrue : step.ifFalse
    }
    return current == RowTest.accepted
  }

  @Test(arguments: Way.allCases)
  func programsAndAggregatesAgreeWithValues(_ way: Way) throws {
    var random = SeededRandom()
    print(random)
    try withRows(way, count: 60, &random) { table, reader, rows, random in
      let all = Array(zip(table.ids(reader), rows))
      for round in 0..<(way == .snapshot ? 400 : 100) {
        let properties = table.schema.properties
        let steps = program(properties, &random)
        let start = round == 0 ? RowTest.accepted : round == 1 ? RowTest.rejected : 0
        let test = RowTest(
          steps.map {
            RowTest.Step($0.predicate, $0.property, ifTrue: $0.ifTrue, ifFalse: $0.ifFalse)
          }, start: start)
        let lower = random.oneIn(2) ? 0 : all[random.below(all.count)].0
        let last = random.oneIn(2) ? .max : lower + UInt64(random.below(200))
        let isFiltered = !random.oneIn(5)
        let scan = RowScan(
          reader, table.schema, test: isFiltered ? test : nil, ids: lower...last)
        let kept = all.filter { id, row in
          (lower...last).contains(id) && (!isFiltered || passes(steps, start, row))
        }
        #expect(try scan.count() == kept.count, "\(random)")
        #expect(try scan.ids() == kept.map(\.0), "\(random)")
        #expect(try scan.ids(limit: 5) == kept.prefix(5).map(\.0), "\(random)")
        try checkAggregates(scan, random.pick(properties), kept, &random)
        try checkWalk(scan, table.schema, kept, reader)
      }
    }
  }

  private func checkAggregates(
    _ scan: RowScan, _ property: StoredProperty, _ kept: [(UInt64, [Value])],
    _ random: inout SeededRandom
  ) throws {
    let type = property.kind.type
    let values = kept.map { ($0, $1[Int(property.id)]) }
    let sum = try scan.sum(property)
    let expected = ValueSum(values.map(\.1))
    #expect(sum.count == expected.count, "\(random)")
    #expect(isSame(sum.value(as: type), expected.value(as: type)), "\(random) \(type)")
    #expect(
      sum.average.map(\.bitPattern) == expected.average.map(\.bitPattern), "\(random) \(type)")
    for end in [ValueExtreme.End.least, .greatest] {
      let found = try scan.extreme(property, end)
      let wanted = ValueExtreme(end, of: type, among: values.map(\.1)).value
      #expect(isSame(found ?? .null, wanted ?? .null), "\(random) \(type)")
    }
    let limit = random.pick([1, 3, 10, 1000])
    let isAscending = random.oneIn(2)
    let first = try scan.firstIDs(sortedBy: property, isAscending: isAscending, limit: limit)
    guard RowScan.sorts(by: property) else { return #expect(first == nil) }
    let sorted = values.sorted { a, b in
      switch rank(a.1) != rank(b.1)
        ? (rank(a.1) < rank(b.1) ? .ascending : .descending) : a.1.compared(to: b.1)
      {
      case .ascending: return isAscending
      case .descending: return !isAscending
      case .equal, .unordered: return a.0 < b.0
      }
    }
    #expect(first == sorted.prefix(limit).map(\.0), "\(random) \(type)")
  }

  private func rank(_ value: Value) -> Int { value.isNull ? 0 : value.isNaN ? 1 : 2 }

  private func isSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    default: a == b
    }
  }

  private func checkWalk(
    _ scan: RowScan, _ schema: ClassSchema, _ kept: [(UInt64, [Value])], _ reader: any TableReader
  ) throws {
    var walked: [UInt64] = []
    var isRight = true
    let property = schema.properties[5]
    try scan.forEach { (row, id) throws(Failure) in
      if walked.count < kept.count {
        let value = try reader.value(of: row, id, property)
        if value != kept[walked.count].1[5] { isRight = false }
      }
      walked.append(id)
      return walked.count < 20
    }
    #expect(isRight)
    #expect(walked == kept.prefix(20).map(\.0))
  }
}

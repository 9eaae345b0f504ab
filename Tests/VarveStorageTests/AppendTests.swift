import Testing
import VarveStorage
import VarveTestSupport

@Suite struct AppendTests {
  /// Appends in runs, with every other kind of change of the same table in between: each must close
  /// the cursor that stays at the end of the table.
  @Test func appendsMixWithAllOtherChanges() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        _ = try transaction.openTable(cats, create: true)
      }
      var model: [UInt64: [UInt8]] = [:]
      for _ in 0..<20 {
        let snapshot = try environment.write { transaction in
          for _ in 0..<60 { try change(transaction, &model, &random) }
        }
        #expect(snapshot.count(dogs) == model.count)
        for (id, bytes) in model where snapshot.bytes(dogs, id: id) != bytes {
          Issue.record("Entry \(id) differs.")
        }
        try environment.snapshot().checkOrder(of: dogs)
      }
    }
  }

  private func change(
    _ transaction: WriteTransaction, _ model: inout [UInt64: [UInt8]], _ random: inout SeededRandom
  ) throws {
    let highest = model.keys.max() ?? 0
    let any = UInt64(random.below(Int(highest) + 2))
    switch random.below(20) {
    case ..<11:
      for step in UInt64(1)...UInt64(1 + random.below(40)) {
        try append(transaction, highest + step * 3, random.bytes(random.below(300)), &model)
      }
    case 11, 12:
      // Not the greatest key.
      try append(transaction, any, random.bytes(20), &model)
    case 13:
      let bytes = random.bytes(random.below(900))
      try transaction.put(dogs, id: any, bytes)
      model[any] = bytes
    case 14:
      try transaction.put(dogs, id: highest + 1, [1], append: true)
      model[highest + 1] = [1]
    case 15:
      for id in model.keys.sorted().suffix(random.below(60)) {
        _ = try transaction.delete(dogs, id: id)
        model[id] = nil
      }
    case 16:
      try append(transaction, 1_000_000, [7], table: cats)
      _ = try transaction.delete(cats, id: 1_000_000)
    case 17:
      let kept = model
      try transaction.beginNested()
      try append(transaction, highest + 5, random.bytes(50), &model)
      if random.chance(50) {
        try transaction.commitNested()
      } else {
        try transaction.abortNested()
        model = kept
      }
    case 18 where random.chance(10):
      try transaction.deleteAll(dogs)
      model = [:]
    default:
      try transaction.put(dogs, id: any, [1, 2, 3])
      model[any] = [1, 2, 3]
    }
  }

  private func append(
    _ transaction: WriteTransaction, _ id: UInt64, _ bytes: [UInt8],
    _ model: inout [UInt64: [UInt8]]
  ) throws {
    try append(transaction, id, bytes, table: dogs)
    model[id] = bytes
  }

  private func append(
    _ transaction: WriteTransaction, _ id: UInt64, _ bytes: [UInt8], table: Table
  ) throws {
    try bytes.withUnsafeBytes { try transaction.append(table, id: id, $0) }
  }
}

extension Snapshot {
  fileprivate func checkOrder(of table: Table) throws {
    var cursor = cursor(table)
    var last: UInt64?
    var count = 0
    while cursor.next() {
      let id = cursor.id
      if let last, last >= id { Issue.record("Entry \(id) comes after \(last).") }
      last = id
      count += 1
    }
    let total = self.count(table)
    #expect(count == total)
  }
}

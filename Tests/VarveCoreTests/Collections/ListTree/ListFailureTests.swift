import Testing
import VarveEncoding
import VarveStorage

@testable import VarveCore

/// The behavior of an editor after the transaction has failed.
@Suite struct ListFailureTests {
  private let listID = ListTestStore.listID
  private let format = ListTestKind.int.format

  @Test func afterMapFullOperationsThrowAndReadsReturnNil() throws {
    let store = try ListTestStore(mapSize: 1 << 20)
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<5000).map { UInt64($0) }, at: 0)
    }
    let transaction = try store.beginWrite()
    let editor = ListEditor(listID: listID, transaction: transaction, format: format)
    expectError(.mapFull) {
      for value in 0..<200_000 { try editor.append(bits: UInt64(value)) }
      try editor.flush()
    }
    #expect(transaction.failure != nil)
    expectError(.mapFull) { try editor.remove(at: 0) }
    expectError(.mapFull) { try editor.replace(at: 100, bits: 1) }
    expectError(.mapFull) { try editor.flush() }
    for index in stride(from: 0, to: editor.count, by: 97) {
      // The element is either still in memory or nil.
      let bits = editor.bits(at: index)
      #expect(bits == nil || bits == UInt64(index < 5000 ? index : index - 5000))
    }
    transaction.abort()

    // The next transaction gets a larger map and finds the list unchanged.
    let snapshot = try store.write(format) { editor in
      #expect(editor.count == 5000)
      try editor.insert(contentsOf: (0..<50_000).map { UInt64($0) }, at: 5000)
    }
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: format)
    #expect(directory.count == 55_000)
    #expect(directory.bits(at: 54_999) == 49_999)
  }

  @Test func rolledBackNestedTransactionLeavesListUnchanged() throws {
    let store = try ListTestStore()
    let transaction = try store.beginWrite()
    let editor = ListEditor(listID: listID, transaction: transaction, format: format)
    try editor.insert(contentsOf: (0..<3000).map { UInt64($0) }, at: 0)
    try editor.flush()
    try transaction.beginNested()
    try editor.removeSubrange(500..<2500)
    try editor.insert(contentsOf: (0..<700).map { UInt64($0) }, at: 0)
    try editor.flush()
    try transaction.abortNested()
    let again = ListEditor(listID: listID, transaction: transaction, format: format)
    #expect(again.count == 3000)
    try again.append(bits: 3000)
    try again.flush()
    let snapshot = try transaction.commit()
    let report = ListTreeCheck.run(listID: listID, format: format, in: snapshot)
    #expect(report.problems == [])
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: format)
    #expect((0..<3001).allSatisfy { directory.bits(at: $0) == UInt64($0) })
  }
}

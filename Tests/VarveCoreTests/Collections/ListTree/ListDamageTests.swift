import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Damaged nodes result in nil, false or an error, and never in a trap.
@Suite struct ListDamageTests {
  private let listID = ListTestStore.listID

  @Test(arguments: [ListTestKind.int, ListTestKind.nullableInt, ListTestKind.string])
  func randomlyDamagedNodesNeverTrap(kind: ListTestKind) throws {
    var generator = SeededRandom()
    // A trap prints no message of an expectation, so the seed is printed beforehand.
    print("\(#function) \(kind) VARVE_SEED=\(generator.seed)")
    for _ in 0..<8 {
      let store = try ListTestStore()
      let built = try store.write(kind.format) { editor in
        let elements = (0..<2500).compactMap { _ in kind.element(&generator) }
        try editor.insert(contentsOf: elements, at: 0)
      }
      let nodeID = UInt64.random(in: 0..<built.root.nextNodeID, using: &generator)
      let damaged = try store.damage(nodeID: nodeID) { mutate(&$0, &generator) }
      // The transaction begins before the damage is found: afterwards the environment refuses to
      // begin one.
      let transaction = try store.beginWrite()
      let editor = ListEditor(listID: listID, transaction: transaction, format: kind.format)
      for _ in 0..<60 {
        do { try change(editor, kind, &generator) } catch {
          #expect(error is StorageError, "VARVE_SEED=\(generator.seed)")
        }
      }
      transaction.abort()
      read(damaged, kind)
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0 where bytes.count > 12:
      // Only the header: kind, format, count and length.
      let index = Int.random(in: 4..<12, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 1:
      bytes.removeLast(Int.random(in: 0..<max(bytes.count, 1), using: &generator))
    case 2:
      bytes = (0..<Int.random(in: 0...2000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
    default:
      for _ in 0..<8 where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    if bytes.isEmpty { bytes = [0] }
  }

  private func read(_ snapshot: Snapshot, _ kind: ListTestKind) {
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: kind.format)
    let end = min(directory.count, 3000)
    for index in 0..<end {
      _ = directory.bits(at: index)
      _ = directory.bytes(at: index)
    }
    var walk = directory.makeIterator()
    while walk.index < end, walk.advance() { _ = walk.bytes }
    _ = ListTreeCheck.run(listID: listID, format: kind.format, in: snapshot)
  }

  private func change(
    _ editor: ListEditor, _ kind: ListTestKind, _ generator: inout SeededRandom
  ) throws {
    let index = Int.random(in: 0...editor.count, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: try editor.insert(kind.element(&generator), at: index)
    case 1 where index < editor.count: try editor.replace(at: index, kind.element(&generator))
    case 2 where index < editor.count: try editor.remove(at: index)
    case 3:
      let upper = min(editor.count, index + Int.random(in: 0...400, using: &generator))
      try editor.removeSubrange(index..<upper)
    case 4: try editor.append(kind.element(&generator))
    case 5: _ = try editor.removeAll { $0 % 7 == 3 }
    case 6: _ = editor.bytes(at: index)
    case 7: try editor.flush()
    default:
      try editor.insert(
        contentsOf: (0..<400).compactMap { _ in kind.element(&generator) }, at: index)
    }
  }

  @Test func checkReportsProblem() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<2000).map { UInt64($0) }, at: 0)
    }
    let snapshot = try store.damage(nodeID: 2) { $0[100] ^= 1 }
    let report = ListTreeCheck.run(listID: listID, format: format, in: snapshot)
    #expect(report.problems == [ListTreeCheck.Problem(kind: .badChecksum, nodeID: 2)])
  }

  /// The elements end where no element can end.
  @Test func checkReportsWrongEnds() throws {
    let store = try ListTestStore()
    let format = ListElementFormat.variable
    try store.write(format) { editor in
      for number in 0..<20 {
        var element = ByteBuffer()
        ElementCodec.append(.string("element \(number)"), to: &element)
        try element.withUnsafeBytes { try editor.insert(bytes: $0, at: editor.count) }
      }
    }
    let snapshot = try store.damage(nodeID: ListNodeKey.root) { bytes in
      bytes[ListNode.headerBytes + 5] = 0x7F
    }
    let report = ListTreeCheck.run(listID: listID, format: format, in: snapshot)
    #expect(report.problems.map(\.kind) == [.badChecksum, .damagedNode])
  }

  /// A walk over two billion elements would not end.
  @Test func countOfDamagedRootIsLimitedByOwner() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<2000).map { UInt64($0) }, at: 0)
    }
    let snapshot = try store.damage(nodeID: ListNodeKey.root) { bytes in
      for index in stride(from: ListNode.headerBytes + 19, to: bytes.count, by: 20) {
        bytes[index] = 0x7F
      }
    }
    #expect(ListDirectory(listID: listID, snapshot: snapshot, format: format).count > 1 << 30)
    let content = CollectionContent(CollectionSlot(id: listID, revision: 0, count: 2000))
    let list = ListDirectory(content, snapshot: snapshot, format: format)
    #expect(list.count == 2000)
    var walk = list.makeIterator()
    while walk.advance() {}
    #expect(walk.index == 2000)
    #expect(snapshot.environment.damageError?.code == .corrupted)
  }

  @Test func editorRefusesOverlongNode() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in try editor.append(bits: 1) }
    let buffer = ListLeafBuffer(format: format)
    for _ in 0..<248 { buffer.append(bits64: 1) }
    try store.damage(nodeID: ListNodeKey.root) { bytes in
      // 300 elements, consistent except for the limit.
      bytes = [UInt8](buffer.finish(ListNodeKey(listID: listID)))
      bytes += [UInt8](repeating: 0, count: 52 * 8)
      bytes[6] = UInt8(300 & 0xFF)
      bytes[7] = UInt8(300 >> 8)
      bytes[8] = UInt8(bytes.count & 0xFF)
      bytes[9] = UInt8(bytes.count >> 8)
    }
    let transaction = try store.beginWrite()
    let editor = ListEditor(listID: listID, transaction: transaction, format: format)
    #expect(editor.count == 0)
    expectError(.corrupted) { try editor.append(bits: 2) }
    transaction.abort()
  }

  @Test func overlongElementsAreRefused() throws {
    let store = try ListTestStore()
    try store.write(.variable) { editor in
      let tooLong = [UInt8](repeating: 8, count: ListEditor.maximumElementBytes + 1)
      expectError(.valueTooLong) { try editor.append(tooLong) }
      try editor.append([8])
      expectError(.valueTooLong) { try editor.replace(at: 0, tooLong) }
      #expect(editor.elements == [[8]])
    }
  }
}

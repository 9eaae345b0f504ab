import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Lists compared with arrays: the same operations must result in the same elements.
@Suite struct ListEditorTests {
  @Test(arguments: ListTestKind.all)
  func randomOperationsAgreeWithArray(kind: ListTestKind) throws {
    var generator = SeededRandom()
    let seed = generator.seed
    let store = try ListTestStore()
    var model: [[UInt8]?] = []
    for round in 0..<12 {
      // The rounds grow and shrink the list, so that nodes split and merge at all levels.
      let isGrowing = round % 4 < 2
      let snapshot = try store.write(kind.format) { editor in
        // The limit is sometimes so low that leaves are released during operations.
        if round % 3 == 1 { editor.maximumLoadedLeaves = 2 }
        try changeOneLeaf(editor, &model, kind, &generator)
        for _ in 0..<120 {
          try step(editor, &model, kind, &generator, isGrowing: isGrowing)
          #expect(editor.count == model.count, "VARVE_SEED=\(seed)")
          #expect(agreesAnywhere(editor, model, &generator), "VARVE_SEED=\(seed)")
        }
        #expect(editor.elements == model, "VARVE_SEED=\(seed)")
      }
      let directory = ListDirectory(
        listID: ListTestStore.listID, snapshot: snapshot, format: kind.format)
      #expect(directory.elements == model, "VARVE_SEED=\(seed)")
      #expect(directory.walkedElements == model, "VARVE_SEED=\(seed)")
    }
  }

  /// Compares some elements between the changes: the element read last must not be confused with
  /// its neighbor after the next change.
  private func agreesAnywhere(
    _ editor: ListEditor, _ model: [[UInt8]?], _ generator: inout SeededRandom
  ) -> Bool {
    guard !model.isEmpty else { return true }
    return (0..<3).allSatisfy { _ in
      let index = generator.below(model.count)
      return editor.bytes(at: index).map { [UInt8]($0) } == model[index]
    }
  }

  /// Changes one leaf while the others are still read from the snapshot.
  private func changeOneLeaf(
    _ editor: ListEditor, _ model: inout [[UInt8]?], _ kind: ListTestKind,
    _ generator: inout SeededRandom
  ) throws {
    let index = generator.below(model.count / 2 + 1)
    for _ in 0..<12 {
      let at = min(index + generator.below(3), model.count)
      if generator.chance(40), at < model.count {
        try editor.remove(at: at)
        model.remove(at: at)
      } else {
        let element = kind.element(&generator)
        try editor.insert(element, at: at)
        model.insert(element, at: at)
      }
      #expect(agreesAnywhere(editor, model, &generator), "VARVE_SEED=\(generator.seed)")
    }
  }

  private func step(
    _ editor: ListEditor, _ model: inout [[UInt8]?], _ kind: ListTestKind,
    _ generator: inout SeededRandom, isGrowing: Bool
  ) throws {
    let choice = Int.random(in: 0..<100, using: &generator)
    let index = Int.random(in: 0...model.count, using: &generator)
    switch choice {
    case 0..<20:
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        let element = kind.element(&generator)
        try editor.append(element)
        model.append(element)
      }
    case 20..<45:
      let element = kind.element(&generator)
      try editor.insert(element, at: index)
      model.insert(element, at: index)
    case 45..<(isGrowing ? 55 : 47):
      let batch = (0..<Int.random(in: 0...700, using: &generator)).compactMap { _ in
        kind.element(&generator)
      }
      try editor.insert(contentsOf: batch, at: index)
      model.insert(contentsOf: batch, at: index)
    case 55..<70 where !model.isEmpty:
      let index = Int.random(in: 0..<model.count, using: &generator)
      let element = kind.element(&generator)
      try editor.replace(at: index, element)
      model[index] = element
    case 70..<72 where !model.isEmpty:
      let source = Int.random(in: 0..<model.count, using: &generator)
      let target = Int.random(in: 0..<model.count, using: &generator)
      try editor.move(from: source, to: target)
      model.insert(model.remove(at: source), at: target)
    case 72..<74 where !model.isEmpty:
      let first = Int.random(in: 0..<model.count, using: &generator)
      let second = Int.random(in: 0..<model.count, using: &generator)
      try editor.swapAt(first, second)
      model.swapAt(first, second)
    case 74..<85 where !model.isEmpty:
      let index = Int.random(in: 0..<model.count, using: &generator)
      try editor.remove(at: index)
      model.remove(at: index)
    case 85..<(isGrowing ? 87 : 97):
      let upper = min(model.count, index + Int.random(in: 0...600, using: &generator))
      try editor.removeSubrange(index..<upper)
      model.removeSubrange(index..<upper)
    case 97 where kind.format.width == 8:
      let limit = UInt64.random(in: 0..<8, using: &generator)
      let removed = try editor.removeAll { $0 % 8 == limit }
      let before = model.count
      model.removeAll { bits($0).map { $0 % 8 == limit } ?? false }
      #expect(removed == before - model.count)
    case 98:
      try editor.flush()
    case 99 where kind.format.width == 8:
      let element = kind.element(&generator)
      let found = try editor.firstIndex(ofBits: bits(element))
      #expect(found == model.firstIndex(of: element))
    default: break
    }
  }

  private func bits(_ element: [UInt8]?) -> UInt64? {
    element.map { $0.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
  }

  @Test func cachedLeafIsReloadedAfterEarlierChange() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<1000).map { UInt64($0) }, at: 0)
    }
    try store.write(format) { editor in
      try editor.insert(bits: 7, at: 0)
      #expect(editor.bits(at: 601) == 600)
      try editor.insert(bits: 7, at: 0)
      #expect(editor.bits(at: 602) == 600)
      try editor.remove(at: 0)
      #expect(editor.bits(at: 601) == 600)
      try editor.insert(contentsOf: [1, 2, 3] as [UInt64], at: 1)
      #expect(editor.bits(at: 604) == 600)
      try editor.removeSubrange(1..<3)
      #expect(editor.bits(at: 602) == 600)
      let removed = try editor.removeAll { $0 < 5 }
      #expect(removed == 6 && editor.bits(at: 596) == 600)
    }
  }

  @Test func appendsFillLeaves() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let snapshot = try store.write(format) { editor in
      for value in 0..<30_000 { try editor.append(bits: UInt64(value)) }
    }
    let report = ListTreeCheck.run(listID: ListTestStore.listID, format: format, in: snapshot)
    #expect(report.elementCount == 30_000)
    // 248 elements have room; eight more can be inserted.
    #expect(report.leafCount == (30_000 + 239) / 240)
    #expect(report.depth == 3)
  }

  @Test func firstInsertionsIntoAppendedLeavesSplitNoLeaf() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    func check(_ snapshot: Snapshot) -> ListTreeCheck.Report {
      ListTreeCheck.run(listID: ListTestStore.listID, format: format, in: snapshot)
    }
    let appended = try store.write(format) { editor in
      for value in 0..<24_000 { try editor.append(bits: UInt64(value)) }
    }
    let inserted = try store.write(format) { editor in
      for leaf in (0..<100).reversed() {
        for _ in 0..<8 { try editor.insert(bits: 0, at: leaf * 240 + 7) }
      }
    }
    #expect(check(inserted).leafCount == check(appended).leafCount)
    #expect(check(inserted).elementCount == 24_800)
    let split = try store.write(format) { editor in try editor.insert(bits: 0, at: 7) }
    #expect(check(split).leafCount == 101)
  }

  @Test func appendsAcrossTransactionsFillLeaves() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    for start in stride(from: 0, to: 1000, by: 100) {
      try store.write(format) { editor in
        for value in start..<start + 100 { try editor.append(bits: UInt64(value)) }
      }
    }
    let snapshot = try store.environment.snapshot()
    let directory = ListDirectory(
      listID: ListTestStore.listID, snapshot: snapshot, format: format)
    #expect((0..<1000).allSatisfy { directory.bits(at: $0) == UInt64($0) })
    let report = ListTreeCheck.run(listID: ListTestStore.listID, format: format, in: snapshot)
    #expect(report.leafCount == 5)
  }

  @Test func exceedingLoadedLeafLimitWritesEarly() throws {
    let store = try ListTestStore()
    let format = ListTestKind.string.format
    // Three elements per leaf: many leaves with few elements.
    let element = [PropertyType.string.rawValue] + [UInt8](repeating: 97, count: 512)
    let total = 600 * 3
    let snapshot = try store.write(format) { editor in
      editor.maximumLoadedLeaves = 100
      for _ in 0..<total { try editor.append(element) }
      #expect(editor.loadedLeafCount <= 101)
      try editor.replace(at: 5, [PropertyType.string.rawValue, 98])
      #expect(editor.bytes(at: 5)?.count == 2)
      #expect(editor.bytes(at: total - 1)?.count == 513)
    }
    let directory = ListDirectory(
      listID: ListTestStore.listID, snapshot: snapshot, format: format)
    #expect(directory.count == total)
    #expect(directory.bytes(at: 5)?.count == 2)
  }

  @Test(arguments: ListTestKind.all)
  func removingOneByOneFromTheEndLeavesNoNodes(kind: ListTestKind) throws {
    try removeEverything(kind) { editor in
      while editor.count > 0 { try editor.remove(at: editor.count - 1) }
    }
  }

  @Test(arguments: ListTestKind.all)
  func removingOneByOneFromTheStartLeavesNoNodes(kind: ListTestKind) throws {
    try removeEverything(kind) { editor in
      while editor.count > 0 { try editor.remove(at: 0) }
    }
  }

  @Test(arguments: ListTestKind.all)
  func removingAllLeavesNoNodes(kind: ListTestKind) throws {
    try removeEverything(kind) { editor in try editor.removeAll() }
  }

  @Test func removingAllMatchesLeavesNoNodes() throws {
    try removeEverything(.int) { editor in
      let count = editor.count
      let removed = try editor.removeAll { _ in true }
      #expect(removed == count)
    }
  }

  private func removeEverything(
    _ kind: ListTestKind, _ remove: (ListEditor) throws -> Void
  ) throws {
    var generator = SeededRandom()
    let seed = generator.seed
    let store = try ListTestStore()
    try store.write(kind.format) { editor in
      let elements = (0..<3000).compactMap { _ in kind.element(&generator) }
      try editor.insert(contentsOf: elements, at: 0)
    }
    let snapshot = try store.write(kind.format) { editor in
      try remove(editor)
      #expect(editor.count == 0, "VARVE_SEED=\(seed)")
      #expect(editor.needsFlush)
    }
    #expect(snapshot.count(.lists) == 0, "VARVE_SEED=\(seed)")
    let directory = ListDirectory(
      listID: ListTestStore.listID, snapshot: snapshot, format: kind.format)
    #expect(directory.count == 0)
    #expect(directory.bytes(at: 0) == nil)
  }

  @Test func removingMostLeavesASmallTree() throws {
    var generator = SeededRandom()
    let seed = generator.seed
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<50_000).map { UInt64($0) }, at: 0)
    }
    let snapshot = try store.write(format) { editor in
      while editor.count > 100 {
        try editor.remove(at: Int.random(in: 0..<editor.count, using: &generator))
      }
    }
    let report = ListTreeCheck.run(listID: ListTestStore.listID, format: format, in: snapshot)
    #expect(report.nodeCount <= 3, "VARVE_SEED=\(seed)")
  }

  @Test func elementsAddedAfterRemovingAllAreKept() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<2000).map { UInt64($0) }, at: 0)
    }
    let snapshot = try store.write(format) { editor in
      try editor.removeAll()
      for value in 0..<600 { try editor.append(bits: UInt64(value * 2)) }
    }
    let directory = ListDirectory(
      listID: ListTestStore.listID, snapshot: snapshot, format: format)
    #expect(directory.count == 600)
    #expect((0..<600).allSatisfy { directory.bits(at: $0) == UInt64($0 * 2) })
  }

  @Test func equalReplacementIsNoChange() throws {
    let store = try ListTestStore()
    let format = ListTestKind.nullableInt.format
    try store.write(format) { editor in
      try editor.append(bits: 5)
      try editor.append(bits: nil)
    }
    try store.write(format) { editor in
      let equal = try [editor.replace(at: 0, bits: 5), editor.replace(at: 1, bits: nil)]
      #expect(equal == [false, false])
      #expect(!editor.needsFlush)
      let other = try editor.replace(at: 1, bits: 0)
      #expect(other && editor.needsFlush)
    }
  }

  @Test func narrowElementsAreWidened() throws {
    let store = try ListTestStore()
    let cases: [(PropertyType, UInt64)] = [
      (.bool, 1), (.int8, UInt64(bitPattern: -3)), (.int16, UInt64(bitPattern: -300)),
      (.int32, UInt64(bitPattern: -70_000)), (.float, UInt64(Float(-1.5).bitPattern)),
      (.double, 1.5.bitPattern),
    ]
    for (index, (type, bits)) in cases.enumerated() {
      for isNullable in [false, true] {
        let format = ListElementFormat(type: type, isNullable: isNullable)
        let listID = UInt64(100 + index * 2 + (isNullable ? 1 : 0))
        let snapshot = try store.write(format, listID: listID) { editor in
          for _ in 0..<5000 { try editor.append(bits: bits) }
          #expect(editor.bits(at: 4999) == bits)
          #expect(editor.bits(at: 0) == bits)
        }
        let directory = ListDirectory(listID: listID, snapshot: snapshot, format: format)
        #expect((0..<5000).allSatisfy { directory.bits(at: $0) == bits })
      }
    }
  }

  @Test func deletingTheNodesLeavesOtherListsAlone() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    for listID in [6, 7, 8] as [UInt64] {
      try store.write(format, listID: listID) { editor in
        try editor.insert(contentsOf: (0..<1000).map { UInt64($0) }, at: 0)
      }
    }
    let snapshot = try store.write(format, listID: 7) { editor in try editor.removeAll() }
    let counts = [6, 7, 8].map {
      ListDirectory(listID: $0, snapshot: snapshot, format: format).count
    }
    #expect(counts == [1000, 0, 1000])
    #expect(snapshot.count(.lists) == 12)
  }
}

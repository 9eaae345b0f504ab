import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Lists that were rewritten, with contents that are wholly or partly equal.
@Suite struct ListEqualityTests {
  private let listID = ListTestStore.listID
  private let int = ListTestKind.int.format

  /// Compares in both directions, and with `isEmpty`.
  private func changes(
    _ difference: ListDifference, _ old: Snapshot, _ new: Snapshot,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> IndexChanges {
    let changes = try difference.changes(from: old, to: new)
    let reversed = ListDifference(
      from: difference.newContent, to: difference.oldContent, format: difference.format)
    let back = try reversed.changes(from: new, to: old)
    #expect(changes.isEmpty == back.isEmpty, sourceLocation: sourceLocation)
    let isEmpty = try difference.isEmpty(from: old, to: new)
    let isEmptyBack = try reversed.isEmpty(from: new, to: old)
    #expect(
      isEmpty == changes.isEmpty && isEmptyBack == isEmpty, sourceLocation: sourceLocation)
    return changes
  }

  @Test func elementsShiftedOntoEqualElementsAreUnchanged() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: int)
    let old = try store.write(int) { editor in
      try editor.insert(contentsOf: [UInt64](repeating: 5, count: 20_000), at: 0)
    }
    let shifted = try store.write(int) { editor in
      try editor.remove(at: 3)
      try editor.insert(bits: 5, at: 19_990)
    }
    #expect(try changes(difference, old, shifted).isEmpty)
    let other = try store.write(int) { editor in
      try editor.remove(at: 3)
      try editor.insert(bits: 6, at: 12_000)
      _ = try editor.replace(at: 19_000, bits: 7)
    }
    let found = try changes(difference, shifted, other)
    #expect(found.deletions.count == 1 && found.insertions == [12_000])
    #expect(found.modifications == [19_000])
  }

  @Test func equalRangeBetweenChangesIsOmitted() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: int)
    let elements = (0..<30_000).map { $0 < 10_000 ? 1 : UInt64($0) }
    let old = try store.write(int) { editor in try editor.insert(contentsOf: elements, at: 0) }
    let new = try store.write(int) { editor in
      try editor.remove(at: 0)
      try editor.insert(bits: 1, at: 9000)
      _ = try editor.replace(at: 15_000, bits: 9)
      try editor.insert(bits: 8, at: 25_000)
    }
    let found = try changes(difference, old, new)
    #expect(found.deletions.isEmpty && found.insertions == [25_000])
    #expect(found.modifications == [15_000])
  }

  @Test func listsWithDifferentIDsAreCompared() throws {
    let store = try ListTestStore()
    let elements = (0..<3000).map { UInt64($0) }
    try store.write(int, listID: 20) { editor in try editor.insert(contentsOf: elements, at: 0) }
    let old = try store.write(int, listID: 31) { editor in
      try editor.insert(contentsOf: elements, at: 0)
    }
    let difference = ListDifference(from: 20, to: 31, format: int)
    #expect(try changes(difference, old, old).isEmpty)
    let new = try store.write(int, listID: 31) { editor in try editor.remove(at: 1000) }
    #expect(try changes(difference, old, new).deletions == [1000])
    let come = try changes(ListDifference(from: 0, to: 31, format: int), old, new)
    #expect(come.insertions.ranges == [0..<2999] && come.deletions.isEmpty)
    let gone = try changes(ListDifference(from: 31, to: 0, format: int), old, new)
    #expect(gone.deletions.ranges == [0..<3000] && gone.insertions.isEmpty)
    #expect(try changes(ListDifference(listID: 0, format: int), old, new).isEmpty)
  }

  // MARK: - Large values

  /// Writes a list of texts. Each large text is written as a new blob.
  ///
  /// - Parameter checksum: The checksum of each blob; nil for the right one.
  private func write(
    _ store: ListTestStore, _ texts: [String], type: PropertyType = .string,
    chunkBytes: Int = 1 << 20, checksum: UInt32? = nil
  ) throws -> Snapshot {
    let transaction = try store.beginWrite()
    let writer = MapWriter(
      transaction: transaction, fileKey: FileKey(low: 1, high: 2), chunkBytes: chunkBytes)
    let editor = ListEditor(listID: listID, transaction: transaction, format: .variable)
    if editor.count > 0 { try editor.removeAll() }
    for text in texts {
      var element = ByteBuffer()
      if text.utf8.count > ElementCodec.maximumInlineBytes {
        let blob = try writer.blob(Array(text.utf8), checksum: checksum)
        ElementCodec.append(blob: blob, type: type, to: &element)
      } else {
        ElementCodec.append(.string(text), to: &element)
      }
      try editor.append(element.withUnsafeBytes { [UInt8]($0) })
    }
    try editor.flush()
    return try transaction.commit()
  }

  private func large(_ letter: String, _ count: Int = 600) -> String {
    String(repeating: letter, count: count)
  }

  @Test func largeValuesAreComparedByBytes() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    let texts = [large("a"), large("b"), large("a"), "short", large("c", 2_500_000), large("d")]
    let old = try write(store, texts)
    #expect(try changes(difference, old, try write(store, texts)).isEmpty)
    var other = texts
    other[1] = large("e")
    other.remove(at: 4)
    let found = try changes(difference, old, try write(store, other))
    #expect(found.modifications == [1] && found.deletions == [4] && found.insertions.isEmpty)
    let data = try changes(difference, old, try write(store, texts, type: .data))
    #expect(Array(data.modifications) == [0, 1, 2, 4, 5])
  }

  @Test func randomListsOfLargeValuesHaveMinimalChanges() throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    var last: (snapshot: Snapshot, texts: [String])?
    for _ in 0..<60 {
      let texts = (0..<random.below(40)).map { _ in
        large(random.pick(["a", "b", "c"]), random.pick([16, 600, 601]))
      }
      let snapshot = try write(store, texts)
      if let last {
        let found = try changes(difference, last.snapshot, snapshot)
        #expect(fault(found, from: last.texts, to: texts) == nil, "\(random)")
        let kept = found.unchangedCount(of: last.texts.count)
        #expect(kept == commonCount(last.texts, texts), "\(random)")
      }
      last = (snapshot, texts)
    }
  }

  @Test func chunkSizeDoesNotAffectEquality() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    let texts = [large("a"), large("b"), large("a"), large("c", 601)]
    let old = try write(store, texts)
    #expect(try changes(difference, old, try write(store, texts, chunkBytes: 7)).isEmpty)
    // The elements have moved, so that hashes are needed to find them.
    let moved = [large("b"), large("a"), large("c", 601), large("a")]
    let found = try changes(difference, old, try write(store, moved, chunkBytes: 100))
    #expect(found.unchangedCount(of: 4) == 3)
  }

  @Test func blobsOfTwoFilesAreDistinguished() throws {
    let stores = [try ListTestStore(), try ListTestStore()]
    let difference = ListDifference(listID: listID, format: .variable)
    // Every blob id has different contents in the two files.
    let old = try write(stores[0], [large("a"), large("b"), large("c"), large("d")])
    let new = try write(stores[1], [large("b"), large("c"), large("a"), large("d")])
    let found = try changes(difference, old, new)
    #expect(found.unchangedCount(of: 4) == 3)
    withExtendedLifetime(stores) {}
  }

  /// Different bytes may have one checksum.
  @Test func blobsWithOneChecksumAreComparedByBytes() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    let texts = [large("a"), large("b"), large("c")]
    let old = try write(store, texts, checksum: 5)
    #expect(try changes(difference, old, try write(store, texts, checksum: 5)).isEmpty)
    let moved = [large("b"), large("a"), large("d")]
    let found = try changes(difference, old, try write(store, moved, checksum: 5))
    #expect(found.unchangedCount(of: 3) == 1)
  }

  @Test func blobsWithDifferentChecksumsAreNotRead() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    let old = try write(store, [large("a")])
    _ = try write(store, [large("b")])
    let new = try store.writeMaps { writer in
      let key = BlobChunkKey(blobID: writer.transaction.root.nextBlobID - 1, offset: 0)
      _ = try key.withBytes { try writer.transaction.delete(.blobs, key: $0) }
    }
    #expect(try changes(difference, old, new).modifications == [0])
    #expect(try !difference.isEmpty(from: new, to: old))
  }

  @Test func missingChunksThrow() throws {
    let store = try ListTestStore()
    let difference = ListDifference(listID: listID, format: .variable)
    let old = try write(store, [large("a")])
    _ = try write(store, [large("a")])
    let new = try store.writeMaps { writer in
      var key = OrderedKey()
      BlobChunkKey(blobID: writer.transaction.root.nextBlobID - 1, offset: 0).encode(into: &key)
      _ = try key.withUnsafeBytes { try writer.transaction.delete(.blobs, key: $0) }
    }
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
    expectError(.corrupted) { try difference.isEmpty(from: new, to: old) }
  }
}

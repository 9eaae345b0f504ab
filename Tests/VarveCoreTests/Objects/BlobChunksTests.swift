import Foundation
import Testing
import VarveEncoding
import VarveStorage

@testable import VarveCore

/// Blobs with chunks of any lengths, read as a whole and in ranges.
@Suite struct BlobChunksTests {
  private static let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  /// Writes a blob with chunks of a length, between two other blobs.
  private func write(_ store: ListTestStore, _ chunkBytes: Int) throws -> (Snapshot, BlobReference)
  {
    var blob: BlobReference?
    let snapshot = try store.writeMaps { writer in
      var writer = writer
      writer.chunkBytes = chunkBytes
      _ = try writer.blob([1, 2, 3])
      blob = try writer.blob(Self.bytes)
      _ = try writer.blob([4, 5, 6])
    }
    return (snapshot, try #require(blob))
  }

  private static let lengths = [1, 7, 100, 333, 999, 1000, 4000]

  @Test(arguments: lengths) func rangesAreRead(_ chunkBytes: Int) throws {
    let store = try ListTestStore()
    let (snapshot, blob) = try write(store, chunkBytes)
    try snapshot.verify(blob)
    #expect(try snapshot.bytes(of: blob) == Data(Self.bytes))
    #expect(try snapshot.text(of: blob) == String(decoding: Self.bytes, as: UTF8.self))
    let transaction = try store.beginWrite()
    defer { transaction.abort() }
    let bounds = [0, 1, 6, 7, 8, 99, 100, 101, 332, 333, 334, 500, 998, 999, 1000]
    func expectRanges(_ reader: any TableReader) throws {
      for start in bounds {
        for end in bounds where end >= start {
          let found = try reader.bytes(of: blob, in: start..<end)
          #expect(found.elementsEqual(Self.bytes[start..<end]), "\(start)..<\(end)")
        }
      }
    }
    try expectRanges(snapshot)
    try expectRanges(transaction)
    // LMDB's cursor reads a changed table.
    let key = FileKey(low: 1, high: 2)
    try MapWriter(transaction: transaction, fileKey: key).putChunk(1 << 40, at: 0, [9])
    try expectRanges(transaction)
  }

  @Test func lastBlobOfTableIsRead() throws {
    let store = try ListTestStore()
    var blob: BlobReference?
    let snapshot = try store.writeMaps { writer in
      var writer = writer
      writer.chunkBytes = 300
      blob = try writer.blob(Self.bytes)
    }
    let found = try snapshot.bytes(of: try #require(blob), in: 950..<1000)
    #expect(found.elementsEqual(Self.bytes[950...]))
  }

  /// The third of ten chunks is changed: what is before it can still be read.
  @Test(arguments: ["missing", "empty", "short", "long", "earlier", "later", "too long"])
  func damagedChunkIsNotRead(_ damage: String) throws {
    let store = try ListTestStore()
    let (_, blob) = try write(store, 100)
    let snapshot = try store.writeMaps { writer in
      func put(at offset: Int, _ count: Int) throws {
        try writer.putChunk(blob.id, at: offset, [UInt8](repeating: 9, count: count))
      }
      func remove(at offset: UInt32) throws {
        _ = try BlobChunkKey(blobID: blob.id, offset: offset).withBytes {
          try writer.transaction.delete(.blobs, key: $0)
        }
      }
      switch damage {
      case "missing": try remove(at: 200)
      case "empty": try put(at: 200, 0)
      case "short": try put(at: 200, 99)
      case "long": try put(at: 200, 101)
      case "earlier":
        try remove(at: 200)
        try put(at: 199, 101)
      case "later":
        try remove(at: 200)
        try put(at: 201, 99)
      default: try put(at: 200, 801)
      }
    }
    #expect(throws: Failure.self) { try snapshot.verify(blob) }
    #expect(throws: Failure.self) { try snapshot.bytes(of: blob) }
    #expect(throws: Failure.self) { try snapshot.text(of: blob) }
    #expect(throws: Failure.self) { try snapshot.bytes(of: blob, in: 150..<302) }
    #expect(try snapshot.bytes(of: blob, in: 0..<199).elementsEqual(Self.bytes[..<199]))
    #expect(try snapshot.bytes(of: blob, in: 400..<950).elementsEqual(Self.bytes[400..<950]))
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

@Model class Sheet: Object {
  @Persisted var body: Data
  @Persisted var note: Data?
  @Persisted var title: String
  @Persisted var caption: String?
  @Persisted var number = 0
  @Persisted var emblem: Emblem?
  @Persisted var next: Sheet?

  /// Forwards to a persisted property.
  var content: Data { body }
}

@Model final class LargeSheet: Sheet {
  @Persisted var scale = 1
}

@Model final class Emblem: EmbeddedObject {
  @Persisted var image: Data
}

/// Bytes that differ at all offsets of a page.
func pattern(_ count: Int, seed: Int = 0) -> Data {
  Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ $0 >> 8) })
}

extension RawSpan {
  /// A copy of the bytes.
  var copy: Data { withUnsafeBytes { Data($0) } }
}

extension TemporaryRealm {
  /// The lengths of the chunks of all blobs.
  func chunkLengths() throws -> [Int] {
    try configuration.store().newestSnapshot().entries(.blobs).map(\.value.count)
  }

  /// Cuts the only blob into chunks of other lengths, below the library.
  func cutBlob(_ lengths: [Int]) throws {
    try edit { transaction in
      let entries = transaction.entries(.blobs)
      let id = Array(try #require(entries.first).key.prefix(8))
      let bytes = entries.flatMap(\.value)
      try #require(lengths.reduce(0, +) == bytes.count)
      for entry in entries { try transaction.remove(entry, .blobs) }
      var start = 0
      for length in lengths {
        let chunk = Array(bytes[start..<start + length])
        let key = id + bigEndian(UInt64(start), 4)
        try transaction.put(StoredEntry(key: key, value: chunk), .blobs)
        start += length
      }
    }
  }
}

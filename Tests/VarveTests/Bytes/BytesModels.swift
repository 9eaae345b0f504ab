import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

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

private let noise: [UInt8] = {
  var random = SeededRandom(seed: 26)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(4 << 20)
  while bytes.count < 4 << 20 {
    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
  }
  return bytes
}()

/// Noise, which differs for different seeds; the beginning of a longer pattern is a shorter one.
func pattern(_ count: Int, seed: Int = 0) -> Data {
  let start = (seed &* 8191) & 0xFFFF
  return noise.withUnsafeBytes { Data($0[start..<start + count]) }
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

@Model class Picture: Object {
  @Persisted var image: Data
}

/// A property that is inherited, and one that forwards to it.
@Model final class Scan: Picture {
  @Persisted var page: Int

  var sameImage: Data { image }
}

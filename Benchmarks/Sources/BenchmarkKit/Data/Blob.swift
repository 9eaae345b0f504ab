package import Foundation

/// The blobs, computed from their ids: 8,192 to 12,287 bytes of noise.
package enum Blob {
  /// A mebibyte of noise. A blob is a slice of it, so that making one costs an engine almost
  /// nothing.
  package static let noise: [UInt8] = {
    var random = SplitMix(seed: 0xB10B)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 20)
    while bytes.count < 1 << 20 {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }()

  /// The range of a blob in the noise.
  package static func range(_ id: Int) -> Range<Int> {
    let bits = SplitMix.mix(0xF1 &+ UInt64(id))
    let count = 8192 + Int(bits % 4096)
    let start = Int((bits >> 20) % UInt64((1 << 20) - 12_288))
    return start..<start + count
  }

  package static func content(_ id: Int) -> Data {
    noise.withUnsafeBytes { Data($0[range(id)]) }
  }

  /// The data that is appended: 4,096 bytes.
  package static func addition(_ id: Int) -> Data {
    let start = range(id + 1).lowerBound
    return noise.withUnsafeBytes { Data($0[start..<start + 4096]) }
  }
}

/// The messages of a spool: 1 to 4 kB.
package enum Message {
  package static func content(_ id: Int) -> Data { piece(id, 1024 + Int(bits(id) % 3072)) }

  /// The data that is appended: 200 bytes.
  package static func addition(_ id: Int) -> Data { piece(id + 1, 200) }

  private static func bits(_ id: Int) -> UInt64 { SplitMix.mix(0xF2 &+ UInt64(id)) }

  private static func piece(_ id: Int, _ count: Int) -> Data {
    let start = Int((bits(id) >> 20) % UInt64((1 << 20) - 4096))
    return Blob.noise.withUnsafeBytes { Data($0[start..<start + count]) }
  }
}

/// The pages of a web site: 1 to 8 kB.
package enum WebPage {
  package static func path(_ id: Int) -> String { "/pages/\(id % 100)/\(id).html" }

  package static func content(_ id: Int) -> Data {
    let bits = SplitMix.mix(0xF3 &+ UInt64(id))
    let start = Int((bits >> 20) % UInt64((1 << 20) - 8192))
    return Blob.noise.withUnsafeBytes { Data($0[start..<start + 1024 + Int(bits % 7168)]) }
  }

  /// The log line of a request: about 100 bytes.
  package static func logLine(_ number: Int) -> String {
    "192.0.2.\(number % 256) - - [22/Nov/2026:12:00:00 +0000] \"GET \(path(number)) HTTP/1.1\" 200 4096"
  }
}

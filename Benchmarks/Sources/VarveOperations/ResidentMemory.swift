import Foundation
import Glibc

/// The resident memory of this process.
enum ResidentMemory {
  /// The bytes that belong to no file.
  static var bytes: Int { bytes("Anonymous:") }

  /// All bytes.
  static var allBytes: Int { bytes("Rss:") }

  private static func bytes(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  /// Returns the least of several samples, a tenth of a second apart: the memory of closed stores is
  /// given back within seconds.
  static func least(of count: Int) -> Int {
    var least = bytes
    for _ in 1..<count {
      usleep(100_000)
      least = min(least, bytes)
    }
    return least
  }
}

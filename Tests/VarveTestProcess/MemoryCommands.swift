import Foundation
import Varve

/// Commands for the tests of the memory of open stores.
enum MemoryCommands {
  /// `openMany DIRECTORY COUNT COMMITS` opens stores that exist, after one that warms up the
  /// process, writes a few transactions to each, and closes them.
  ///
  /// Prints the memory of an open store and the memory that stays after closing, in bytes. The
  /// housekeeper gives back the memory of closed stores within seconds.
  ///
  /// - Returns: Whether the command is this one.
  static func run(_ command: String, _ path: String, _ numbers: [Int]) throws -> Bool {
    guard command == "openMany", numbers.count == 2 else { return false }
    let paths = (0..<numbers[0]).map { "\(path)/\($0).varve" }
    // More rounds than the allocator needs to know the sizes.
    for path in paths { try use([path], commits: 1) }
    let before = anonymousBytes()
    var open = 0
    try use(paths, commits: numbers[1]) { open = anonymousBytes() }
    var left = anonymousBytes() - before
    for _ in 0..<50 where left > before / 10 {
      usleep(100_000)
      left = min(left, anonymousBytes() - before)
    }
    say("\((open - before) / numbers[0]) \(left)")
    return true
  }

  private static func use(_ paths: [String], commits: Int, _ body: () -> Void = {}) throws {
    for path in paths {
      let realm = try Realm(configuration: FaultWorkload.configuration(path, .none))
      for number in 0..<commits {
        try realm.write {
          realm.create(FaultWriter.self, value: ["id": 1, "number": number], update: .modified)
        }
      }
    }
    body()
    for path in paths { try Realm.close(FaultWorkload.configuration(path, .none)) }
  }

  /// The resident memory of the process that belongs to no file.
  private static func anonymousBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
    return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
  }
}

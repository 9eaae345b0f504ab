import Foundation
import Glibc
import Varve

/// The class of the tests of `varve watch`. `Tests/VarveToolTests/Watch/Pup.swift` declares the
/// same class.
@Model final class Pup: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var tags: List<String>
  @Persisted var notes: Map<String, Int>
  @Persisted var friend: Pup?
}

/// Commands of the tests of `varve watch`.
enum WatchCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    switch command {
    case "watchCommit": try commit(path, times: numbers[0])
    case "watchCommitAndDie": try commitAndDie(path)
    default: return false
    }
    return true
  }

  private static func open(_ path: String) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30))
  }

  /// Increments the age of a pup repeatedly.
  private static func commit(_ path: String, times: Int) throws {
    let realm = try open(path)
    let pup = try realm.write { realm.create(Pup.self, value: ["name": "Rex"], update: .modified) }
    say("ready")
    waitForTest()
    for _ in 0..<times { try realm.write { pup.age += 1 } }
    say("done")
  }

  /// Commits, and dies before any other code of the program runs.
  private static func commitAndDie(_ path: String) throws {
    let realm = try open(path)
    try realm.write { realm.create(Pup.self, value: ["name": "Ghost"], update: .modified) }
    kill(getpid(), SIGKILL)
  }
}

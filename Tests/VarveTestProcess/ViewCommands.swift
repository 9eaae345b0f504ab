import CTestFaults
import CVarve
import Foundation
import Glibc
import Varve

/// A class of the tests of views. `Tests/VarveTests/Views/ViewModels.swift` declares the same
/// class.
@Model final class Tally: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value = 0
  @Persisted var padding: String
}

/// Commands of the tests of views.
enum ViewCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    let configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    switch command {
    case "viewIncrement":
      try increment(configuration, id: numbers[0], times: numbers[1])
    case "viewIncrementUnheard":
      // The process is killed between its commit and its signal.
      try increment(configuration, id: numbers[0], times: 1) { _ = test_die_at_wake() }
    case "viewPin":
      let frozen = try Realm(configuration: configuration).freeze()
      say("pinned")
      waitForTest()
      say("\(frozen.version)")
    case "viewHold":
      try hold(configuration, numbers[0])
    case "realmCompact":
      try compact(configuration, fileLimit: numbers[0])
    case "viewFork":
      try fork(configuration)
    default: return false
    }
    return true
  }

  /// Opens a store that is to be compacted, while a limit restricts the file size. The log is sent
  /// to the test.
  private static func compact(
    _ configuration: Realm.Configuration, fileLimit: Int
  ) throws {
    dup2(1, 2)
    var limit = rlimit(rlim_cur: rlim_t(fileLimit), rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    _ = try Realm(configuration: configuration)
    say("opened")
    try Realm.close(configuration)
  }

  /// Adds 1 to the value of an object repeatedly, each time in a separate write.
  private static func increment(
    _ configuration: Realm.Configuration, id: Int, times: Int,
    before: () throws -> Void = {}
  ) throws {
    let realm = try Realm(configuration: configuration)
    guard let tally = realm.object(ofType: Tally.self, forPrimaryKey: id) else {
      return say("missing")
    }
    say("ready")
    waitForTest()
    try before()
    for _ in 0..<times { try realm.write { tally.value += 1 } }
    try Realm.close(configuration)
    say("done")
  }

  /// Opens realms and leaves them alone, and then prints the sum of a value that all of them read.
  private static func hold(_ configuration: Realm.Configuration, _ count: Int) throws {
    let held = try (0..<count).map { _ in try Realm(configuration: configuration) }
    for realm in held where realm.objects(Tally.self).isEmpty { say("empty") }
    say("held")
    waitForTest()
    let key = 2999 &* 7919 % 5000
    let values = held.map { $0.object(ofType: Tally.self, forPrimaryKey: key)?.value ?? 0 }
    say("\(values.reduce(0, +))")
  }

  /// Forks while a store is open, and prints the results of the child's calls.
  private static func fork(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    let tally = try realm.write { realm.create(Tally.self, value: ["id": 1]) }
    // The writer thread exists, but not in the child. These writes complete its first-time work: if
    // it owned a lock of the language's runtime during the fork, the lock would never be released
    // in the child.
    for _ in 0..<3 {
      try realm.beginWrite()
      realm.cancelWrite()
    }
    let child = varve_fork()
    if child == 0 {
      // A child that hangs nevertheless results in an error instead of an endless wait.
      alarm(60)
      say(code { _ = try Realm(configuration: configuration) })
      say(code { try realm.refresh() })
      say(code { try realm.write { tally.value = 2 } })
      say(code { try realm.beginWrite() })
      say(code { try Realm.close(configuration) })
      say("\(realm.freeze().isFrozen)")
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say(code { try realm.write { tally.value += 1 } })
    say("\(tally.value)")
    try Realm.close(configuration)
  }

  /// Returns "ok", or the code of the error that a body throws.
  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "ok"
    } catch let error as Realm.Error {
      return "\(error.code)"
    } catch {
      return "unknown"
    }
  }
}

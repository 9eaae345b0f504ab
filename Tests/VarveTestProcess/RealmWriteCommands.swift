import Dispatch
import Foundation
import Glibc
import Varve
import VarveLocks

/// The class of the write tests, with the properties that a second process needs.
@Model final class Crate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label = ""
  @Persisted var weight: Double
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String>
  @Persisted var notes: Map<String, String>
}

/// A projection with a property that cannot be set.
private final class CrateView: Projection<Crate>, @unchecked Sendable {
  @Projected(\Crate.numbers.first) var firstNumber
}

/// Commands that write through `Realm`.
enum RealmWriteCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    switch command {
    case "realmHold": try hold(configuration)
    case "realmCount": try count(configuration, numbers[0], id: numbers[1])
    case "realmTickets": try TicketCommands.run(configuration, numbers)
    case "realmTexts": try EssayCommands.run(configuration)
    case "realmOpen": open(configuration)
    case "realmFileLimit":
      configuration.durability = .full
      try meetFileLimit(configuration)
    case "realmLog": try log(configuration)
    case "realmDamage": try meetDamage(configuration)
    case "realmCancel": try cancel(configuration)
    case "realmMisuse": try misuse(configuration, CommandLine.arguments.last ?? "")
    default: return false
    }
    return true
  }

  /// Keeps a write open until the test continues, and rolls it back.
  private static func hold(_ configuration: Realm.Configuration) throws {
    struct Stop: Error {}
    let realm = try Realm(configuration: configuration)
    do {
      try realm.write {
        realm.add(Crate(value: ["id": 99]))
        say("held")
        waitForTest()
        throw Stop()
      }
    } catch is Stop {
      say("released")
    }
    try Realm.close(configuration)
  }

  /// Commits continuously, and counts the commits after which the realm read a version of another
  /// process.
  private static func count(
    _ configuration: Realm.Configuration, _ commits: Int, id: Int
  ) throws {
    let realm = try Realm(configuration: configuration)
    say("ready")
    waitForTest()
    let crate = try realm.write { realm.create(Crate.self, value: ["id": id]) }
    var strangers = 0
    for number in 1...commits {
      var before: UInt64 = 0
      try realm.write {
        before = realm.version.number
        crate.weight += 1
        crate.numbers.append(number)
      }
      if realm.version.number != before + 1 || crate.weight != Double(number)
        || crate.numbers.last != number
      {
        strangers += 1
      }
    }
    try Realm.close(configuration)
    say("strangers \(strangers)")
  }

  /// Opens a store, and prints the result.
  private static func open(_ configuration: Realm.Configuration) {
    do {
      _ = try Realm(configuration: configuration)
      try Realm.close(configuration)
      say("ok")
    } catch let error as Realm.Error {
      say("\(error.code)", error.path ?? "-")
    } catch {
      say("unknown")
    }
  }

  /// Reaches a limit of the file size, which simulates a full disk.
  private static func meetFileLimit(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    let crate = Crate(value: ["id": 1, "numbers": Array(0..<1000)])
    try realm.write { realm.add(crate) }
    let size =
      try FileManager.default.attributesOfItem(
        atPath: configuration.fileURL?.path ?? "")[.size] as? Int ?? 0
    limitFiles(to: UInt(size + 150_000))
    // Each loop reads a list while it writes more than fits.
    var committed = 0
    for number in 1...100 {
      do {
        try realm.write {
          var sum = 0
          for index in 0..<crate.numbers.count {
            sum += crate.numbers[index]
            if index % 100 == 0 {
              crate.words.append(String(repeating: "x", count: 5000))
              crate.weight = Double(number)
            }
          }
          if sum != 999 * 500 { say("wrong sum \(sum)") }
        }
        committed = number
      } catch let error as Realm.Error {
        say("\(error.code)", error.path == nil ? "no path" : "path", error.message)
        break
      }
    }
    say(crate.weight == Double(committed) && crate.words.count == committed * 10 ? "kept" : "lost")
    try meetItInAGroup(realm, crate)
    limitFiles(to: .max)
    try realm.write { crate.weight = -1 }
    try Realm.close(configuration)
    let again = try Realm(configuration: configuration)
    let found = again.object(ofType: Crate.self, forPrimaryKey: 1)
    say(
      found?.weight == -1 && found?.words.count == committed * 10 && found?.numbers.count == 1000
        ? "intact" : "damaged")
    try Realm.close(configuration)
  }

  /// Every member of a group whose commit fails receives the error.
  private static func meetItInAGroup(_ realm: Realm, _ crate: Crate) throws {
    let ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var tasks: [Task<String, Never>] = []
    try realm.beginWrite()
    for _ in 0..<3 {
      tasks.append(
        Task {
          do {
            try await realm.asyncWrite {
              for _ in 0..<60 { crate.words.append(String(repeating: "y", count: 5000)) }
            }
            return "ok"
          } catch {
            return (error as? Realm.Error).map { "\($0.code)" } ?? "unknown"
          }
        })
    }
    realm.cancelWrite()
    Task {
      for task in tasks { say(await task.value) }
      ended.signal()
    }
    ended.wait()
  }

  private static func limitFiles(to size: UInt) {
    var limit = rlimit(rlim_cur: size, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  /// Executes a misuse that traps.
  private static func misuse(_ configuration: Realm.Configuration, _ what: String) throws {
    // Redirects the message of the trap to the test.
    dup2(1, 2)
    let realm = try Realm(configuration: configuration)
    let crate = Crate(value: ["id": 1, "numbers": [1]])
    try realm.write { realm.add(crate) }
    say("ready")
    switch what {
    case "set": crate.label = "x"
    case "append": crate.numbers.append(2)
    case "map": crate.notes["a"] = "b"
    case "mapRemoveAll": crate.notes.removeAll()
    case "add": realm.add(Crate(value: ["id": 2]))
    case "insert": realm.insert([Crate.New(id: 2, weight: 1)])
    case "create": realm.create(Crate.self, value: ["id": 2])
    case "delete": realm.delete(crate)
    case "frozenIndex": _ = crate.numbers.freeze()[1]
    case "unmanagedIndex": _ = Crate().numbers[0]
    case "unmanagedRemove": Crate().numbers.remove(at: 0)
    case "unmanagedFreeze": _ = Crate().freeze()
    case "projected": try realm.write { CrateView(projecting: crate).firstNumber = 2 }
    case "frozenAdd": realm.freeze().add(Crate(value: ["id": 2]))
    case "lendPart": _ = crate.byteCount(of: \.shortLabel)
    case "lendUpperCase": crate.withBytes(\.upperLabel) { _ in }
    case "lendSometimes":
      Crate.showsLabel.withLock { $0 = true }
      guard crate.byteCount(of: \.shownLabel) == 0 else { return say("not lent") }
      Crate.showsLabel.withLock { $0 = false }
      _ = crate.byteCount(of: \.shownLabel)
    default: break
    }
    say("went on")
  }

  /// Cancels a write on a thread other than the one that began it. The log is sent to the test.
  private static func cancel(_ configuration: Realm.Configuration) throws {
    dup2(1, 2)
    let realm = try Realm(configuration: configuration)
    try realm.beginWrite()
    realm.add(Crate(value: ["id": 1]))
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      realm.cancelWrite()
      ended.signal()
    }
    ended.wait()
    say(realm.isInWriteTransaction ? "goes on" : "gone")
    // Another thread writes the log: the test waits for the expected line.
    waitForTest()
    try realm.commitWrite()
    say("committed \(realm.objects(Crate.self).count)")
    try Realm.close(configuration)
  }

  /// Reads deleted objects and indexes out of bounds many times. The log is sent to the test.
  private static func log(_ configuration: Realm.Configuration) throws {
    dup2(1, 2)
    let realm = try Realm(configuration: configuration)
    let crate = Crate(value: ["id": 1, "numbers": [1]])
    let deleted = Crate(value: ["id": 2])
    try realm.write {
      realm.add(crate)
      realm.add(deleted)
    }
    try realm.write { realm.delete(deleted) }
    for _ in 0..<1000 {
      _ = deleted.label
      _ = deleted.numbers.count
      _ = crate.numbers[7]
    }
    say("read")
    // Another thread writes the log: the test waits for the expected lines.
    waitForTest()
    for _ in 0..<1000 {
      _ = deleted.weight
      _ = crate.numbers[8]
    }
    try Realm.close(configuration)
  }

  /// Reads crates of which some are in a damaged page. The log is sent to the test.
  private static func meetDamage(_ configuration: Realm.Configuration) throws {
    dup2(1, 2)
    let realm = try Realm(configuration: configuration)
    for _ in 0..<3 {
      for id in 0..<500 { _ = realm.object(ofType: Crate.self, forPrimaryKey: id)?.label }
      do {
        try realm.refresh()
        say("refreshed")
      } catch {
        say("refused")
      }
    }
    waitForTest()
    try Realm.close(configuration)
  }
}

/// Computed properties whose bytes cannot be lent.
extension Crate {
  fileprivate static let showsLabel = Lock(false)

  fileprivate var shortLabel: String { String(label.prefix(5000)) }
  fileprivate var upperLabel: String { label.uppercased() }
  fileprivate var shownLabel: String { Crate.showsLabel.withLock { $0 } ? label : "hidden" }
}

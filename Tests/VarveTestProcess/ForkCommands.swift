import CVarve
import Foundation
import Glibc
import Varve

/// Reads in a forked child of objects that the parent had accessed.
enum ForkCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String) throws -> Bool {
    guard command == "forkRead" else { return false }
    let configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    try read(Reached(try Realm(configuration: configuration)))
    try Realm.close(configuration)
    return true
  }

  /// Forks, commits until the pages of the version that the child reads are reused, and prints the
  /// values that the child then reads.
  private static func read(_ reached: Reached) throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let child = varve_fork()
    if child == 0 {
      // A child that hangs results in an error instead of an endless wait.
      alarm(60)
      var byte: UInt8 = 0
      _ = Glibc.read(ends[0], &byte, 1)
      for line in reached.summary { say(line) }
      say(reached.isRefused ? "forked" : "refreshed")
      _exit(0)
    }
    for round in 0..<20 { try reached.write("later \(round)") }
    var byte: UInt8 = 0
    _ = Glibc.write(ends[1], &byte, 1)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say(status == 0 ? "ended" : "died of signal \(status & 0x7f)")
    say(reached.summary.joined(separator: "; "))
  }
}

/// Objects and collections of a realm, all of which have been read once.
private struct Reached {
  private struct NotThere: Error {}

  private static let crateCount = 500

  private let realm: Realm
  private let crates: [Crate]
  private let frozen: [Crate]
  private let results: Results<Crate>
  private let heavy: Results<Crate>

  init(_ realm: Realm) throws {
    self.realm = realm
    try realm.write {
      for id in 0..<Reached.crateCount {
        realm.create(
          Crate.self,
          value: ["id": id, "label": "first", "weight": 1.5, "words": ["a", "b"]])
      }
      for crate in realm.objects(Crate.self) {
        crate.numbers.append(objectsIn: 0..<(crate.id % 7 == 0 ? 2000 : 3))
        crate.notes["key"] = "first"
      }
    }
    results = realm.objects(Crate.self)
    heavy = realm.objects(Crate.self).where { $0.weight > 1 }
    crates = Array(results)
    frozen = crates.map { $0.freeze() }
    guard summary.first == "500 objects, 500 heavy, 500 labels" else { throw NotThere() }
  }

  /// Replaces everything.
  func write(_ text: String) throws {
    try realm.write {
      for crate in crates {
        crate.label = text
        crate.notes["key"] = text
        crate.words[0] = text
        crate.numbers[1] = 7
      }
    }
  }

  var isRefused: Bool {
    do {
      try realm.refresh()
      return false
    } catch {
      return (error as? Realm.Error)?.code == .forked
    }
  }

  /// The values that are read.
  var summary: [String] {
    let objects = crates + frozen
    return [
      "\(results.count) objects, \(heavy.count { $0.weight > 1 }) heavy,"
        + " \(crates.count { !$0.label.isEmpty }) labels",
      "\(objects.count { $0.isInvalidated }) invalidated,"
        + " \(objects.reduce(0) { $0 + $1.weight }) weight",
      "\(objects.reduce(crates.reduce(0) { $0 + $1.numbers[1] }) { $0 + $1.numbers.reduce(0, +) })"
        + " in numbers",
      "\(objects.flatMap { Array($0.words) + [$0.notes["key"] ?? ""] }.count { !$0.isEmpty }) words",
      realm.object(ofType: Crate.self, forPrimaryKey: 3) == nil ? "not found" : "found",
      "\(objects.reduce(0) { $0 + $1.id }) in keys",
    ]
  }
}

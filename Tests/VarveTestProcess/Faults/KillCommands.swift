import CTestFaults
import Foundation
import Glibc
import Varve

/// The commands of the kill tests.
enum KillCommands {
  /// Runs a command:
  ///
  /// - `killWrite PATH TABLE ROW SEED [grow] [compact] [early] [split]` writes to a store.
  /// - `killObserve PATH TABLE ROW SEED [grow] [skip]` observes it.
  /// - `killCheck TABLE` checks the stores whose paths it reads.
  ///
  /// The first two end when the test sets `kill_stop` in their row, or at a fault, which they print.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ words: [String]) -> Bool {
    switch command {
    case "killWrite":
      var writer = KillWriter(path, KillRow(words), words)
      failing { try writer.run() }
    case "killObserve":
      let observer = KillObserver(path, KillRow(words), words)
      failing { try observer.run() }
    case "killCheck":
      KillCheck.answer(table: KillRow.map(path))
    default: return false
    }
    return true
  }

  /// Prints the error that a body throws, and ends the process.
  static func failing(_ body: () throws -> Void) {
    do {
      try body()
      say("done")
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ fault: String) -> Never {
    say("fault: " + fault.replacing("\n", with: "; "))
    _exit(1)
  }

  static func configuration(_ path: String, _ words: [String]) -> Realm.Configuration {
    var configuration = FaultWorkload.configuration(
      path, mapReservation: words.contains("grow") ? 1 << 19 : 1 << 26)
    configuration.objectTypes = [FaultParcel.self, FaultLedger.self, FaultWriter.self]
    if words.contains("compact") { configuration.shouldCompactOnLaunch = { _, _ in true } }
    return configuration
  }
}

/// The row of this process in the table of its test.
struct KillRow: @unchecked Sendable {
  // Safe because the table stays mapped, and its words are accessed atomically.
  private let table: UnsafeMutableRawPointer
  let number: Int
  private let parent = getppid()

  /// - Parameter words: The path of the table, and the number of the row.
  init(_ words: [String]) {
    guard words.count >= 2, let number = Int(words[1]) else { exit(2) }
    table = Self.map(words[0])
    self.number = number
  }

  static func map(_ path: String) -> UnsafeMutableRawPointer {
    guard let table = kill_table_map(path) else { exit(2) }
    return table
  }

  subscript(word: kill_word) -> Int {
    get { kill_load(table, number, word) }
    nonmutating set { kill_store(table, number, word, newValue) }
  }

  /// Whether the test has set `kill_stop`, or has ended.
  var shouldStop: Bool { self[kill_stop] != 0 || getppid() != parent }
}

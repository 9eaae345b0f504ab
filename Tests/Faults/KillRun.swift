import CTestFaults
import Foundation
import Glibc
import VarveTestSupport

/// Processes that write to a store and observe it, some of which are killed again and again.
///
/// They all begin when the store does not exist. After each kill, the survivors go on, the store is
/// checked by another process, and new processes replace the killed ones.
final class KillRun {
  struct Options {
    var writers = 3
    var observers = 2
    var kills = 40
    /// Options of the processes: `grow`, `compact`, or one of the faults.
    var words: [String] = []
    /// The greatest size of the data file. A dead reader keeps a version for up to a second, in
    /// which the survivors may commit thousands of times; a slot that is never cleared exceeds the limit
    /// within seconds.
    var sizeLimit = 128 << 20
    /// Whether to use the directory for temporary files, which may be on a disk.
    var isOnDisk = false
    /// Whether one process is killed at a time, when all have begun to write or to observe, and the
    /// reader table is examined each time.
    var isSettled = false
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// How long the slowest machine may take. Exceeded times are faults.
  static let patience = Duration.seconds(30)

  let options: Options
  let files: KillFiles
  let table: KillTable
  var directory: FaultDirectory
  var random: SeededRandom
  var report: KillReport
  var living: [KillProcess] = []
  /// The killed processes, for reports.
  var killed: [pid_t: String] = [:]
  private(set) var checker: TestProcess

  init(_ options: Options, _ random: SeededRandom, _ report: KillReport) throws {
    self.options = options
    self.random = random
    self.report = report
    directory = try FaultDirectory(isOnDisk: options.isOnDisk)
    try directory.make("store")
    files = KillFiles(directory: directory.path + "/store")
    table = KillTable(path: directory.path + "/table")
    checker = Self.checker(table)
  }

  private static func checker(_ table: KillTable) -> TestProcess {
    TestProcess(["killCheck", table.path], environment: ["SWIFT_BACKTRACE=enable=no"])
  }

  /// Runs the processes to the end. The files are kept after a fault.
  func run() throws {
    defer {
      report.acknowledged += table.sum(kill_acknowledged)
      report.deliveries += table.sum(kill_deliveries)
    }
    do {
      try runToEnd()
    } catch {
      directory.isKept = true
      throw error
    }
  }

  private func runToEnd() throws {
    let goal = report.kills + options.kills
    startMissing()
    while report.kills < goal {
      try killSome()
      report.longestWait = max(report.longestWait, try awaitCommits())
      if options.isSettled || random.oneIn(8) { try awaitSlots() }
      try check()
      startMissing()
    }
    try end()
  }

  /// Ends all processes, compares the mirrors at rest, and checks what is left.
  private func end() throws {
    try stop(.writer)
    try stop(.observer)
    report.leftovers += files.leftovers.count
    files.ageLeftovers()
    // A process reads the directory once a minute.
    checker = Self.checker(table)
    try check(isLast: true)
    guard files.leftovers.isEmpty else {
      throw Fault(description: "left behind: \(files.leftovers)")
    }
  }

  /// - Parameter isLast: Whether nobody uses the store any more.
  private func check(isLast: Bool = false) throws {
    checker.send("\(files.store) \(table.rowCount) \(isLast ? 1 : 0)")
    guard let line = checker.line() else {
      throw Fault(description: "the check ended with status \(checker.wait())")
    }
    guard line.hasPrefix("ok") else { throw Fault(description: line) }
    report.checks += 1
    report.largestFile = max(report.largestFile, files.size)
    guard files.size <= options.sizeLimit else {
      throw Fault(description: "the file has \(files.size) bytes")
    }
    let strangers = files.strangers
    guard strangers.isEmpty else { throw Fault(description: "left behind: \(strangers)") }
  }
}

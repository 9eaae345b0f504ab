import CTestFaults
import Glibc
import Varve

/// The check of a store that several processes write to, or wrote to until they were killed.
enum KillCheck {
  /// Answers each line `<path> <number of rows> <0 or 1>` with a line: `ok <transaction>`, or what
  /// is wrong. 1 means that nobody uses the store any more.
  static func answer(table: UnsafeMutableRawPointer) {
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 3, let rowCount = Int(words[1]) else { exit(2) }
      // A check that hangs ends this process, as a crash does.
      alarm(60)
      do {
        say("ok \(try run(String(words[0]), table, rowCount, isLast: words[2] == "1"))")
      } catch {
        say("bad " + "\(error)".split(separator: "\n").prefix(4).joined(separator: "; "))
      }
      alarm(0)
    }
  }

  /// Opens the store, checks a version, and closes the store.
  private static func run(
    _ path: String, _ table: UnsafeMutableRawPointer, _ rowCount: Int, isLast: Bool
  ) throws -> Int {
    let configuration = KillCommands.configuration(path, [])
    return try FaultCheck.closing(configuration) {
      let number = try check(configuration, table, rowCount)
      if isLast { try checkPages(configuration) }
      return number
    }
  }

  private static func check(
    _ configuration: Realm.Configuration, _ table: UnsafeMutableRawPointer, _ rowCount: Int
  ) throws -> Int {
    // What is acknowledged before the version is in it, what is begun after it is not.
    let acknowledged = (0..<rowCount).map { kill_load(table, $0, kill_acknowledged) }
    let numbers = (0..<rowCount).map { kill_load(table, $0, kill_number) }
    let realm = try Realm(configuration: configuration)
    let version = realm.freeze()
    let begun = (0..<rowCount).map { kill_load(table, $0, kill_begun) }
    var check = FaultCheck()
    try check.run(version)
    var sum = 0
    for row in 0..<rowCount {
      let writer = version.object(ofType: FaultWriter.self, forPrimaryKey: row)
      let count = writer?.count ?? 0
      sum += count
      guard count >= acknowledged[row], count <= begun[row] else {
        throw FaultCheck.Fault(
          description:
            "\(count) transactions of process \(row), which acknowledged \(acknowledged[row])"
            + " of \(begun[row])")
      }
      guard writer?.number ?? 0 >= numbers[row], writer?.number ?? 0 <= check.number else {
        throw FaultCheck.Fault(
          description: "process \(row) has acknowledged transaction \(numbers[row]), not"
            + " \(writer?.number ?? 0)")
      }
    }
    guard sum == check.number else {
      throw FaultCheck.Fault(
        description: "transaction \(check.number), but \(sum) transactions of all processes")
    }
    try checkPins(realm)
    return check.number
  }

  /// Every page is in use or free.
  private static func checkPages(_ configuration: Realm.Configuration) throws {
    let report = try Realm(configuration: configuration).check()
    guard report.isSound, report.leakedPageCount == 0 else {
      throw FaultCheck.Fault(description: "leaked pages: \(report)")
    }
  }

  /// No version is pinned by a process that has ended.
  private static func checkPins(_ realm: Realm) throws {
    for pin in try realm.storageReport().versions
    where kill(pin.processID, 0) != 0 && errno == ESRCH {
      throw FaultCheck.Fault(description: "\(pin.description) has ended")
    }
  }
}

import CTestFaults
import Foundation
import Glibc
import Varve

/// The commands of the fault tests.
enum FaultCommands {
  /// Runs a command:
  ///
  /// - `faultWork PATH SEED COUNT [none] [grow] [copy] [compact] [shared]` runs
  ///   transactions, and prints and marks their beginnings and acknowledgments. With `shared`,
  ///   other processes do so too.
  /// - `faultCheckMany -` checks the stores whose paths, ranges, uses and copies it reads.
  /// - `failingCalls PATH SEED …` runs the cases of ``FailingCalls``.
  /// - `fullDisks PATH SEED …` runs the cases of ``FullDisks``.
  /// - `fullImage DIRECTORY SEED …` and the commands that it runs are those of ``DiskImages``.
  /// - `commitDurably PATH KIND …` makes the commits of ``DurableCommits``.
  /// - `shareLockFile PATH` has LMDB's lock file open, as other programs do.
  /// - `plainCopies -` uses the stores whose paths it reads, see ``PlainCopies``.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ words: [String]) throws -> Bool {
    switch command {
    case "faultWork": try work(path, words)
    case "faultCheckMany": checkMany()
    case "fullDisks": try FullDisks.run(path, words)
    case "fullImage": DiskImages.run(path, words)
    case "plainCopies": PlainCopies.check()
    case "failingCalls": try FailingCalls.run(path, words)
    case "commitDurably": try DurableCommits.run(path, words)
    case "shareLockFile": DurableCommits.shareLockFile(path)
    default: return try DiskImages.runPart(command, path, words)
    }
    return true
  }

  private static func work(_ path: String, _ words: [String]) throws {
    let (seed, count) = (Int(words[0]) ?? 0, Int(words[1]) ?? 0)
    var configuration = FaultWorkload.configuration(
      path, words.contains("none") ? .none : .full,
      mapReservation: words.contains("grow") ? 1 << 19 : 1 << 26)
    var workload = FaultWorkload(seed: seed)
    if words.contains("grow") { workload.longText = 40_000 }
    if words.contains("shared") {
      try runShared(&workload, open(configuration), count)
      try Realm.close(configuration)
      return say("done")
    }
    while workload.begun < count {
      try use(configuration, &workload, count, words)
      // No realm is left, so that this closes the files.
      try Realm.close(configuration)
      configuration.shouldCompactOnLaunch = { _, _ in true }
    }
    say("done")
  }

  /// Opens the store, and runs transactions, up to the last one, the next compaction, or a failure.
  /// After some failures, a store is usable only when it is opened again.
  private static func use(
    _ configuration: Realm.Configuration, _ workload: inout FaultWorkload, _ count: Int,
    _ words: [String]
  ) throws {
    let realm = try open(configuration)
    while workload.begun < count, run(&workload, realm) {
      if words.contains("copy"), workload.begun % 10 == 3 {
        let copy = configuration.fileURL?.appendingPathExtension("\(workload.begun)")
        if let copy { try realm.writeCopy(toFile: copy) }
        fault_mark(Int32(fault_copied.rawValue), Int64(workload.begun))
      }
      if words.contains("compact"), workload.begun % 5 == 0 { return }
    }
  }

  /// Runs transactions whose numbers follow those of other processes.
  private static func runShared(
    _ workload: inout FaultWorkload, _ realm: Realm, _ count: Int
  ) throws {
    for _ in 0..<count {
      let number = try realm.write {
        let number = FaultWorkload.number(in: realm) + 1
        fault_mark(Int32(fault_begin.rawValue), Int64(number))
        workload.change(realm, number)
        FaultWorkload.state(realm, number)
        return number
      }
      fault_mark(Int32(fault_acknowledge.rawValue), Int64(number))
    }
  }

  /// Opens the store. A call that fails on purpose does not fail again.
  private static func open(_ configuration: Realm.Configuration) throws -> Realm {
    do {
      return try Realm(configuration: configuration)
    } catch {
      say("not opened \(error)")
      return try Realm(configuration: configuration)
    }
  }

  /// Runs a transaction.
  ///
  /// - Returns: Whether it was acknowledged.
  private static func run(_ workload: inout FaultWorkload, _ realm: Realm) -> Bool {
    let number = workload.begun + 1
    fault_mark(Int32(fault_begin.rawValue), Int64(number))
    say("begin \(number)")
    do {
      try workload.runTransaction(realm)
    } catch {
      say("failed \(number) \(error)")
      return false
    }
    fault_mark(Int32(fault_acknowledge.rawValue), Int64(number))
    say("ack \(number)")
    return true
  }

  /// Answers each line `<path> <low> <high> <0 or 1> <copy>…` with a line. The store has copies of
  /// the transactions with these numbers, and perhaps others.
  private static func checkMany() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count >= 4, let low = Int(words[1]), let high = Int(words[2]), low <= high else {
        exit(2)
      }
      // A check that hangs ends this process, as a crash does.
      alarm(60)
      let path = String(words[0])
      let copies = words.dropFirst(4).compactMap { Int($0) }
      let copyOutcome = copies.first { access("\(path).\($0)", F_OK) != 0 }
        .map { "bad copy \($0) is missing" }
      say(
        copyOutcome ?? badCopy(of: path, upTo: high)
          ?? outcome(path, low...high, isWriting: words[3] == "1"))
      alarm(0)
    }
  }

  /// A copy has its name only when it is complete.
  private static func badCopy(of path: String, upTo high: Int) -> String? {
    for number in stride(from: 3, through: high, by: 10) {
      let copy = "\(path).\(number)"
      guard access(copy, F_OK) == 0 else { continue }
      let line = outcome(copy, number...number, isWriting: false)
      if !line.hasPrefix("ok") { return "bad copy \(number): \(line)" }
    }
    return nil
  }

  private static func outcome(_ path: String, _ range: ClosedRange<Int>, isWriting: Bool) -> String
  {
    do {
      return "ok \(try FaultCheck.run(path, range, isWriting: isWriting))"
    } catch {
      return "bad " + "\(error)".split(separator: "\n").prefix(4).joined(separator: "; ")
    }
  }
}

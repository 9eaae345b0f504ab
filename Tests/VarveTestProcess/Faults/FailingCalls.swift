import CTestFaults
import Foundation
import Glibc
import Varve

/// Runs one short life of a store many times, and makes one file operation fail each time.
///
/// The life has all uses of files: opening, commits, growth of the map, a copy, closing,
/// compaction, a store made from a seed, and its deletion. It runs in a child of this process,
/// which never opens a store itself. A second child then checks the store.
enum FailingCalls {
  /// The state of the child, in memory that its parent reads.
  struct Progress {
    /// Whether an operation fails.
    var isFailing = false
    var begun = 0
    var acknowledged = 0
    var failureCount = 0
    /// The transaction of the newest version in the copy; nil without a copy.
    var copied: Int?
    /// Whether a copy was left after an error.
    var isPartCopied = false
    /// Whether an error was not a `Realm.Error`.
    var hasOtherError = false
    var isComplete = false
    /// The number of operations of each kind; used when nothing fails.
    var counts: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0)
    /// Where the child is, for reports.
    var stage = 0
  }

  static let stages = [
    "start", "open", "write", "grow", "copy", "close", "compact", "write again", "seed",
  ]

  /// Runs cases: `failingCalls DIRECTORY SEED ACTION KIND ERRNO ALWAYS FIRST STEP COMMITS`.
  ///
  /// The operations `FIRST`, `FIRST + STEP` and so on of the kind fail, one in each case. If there
  /// are fewer than `FIRST`, one of them is the first. Prints a line for each fault, and at the end
  /// `done` with the number of cases and the number of cases in which an error was thrown.
  static func run(_ directory: String, _ words: [String]) throws {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == 8 else { exit(2) }
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { exit(2) }
    let progress = memory.bindMemory(to: Progress.self, capacity: 1)
    let bench = FailingCallBench(
      directory: directory, seed: numbers[0], commitCount: numbers[7], progress: progress)
    var plan = fault_plan()
    plan.action = Int32(numbers[1])
    plan.kind = Int32(numbers[2])
    plan.error = Int32(numbers[3])
    plan.is_permanent = Int32(numbers[4])
    var cases = 0
    var failures = 0
    let count = bench.count(plan.kind)
    let first = (numbers[5] - 1) % max(1, count) + 1
    for number in stride(from: first, through: count, by: numbers[6]) {
      plan.number = Int64(number)
      if let fault = bench.run(plan) {
        say("fault \(number) of \(count): " + fault.replacing("\n", with: "; "))
      }
      cases += 1
      if progress.pointee.failureCount > 0 { failures += 1 }
    }
    say("done \(cases) \(failures)")
  }
}

struct FailingCallBench {
  let directory: String
  let seed: Int
  /// The commits before the map grows.
  let commitCount: Int
  let progress: UnsafeMutablePointer<FailingCalls.Progress>
  /// The space for the files.
  var room = FaultRoom.unlimited
  private var path: String { directory + "/store.varve" }
  private var copyPath: String { directory + "/copy.varve" }
  private var seededPath: String { directory + "/seeded.varve" }

  /// The number of operations of a kind when nothing fails; 0 when the life then fails.
  func count(_ kind: Int32) -> Int {
    let fault = run(fault_plan())
    guard fault == nil, progress.pointee.isComplete, progress.pointee.failureCount == 0 else {
      let stage = FailingCalls.stages[progress.pointee.stage]
      say("fault without a failing call, at \(stage): \(fault ?? "an error was thrown")")
      return 0
    }
    return withUnsafeBytes(of: &progress.pointee.counts) {
      Int($0.load(fromByteOffset: Int(kind) * 8, as: Int64.self))
    }
  }

  /// Runs one case.
  ///
  /// - Returns: What is wrong; nil if nothing is.
  func run(_ plan: fault_plan) -> String? {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      unlink(directory + "/" + name)
    }
    var isFailing = plan.action != 0
    if case .unlimited = room {} else { isFailing = true }
    progress.initialize(to: FailingCalls.Progress(isFailing: isFailing))
    room.begin(directory)
    let status = DamageBench.end {
      room.limit()
      live(plan)
    }
    room.end(directory)
    let state = progress.pointee
    let stage = FailingCalls.stages[state.stage]
    let isKilled = plan.action >= Int32(fault_kill_before.rawValue)
    guard status == 0 || isKilled && status & 0x7F == SIGKILL else {
      return "ended with status \(status) at \(stage)"
    }
    if state.isPartCopied { return "a copy was left after an error" }
    if state.hasOtherError { return "an error of another type at \(stage)" }
    let checked = DamageBench.end {
      do {
        _ = try FaultCheck.run(path, state.acknowledged...state.begun, isWriting: true)
        if let copied = state.copied {
          _ = try FaultCheck.run(copyPath, copied...copied, isWriting: false)
        }
      } catch {
        say("fault \(plan.number) check: \(error)".replacing("\n", with: "; "))
        _exit(1)
      }
    }
    return checked == 0 ? nil : "check ended with \(checked) after \(stage)"
  }

}

/// One life of the store, in the child.
extension FailingCallBench {
  private func live(_ plan: fault_plan) {
    fault_arm(plan)
    fault_watch(directory)
    var workload = FaultWorkload(seed: seed)
    var configuration = FaultWorkload.configuration(path, mapReservation: 1 << 19)
    open(configuration, stage: 1) { realm in
      for _ in 0..<commitCount { write(realm, &workload, stage: 2) }
      workload.longText = 150_000
      for _ in 0..<6 { write(realm, &workload, stage: 3) }
      workload.longText = 3000
      copy(realm)
    }
    configuration.shouldCompactOnLaunch = { _, _ in true }
    open(configuration, stage: 6) { realm in
      for _ in 0..<2 { write(realm, &workload, stage: 7) }
    }
    var seeded = FaultWorkload.configuration(seededPath)
    seeded.seedFilePath = URL(filePath: copyPath)
    open(seeded, stage: 8) { _ in }
    attempt(8) { try Realm.deleteFiles(for: seeded) }
    fault_watch(nil)
    withUnsafeMutableBytes(of: &progress.pointee.counts) { counts in
      for kind in 0..<9 {
        counts.storeBytes(of: fault_count(Int32(kind)), toByteOffset: kind * 8, as: Int64.self)
      }
    }
    progress.pointee.isComplete = true
  }

  /// Opens the store, uses it, and closes it. An opening that fails is tried again.
  private func open(_ configuration: Realm.Configuration, stage: Int, _ use: (Realm) -> Void) {
    for _ in 0..<3 {
      var realm: Realm?
      attempt(stage) { realm = try Realm(configuration: configuration) }
      guard let realm else { continue }
      use(realm)
      break
    }
    attempt(5) { try Realm.close(configuration) }
  }

  /// Runs a transaction. One that fails is neither repeated nor acknowledged.
  private func write(_ realm: Realm, _ workload: inout FaultWorkload, stage: Int) {
    attempt(stage) {
      progress.pointee.begun = workload.begun + 1
      let number = try workload.runTransaction(realm)
      progress.pointee.acknowledged = number
    }
  }

  /// Writes a copy, and notes what it must contain.
  private func copy(_ realm: Realm) {
    attempt(4) {
      try realm.writeCopy(toFile: URL(filePath: copyPath))
      progress.pointee.copied = FaultWorkload.number(in: realm)
    }
    if progress.pointee.copied == nil, access(copyPath, F_OK) == 0 {
      progress.pointee.isPartCopied = true
    }
  }

  private func attempt(_ stage: Int, _ body: () throws -> Void) {
    progress.pointee.stage = stage
    do {
      try body()
    } catch let error as Realm.Error where error.code == .mapFull {
      // A transaction may outgrow the small map; the next one has a larger one.
    } catch let error as Realm.Error {
      if !progress.pointee.isFailing {
        say("fault at stage \(stage): \(error)".replacing("\n", with: "; "))
      }
      progress.pointee.failureCount += 1
    } catch {
      progress.pointee.failureCount += 1
      progress.pointee.hasOtherError = true
    }
  }
}

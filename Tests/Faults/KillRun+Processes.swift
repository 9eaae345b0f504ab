import CTestFaults
import Foundation
import Glibc
import VarveTestSupport

/// Starting, killing and awaiting the processes.
extension KillRun {
  /// Starts processes for those that were killed.
  func startMissing() {
    for (role, count) in [
      (KillProcess.Role.observer, options.observers), (.writer, options.writers),
    ] {
      for _ in living.count(where: { $0.role == role })..<count { start(role) }
    }
  }

  private func start(_ role: KillProcess.Role) {
    let row = table.newRow()
    // An observer only reads, and its few operations are those of its opening.
    let isPlanned = !options.isSettled && random.oneIn(role == .writer ? 2 : 8)
    let isReplacing = files.size == 0 || options.words.contains("compact")
    let plan =
      isPlanned && fault_is_supported() != 0
      ? KillProcess.plan(&random, isReplacing: isReplacing) : ""
    let process = TestProcess(
      [role.rawValue, files.store, table.path, "\(row)", "\(random.below(1_000_000))"]
        + options.words,
      environment: ["SWIFT_BACKTRACE=enable=no"]
        + (plan.isEmpty
          ? [] : ["VARVE_FAULT_DIRECTORY=\(files.directory)", "VARVE_FAULT_PLAN=\(plan)"]))
    living.append(KillProcess(role: role, row: row, process: process, plan: plan))
  }

  /// Waits for a planned death, or kills one, two or all processes at a random moment.
  func killSome() throws {
    if options.isSettled { try awaitCommits() }
    if living.contains(where: { !$0.plan.isEmpty }), !random.oneIn(4) {
      for _ in 0..<800 {
        if try reap() > 0 { return }
        usleep(1000)
      }
    }
    usleep(useconds_t(random.below(20_000)))
    var count = random.oneIn(8) ? living.count : random.int(1...min(2, living.count))
    if options.isSettled { count = 1 }
    let victims = living.shuffled(using: &random).prefix(count)
    for victim in victims { Glibc.kill(victim.process.pid, SIGKILL) }
    for victim in victims { try noteEnd(victim, victim.process.wait(), isPlanned: false) }
  }

  /// Removes the processes that have died as planned.
  ///
  /// - Returns: Their number.
  /// - Throws: ``Fault`` when a process has ended otherwise.
  @discardableResult func reap() throws -> Int {
    let ended = living.compactMap { one in one.process.statusIfEnded().map { (one, $0) } }
    for (one, status) in ended { try noteEnd(one, status, isPlanned: true) }
    return ended.count
  }

  private func noteEnd(_ one: KillProcess, _ status: Int32, isPlanned: Bool) throws {
    living.removeAll { $0.row == one.row }
    guard status & 0x7F == SIGKILL, !isPlanned || !one.plan.isEmpty else {
      throw ended(one, status)
    }
    report.kills += 1
    killed[one.process.pid] = "\(one.role) \(one.row) \(one.plan)"
    if isPlanned { report.plannedKills += 1 }
  }

  private func ended(_ one: KillProcess, _ status: Int32) -> Fault {
    let lines = one.process.lines()
    return Fault(
      description:
        "\(one.role) \(one.row) ended with status \(status): \(lines.joined(separator: "; "))")
  }

  /// Waits until every process has committed, or has seen what was acknowledged before.
  ///
  /// - Returns: The time.
  @discardableResult func awaitCommits() throws -> Duration {
    let newest = table.maximum(kill_number)
    var waiting = living.map {
      ($0, $0.role == .writer ? table[$0.row, kill_acknowledged] : newest)
    }
    let begin = ContinuousClock.now
    while true {
      try reap()
      waiting.removeAll { one, least in
        let isThrough =
          one.role == .writer
          ? table[one.row, kill_acknowledged] > least : table[one.row, kill_seen] >= least
        return isThrough || !living.contains { $0.row == one.row }
      }
      let wait = ContinuousClock.now - begin
      if waiting.isEmpty { return wait }
      guard wait < Self.patience else {
        let names = waiting.map { "\($0.0.role) \($0.0.row)" }
        throw Fault(description: "neither commits nor sees commits after \(wait): \(names)")
      }
      usleep(500)
    }
  }

  /// Waits until no reader slot belongs to a dead process, while no process opens the store.
  func awaitSlots() throws {
    // Without a survivor, the next opening clears them.
    let begin = ContinuousClock.now
    var hasSeen = false
    while living.contains(where: { $0.role == .writer }) {
      try reap()
      let pids = Set(living.map(\.process.pid))
      let dead = files.slotOwners().filter { !pids.contains($0) }
      if !hasSeen { report.deadSlots += dead.count }
      hasSeen = true
      let wait = ContinuousClock.now - begin
      if dead.isEmpty {
        report.longestSlot = max(report.longestSlot, wait)
        return
      }
      guard wait < Self.patience else {
        let names = dead.map { $0 == checker.pid ? "check" : killed[$0] ?? "\($0)" }
        throw Fault(description: "after \(wait), dead processes have reader slots: \(names)")
      }
      usleep(2000)
    }
  }

  /// Ends the processes of a role in order, and compares.
  func stop(_ role: KillProcess.Role) throws {
    let begin = ContinuousClock.now
    for one in living where one.role == role { table[one.row, kill_stop] = 1 }
    while let one = living.first(where: { $0.role == role }) {
      if let status = one.process.statusIfEnded() {
        guard status == 0 else {
          try noteEnd(one, status, isPlanned: true)
          continue
        }
        living.removeAll { $0.row == one.row }
      }
      guard ContinuousClock.now - begin < Self.patience else {
        throw Fault(description: "\(role) \(one.row) does not end")
      }
      usleep(500)
    }
  }
}

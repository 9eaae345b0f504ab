import Glibc
import Logging
import Synchronization
import VarveStorage

/// Log messages for server operators: openings, migrations, slow writes and file growth.
///
/// None of them costs a write more than a comparison: a wait is measured only where a write has to
/// wait, and the housekeeper checks for long writes and growth once a second.
extension Store {
  /// The duration from which a wait for the write lock, or a write itself, is logged.
  static let slowWrite = Duration.seconds(1)
  /// The minimum size, in bytes, of a file whose doubling is logged.
  static let leastLoggedGrowth: UInt64 = 64 << 20

  func logOpened() {
    // Tests open thousands of stores in memory.
    log(
      options.isInMemory ? .debug : .info, "The store was opened.",
      [
        "bytes": "\(fileBytes)", "durability": "\(options.durability)",
        "readOnly": "\(options.isReadOnly)",
      ])
  }

  func logClosed() {
    log(options.isInMemory ? .debug : .info, "The store was closed.", [:])
  }

  func logMigrated(from old: UInt64, to new: UInt64, _ duration: Duration) {
    log(
      .info, "The file was migrated.",
      ["from": "\(old)", "to": "\(new)", "milliseconds": "\(duration.milliseconds)"])
  }

  /// Logs a wait for the write lock of at least ``slowWrite``.
  func logWait(_ wait: WriteLockWait) {
    guard wait.duration >= Store.slowWrite else { return }
    log(
      .warning, "A write waited long for the write lock.",
      [
        "milliseconds": "\(wait.duration.milliseconds)",
        "process": wait.processID.map { "\($0)" } ?? "unknown",
      ])
  }

  /// Logs once that a write of this process has lasted long, and logs its end up to a second late.
  ///
  /// `now`: Seconds since 1970, the unit of the signal page.
  func watchWrites(_ processID: Int32, now: Double) {
    let previous = watched.longWrite.load(ordering: .relaxed)
    let owner = environment.writingProcess.flatMap { $0.pid == processID ? $0 : nil }
    if previous != 0, owner?.since.bitPattern != previous {
      watched.longWrite.store(0, ordering: .relaxed)
      log(
        .warning, "A write transaction that had lasted long has ended.",
        ["milliseconds": "\(Duration.seconds(now - Double(bitPattern: previous)).milliseconds)"])
    }
    guard let owner, .seconds(now - owner.since) >= Store.slowWrite,
      previous != owner.since.bitPattern
    else { return }
    watched.longWrite.store(owner.since.bitPattern, ordering: .relaxed)
    log(
      .warning, "A write transaction has lasted long; all other writers wait for it.",
      ["milliseconds": "\(Duration.seconds(now - owner.since).milliseconds)"])
  }

  /// Logs that the file has at least doubled since the last time.
  func watchGrowth() {
    let bytes = fileBytes
    let previous = watched.fileBytes.load(ordering: .relaxed)
    if previous == 0 { return watched.fileBytes.store(max(1, bytes), ordering: .relaxed) }
    guard bytes >= Store.leastLoggedGrowth, bytes >= previous * 2 else { return }
    watched.fileBytes.store(bytes, ordering: .relaxed)
    log(.info, "The file has grown.", ["from": "\(previous)", "bytes": "\(bytes)"])
  }

  /// The size of the file, or 0 when it cannot be read. Reading it pins nothing.
  private var fileBytes: UInt64 {
    var status = stat()
    return stat(environment.path, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
  }
}

/// What the housekeeper last logged about a store, so that each event is logged once.
///
/// Thread safety: any thread.
final class WatchedStore: Sendable {
  /// The start of the logged long write, as the bit pattern of a `Double`; 0 for none.
  let longWrite = Atomic<UInt64>(0)
  /// The size of the file that was logged last; 0 before the first check.
  let fileBytes = Atomic<UInt64>(0)
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

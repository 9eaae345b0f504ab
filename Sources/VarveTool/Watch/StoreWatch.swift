import Foundation
import Varve
import VarveCore
import VarveLocks
import VarveStorage

/// Watches a store, and writes the changes that other processes commit.
///
/// It waits for commits, compares the last reported version with the newest one, and writes the
/// difference: several commits between two reads are one change set. It pins the last reported
/// version, and the newest one while it writes. When the reader of its output blocks for longer
/// than the budget allows, it releases both and starts again at the newest version.
///
/// Thread safety: use it from one thread.
struct StoreWatch {
  /// The output was not accepted in time.
  private struct Late: Error {}
  /// The output is closed, or the process is to end.
  private struct Ended: Error {}

  private final class Shared: Sendable {
    /// Guards the signal.
    let signal: Lock<CommitSignal?>

    init(_ signal: CommitSignal) { self.signal = Lock(signal) }
  }

  /// The number of bytes written at once.
  private static let blockSize = 64 << 10

  private let store: Store
  private let budget: PinBudget
  private var watched: WatchedClasses
  private var generation: UInt64
  private var format: any ReportFormat
  private var output: WatchOutput
  /// The last reported version; nil when it was released.
  private var reported: Snapshot?
  /// The counter of the last reported version.
  private var position: UInt64 = 0

  /// Opens a store for reading only.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - classNames: The classes to watch; empty means all.
  ///   - predicate: The predicate that filters objects.
  ///   - budget: The age and size of the versions that the watch may pin while the reader of its
  ///     output blocks.
  /// - Throws: ``ToolError`` when the store cannot be opened, or has no such class or property.
  init(
    _ path: String, classNames: [String], predicate: String?, format: any ReportFormat,
    output: WatchOutput, budget: PinBudget? = nil
  ) throws {
    store = try ToolError.translating {
      var options = StoreOptions(path: path)
      options.isReadOnly = true
      return try Store(options: options)
    }
    self.budget = budget ?? store.options.pinBudget
    self.format = format
    self.output = output
    do {
      guard !store.environment.isPrivateCopy else {
        throw ToolError(
          "The store cannot be watched: its lock file cannot be written.\n  \(path)")
      }
      let schema = store.schema
      watched = try WatchedClasses(names: classNames, predicate: predicate, in: schema)
      generation = schema.generation
    } catch {
      try ToolError.translating { [store] in try store.close() }
      throw error
    }
  }

  /// Writes changes until the process is to end, or the output is closed.
  ///
  /// - Throws: ``ToolError`` when the store is damaged, or was removed or replaced.
  mutating func run() throws {
    let signal = store.environment.commitSignal
    // Until the end: the signal must not be used when the store is closed.
    let waking = Shared(signal)
    defer { waking.signal.withLock { $0 = nil } }
    let ending = Thread { [output] in
      output.waitForEnd()
      waking.signal.withLock { $0?.wake() }
    }
    ending.name = "varve.watch"
    ending.start()
    do {
      try follow(signal)
    } catch is Ended {
      // The normal end of a watch.
    }
  }

  /// Closes the store.
  func close() throws {
    try ToolError.translating { try store.close() }
  }

  private mutating func follow(_ signal: CommitSignal) throws {
    var lastSeen = signal.sequence
    try begin()
    while !output.hasEnded {
      lastSeen = signal.wait(after: lastSeen, timeout: .seconds(1))
      try checkFile()
      do {
        try advance()
      } catch is Late {
        reported = nil
      }
      // Nothing is pinned any more, so the write may wait.
      if reported == nil { try send(isEnd: true) { true } }
    }
  }

  private mutating func begin() throws {
    let newest = try newest()
    reported = newest
    position = newest.version.counter
    format.start(store.environment.path, at: position, watched.classes.map(\.schema.name))
    try send(isEnd: true) { true }
  }

  /// Writes the changes up to the newest version, which is pinned from then on.
  private mutating func advance() throws {
    let newest = try newest()
    if let old = reported {
      guard newest.version != old.version else { return }
      try report(from: old, to: newest)
      reported = newest
    } else {
      format.gap(VersionPair(old: position, new: newest.version.counter))
      reported = newest
      try send(isEnd: true, holding: newest)
    }
    position = newest.version.counter
  }

  /// Writes the difference between two versions.
  private mutating func report(from old: Snapshot, to new: Snapshot) throws {
    let schema = store.schema
    if schema.generation != generation {
      for note in try watched.update(to: schema) {
        FileHandle.standardError.write(Data("\(note)\n".utf8))
      }
      generation = schema.generation
    }
    let difference = VersionDifference(from: old, to: new, schema: schema)
    let versions = VersionPair(old: old.version.counter, new: new.version.counter)
    for watchedClass in watched.classes {
      try ClassChanges(watchedClass, in: difference, of: store).forEach { report in
        format.add(report, versions)
        output.append(format.takeLines(isEnd: false))
        if output.pendingCount >= Self.blockSize { try flush(holding: old) }
      }
    }
    try send(isEnd: true, holding: new)
  }

  private mutating func send(isEnd: Bool, holding pinned: Snapshot) throws {
    output.append(format.takeLines(isEnd: isEnd))
    try flush(holding: pinned)
  }

  private mutating func send(isEnd: Bool, _ isPatient: () throws -> Bool) throws {
    output.append(format.takeLines(isEnd: isEnd))
    try flush(isPatient)
  }

  /// Writes the pending text, as long as the oldest pinned version stays within the budget.
  private mutating func flush(holding pinned: Snapshot) throws {
    let start = ContinuousClock.now
    let (store, budget) = (store, budget)
    try flush {
      let newest = try ToolError.translating { try store.newestSnapshot() }
      return start.duration(to: .now) < budget.age
        && Int64(newest.fileBytes) - Int64(pinned.fileBytes) < budget.byteCount
    }
  }

  private mutating func flush(_ isPatient: () throws -> Bool) throws {
    let interval = min(.seconds(1), budget.age)
    switch try output.flush(asking: interval, isPatient) {
    case .written: return
    case .late: throw Late()
    case .ended: throw Ended()
    }
  }

  private func newest() throws -> Snapshot {
    try ToolError.translating { try store.newestSnapshot() }
  }

  /// - Throws: ``ToolError`` when the path of the store denotes another file, or none: no process
  ///   will commit to this one.
  private func checkFile() throws {
    guard FileIdentity(path: store.environment.path) == store.environment.identity else {
      throw ToolError("The store was replaced or removed.\n  \(store.environment.path)")
    }
  }
}

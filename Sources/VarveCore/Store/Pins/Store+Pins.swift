import Glibc
import Logging
package import VarveStorage

extension Store {
  /// Returns the versions that the processes of the store pin, oldest first.
  ///
  /// - Returns: One entry per version and process.
  /// - Throws: `.closed`, `.forked`.
  /// - Complexity: O(readers of all processes), and O(views, observers and frozen call sites of
  ///   this one).
  package func pinnedVersions(_ newest: Snapshot) throws(Failure) -> [PinnedVersion] {
    let readers = try readers()
    guard !readers.isEmpty else { return [] }
    let own = holdersByTransaction()
    let writer = environment.writingProcess?.pid
    return readers.map { reader in
      let isNewest = reader.transactionID >= newest.transactionID
      var holders = reader.processID == getpid() ? own[reader.transactionID] ?? [] : []
      // The writing process has pinned the version that its write began from, which stays the
      // newest until the write ends.
      if isNewest, writer == reader.processID { holders.append(PinHolder(kind: .write)) }
      if reader.processID == getpid(), holders.isEmpty, !isNewest {
        holders = [PinHolder(kind: .reading)]
      }
      let distance = isNewest ? 0 : newest.transactionID - reader.transactionID
      return PinnedVersion(
        number: newest.version.counter - min(distance, newest.version.counter),
        transactionID: reader.transactionID, distance: distance, processID: reader.processID,
        succession: environment.succession(of: reader.transactionID, newest: newest.commit),
        holders: holders)
    }
  }

  /// Returns the distinct pairs of version and reading process, oldest version first.
  private func readers() throws(Failure) -> [Reader] {
    // The slots of dead processes pin nothing.
    _ = try Failure.translating(try environment.clearStaleReaders())
    let readers = try Failure.translating(try environment.readers()).compactMap { entry in
      entry.transactionID.map { Reader(transactionID: $0, processID: entry.pid) }
    }
    return Set(readers).sorted {
      ($0.transactionID, $0.processID) < ($1.transactionID, $1.processID)
    }
  }

  /// Returns the holders of this process, by version.
  private func holdersByTransaction() -> [UInt64: [PinHolder]] {
    var holders: [UInt64: [PinHolder]] = [:]
    for (key, count) in frozenPins.all {
      holders[key.transactionID, default: []].append(
        PinHolder(kind: key.kind, count: count, callSite: key.callSite))
    }
    var viewCounts: [UInt64: Int] = [:]
    for pin in views.all { viewCounts[pin.moving.retained().slotID, default: 0] += 1 }
    for (id, count) in viewCounts {
      holders[id, default: []].append(PinHolder(kind: .view, count: count))
    }
    var observers: [ObserverKey: Int] = [:]
    for pin in notifier.pins {
      observers[ObserverKey(id: pin.transactionID, subject: pin.subject), default: 0] += 1
    }
    for (key, count) in observers {
      holders[key.id, default: []].append(
        PinHolder(kind: .observer, count: count, subject: key.subject))
    }
    return holders.mapValues { $0.sorted { $0.description < $1.description } }
  }

  private struct ObserverKey: Hashable {
    let id: UInt64
    let subject: String
  }

  // MARK: Limits

  /// Throws while the pinned versions cost more than the options allow.
  ///
  /// - Parameter newest: The version that the write begins from.
  /// - Throws: `.tooManyVersions`, `.pinBudgetExceeded`, with the holders of the versions.
  func checkPins(_ newest: Snapshot) throws(Failure) {
    guard options.maximumVersions != nil || options.pinBudget.refusesWrites,
      try pinFailure(newest) != nil
    else { return }
    releasePins()
    // Reads and deliveries in progress release their versions soon.
    for _ in 0..<Store.pinAttempts where try pinFailure(newest) != nil { usleep(1000) }
    if let failure = try pinFailure(newest) { throw failure }
  }

  /// The number of times that the pins are checked, a millisecond apart, before a write is refused.
  private static let pinAttempts = 5

  private func pinFailure(_ newest: Snapshot) throws(Failure) -> Failure? {
    let versions = try pinnedVersions(newest)
    if let limit = options.maximumVersions, let oldest = versions.first, oldest.distance >= limit {
      return Failure(
        .tooManyVersions,
        "Number of active versions (\(oldest.distance + 1)) in the Realm exceeded the limit of \(limit)",
        path: options.path, details: [oldest.description])
    }
    guard options.pinBudget.refusesWrites else { return nil }
    let exceeding = versions.filter { options.pinBudget.isExceeded(by: $0.distance, $0.succession) }
    guard !exceeding.isEmpty else { return nil }
    return Failure(
      .pinBudgetExceeded, "A pinned version has used up the pin budget: writes are refused.",
      path: options.path, details: exceeding.map(\.description))
  }

  /// Logs, once for each, the pinned versions that cost more than the pin budget allows.
  ///
  /// The check itself pins nothing: otherwise processes that check each other would keep seeing the
  /// pins of their checks.
  func warnOfPins() {
    do throws(Failure) {
      let exceeding = try readersPastBudget()
      pinsWarnedOf.keep(exceeding)
      let new = Set(exceeding.filter(pinsWarnedOf.insert))
      // The next refresh reports an error in the newest version.
      guard !new.isEmpty, let newest = try? newestSnapshot() else { return }
      for version in try pinnedVersions(newest) where new.contains(Reader(version)) {
        log(.warning, "A pinned version has used up the pin budget.", version.description)
      }
    } catch  where error.code == .closed {
      // Closed meanwhile.
    } catch {
      logger.warning("The pinned versions could not be examined.", metadata: ["error": "\(error)"])
    }
  }

  private func readersPastBudget() throws(Failure) -> [Reader] {
    let newest = try Failure.translating(try environment.newestCommit())
    let budget = options.pinBudget
    return try readers().filter { reader in
      guard reader.transactionID < newest.transactionID else { return false }
      return budget.isExceeded(
        by: newest.transactionID - reader.transactionID,
        environment.succession(of: reader.transactionID, newest: newest))
    }
  }
}

/// The process that pins a version, with the version.
struct Reader: Hashable, Sendable {
  let transactionID: UInt64
  let processID: Int32
}

extension Reader {
  fileprivate init(_ version: PinnedVersion) {
    self.init(transactionID: version.transactionID, processID: version.processID)
  }
}

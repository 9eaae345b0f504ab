import CVarve
import Glibc
import Synchronization
import VarveLocks

extension Environment {
  /// Returns the newest version, pinned. All callers that get the same version share one snapshot.
  ///
  /// The environment caches the newest snapshot that was requested. A thread that waits on
  /// `commitSignal` should call `releaseStaleSnapshot` after each wake-up; otherwise a quiet
  /// process pins an old version.
  ///
  /// - Throws: `closed`, `forked`, `readersFull`, `corrupted`, `panicked`, `mapFull` when another
  ///   process has a larger map and a write or a copy of this one does not end in time.
  /// - Complexity: Two loads and a retain when nothing was committed since the last call.
  /// - Precondition: This thread is not between `enter` and `exit` of a moving snapshot.
  package func snapshot() throws(StorageError) -> Snapshot {
    if varve_is_forked() == 0, let snapshot = latestIfNewest() ?? latestIfVisible() {
      return snapshot
    }
    return try newSnapshot()
  }

  /// The id of the newest durable version, which readers get, read without a snapshot; nil if the
  /// layout of LMDB's lock file is unknown.
  package var visibleTransactionID: UInt64? {
    (visibleVersion?.id).map { durableID(ofVisible: $0) }
  }

  /// Releases the cached snapshot if a later version exists.
  package func releaseStaleSnapshot() {
    guard varve_is_forked() == 0 else { return }
    let old = state.withLock { _ -> RetiredReference? in
      guard let content = latest.content, !content.isNewest else { return nil }
      return RetiredReference(latest.swap(nil))
    }
    old?.retire()
    HazardDomain.drain()
  }

  @inline(__always)
  private func latestIfNewest() -> Snapshot? {
    guard let pointer = latest.enter() else {
      HazardPointer.exit()
      return nil
    }
    let snapshot = Unmanaged<Snapshot>.fromOpaque(pointer)
    let isNewest = snapshot._withUnsafeGuaranteedRef { $0.isNewest }
    let result = isNewest ? snapshot.takeUnretainedValue() : nil
    HazardPointer.exit()
    return result
  }

  /// Returns the cached snapshot if LMDB would return its version too.
  ///
  /// Until a commit is on the disk, no reader gets its version, although its meta page is in the
  /// map already. All threads that open a view in that time come here and seldom need `state`. The
  /// committing thread needs that lock several times, and would wait whenever a thread that owns it
  /// is descheduled.
  private func latestIfVisible() -> Snapshot? {
    // If LMDB's own field is read, the cached snapshot is not the newest.
    if visibleVersion != nil { return nil }
    let announced = latest.enter()
    let snapshot = announced.map { Unmanaged<Snapshot>.fromOpaque($0).takeUnretainedValue() }
    HazardPointer.exit()
    guard let snapshot, let id = probedTransactionID(),
      durableID(ofVisible: id) == snapshot.transactionID
    else { return nil }
    return snapshot
  }

  /// Returns the newest version, pinned by a snapshot that is not shared.
  ///
  /// - Throws: The errors of `snapshot()`.
  package func separateSnapshot() throws(StorageError) -> Snapshot {
    try newSnapshot(isShared: false)
  }

  /// Pins the newest version.
  ///
  /// - Parameter isShared: Whether other callers may get the snapshot, which the environment then
  ///   caches.
  /// - Throws: The errors of `snapshot()`.
  func newSnapshot(isShared: Bool = true) throws(StorageError) -> Snapshot {
    let (snapshot, replaced) = try pinnedSnapshot(isShared: isShared)
    replaced.retire()
    return snapshot
  }

  /// Pins the newest version. The caller retires the cached snapshot that the new one replaces.
  ///
  /// - Parameters:
  ///   - isAfterCommit: Whether the read transaction reserved for this moment may be used.
  ///   - isShared: Whether other callers may get the snapshot, which the environment then caches.
  /// - Returns: The snapshot, and the previously cached one.
  /// - Throws: The errors of `snapshot()`.
  func pinnedSnapshot(
    isAfterCommit: Bool = false, isShared: Bool = true
  ) throws(StorageError) -> (Snapshot, RetiredReference) {
    var deadline: ContinuousClock.Instant?
    func attempt(_ state: inout State) throws(StorageError) -> SnapshotOutcome {
      guard !state.isClosed else { throw closedError }
      if isAfterCommit, let reserve = state.reserve {
        // Idle transactions are used last in, first out.
        state.idle.append(reserve)
        state.reserve = nil
      }
      // Another thread may have pinned it meanwhile.
      if isShared, let current = latest.content, current.isNewest {
        return .snapshot(current, RetiredReference(nil))
      }
      return try pinNewest(&state, isShared: isShared)
    }
    while true {
      try checkUsable()
      // A write has looked when it began.
      if !isAfterCommit {
        do throws(StorageError) {
          try checkLockFile()
        } catch {
          // The files may be removed as soon as the store is closed.
          throw isClosed ? closedError : error
        }
      }
      let outcome =
        isShared && !isAfterCommit
        ? try withStateOrLatest(attempt)
        : try state.withLock { (state) throws(StorageError) in try attempt(&state) }
      switch outcome {
      case .snapshot(let snapshot, let old): return (snapshot, old)
      case .again:
        let now = ContinuousClock.now
        let end = deadline ?? now + .seconds(10)
        deadline = end
        guard now < end else {
          throw StorageError(
            .mapFull, "A write or a copy prevented the map from growing.", path: path)
        }
        usleep(500)
      }
    }
  }

  /// Attempts to pin the newest version as soon as `state` is free, unless another thread has
  /// pinned it by then.
  ///
  /// After a commit all readers come here at once. If they waited for the lock, it would be handed
  /// from one woken thread to the next, and each of them, including the committing thread, would
  /// wait for a processor while it owns the lock.
  private func withStateOrLatest(
    _ attempt: (inout State) throws(StorageError) -> SnapshotOutcome
  ) throws(StorageError) -> SnapshotOutcome {
    for _ in 0..<64 {
      let outcome = try state.withLockIfAvailable { (state) throws(StorageError) in
        try attempt(&state)
      }
      if let outcome { return outcome }
      sched_yield()
      if let snapshot = latestIfNewest() { return .snapshot(snapshot, RetiredReference(nil)) }
    }
    return try state.withLock { (state) throws(StorageError) in try attempt(&state) }
  }

  /// The outcome of an attempt to pin the newest version.
  enum SnapshotOutcome {
    case snapshot(Snapshot, RetiredReference)
    /// The map is too small and cannot be changed at the moment.
    case again
  }

  /// Pins the newest version, or returns the cached snapshot if it is the newest. Under `state`.
  func pinNewest(
    _ state: inout State, isShared: Bool = true
  ) throws(StorageError) -> SnapshotOutcome {
    // Each failed attempt means that another commit has ended in the meantime.
    for _ in 0..<100_000 {
      var begun: EngineTransaction?
      guard try beginRead(&state, &begun), let transaction = begun, let mapping = state.mapping
      else { return .again }
      // LMDB gives a version to readers before it is durable.
      let id = durableID(ofVisible: transaction.id)
      let meta = MetaPage.read(id, base: mapping.base, pageSize: pageSize)
      // LMDB reads the id and the meta page one after the other: when two commits end in between,
      // the page belongs to a later version, or is half written. No commit has ended if the id is
      // still the newest.
      let visible = durableID(ofVisible: try visibleTransactionID(&state))
      guard visible == id, let meta else {
        park(transaction, &state)
        if visible == id {
          throw error(Engine.corrupted, "The newest meta page is damaged.")
        }
        continue
      }
      if isShared, let current = latest.content, current.transactionID == id {
        park(transaction, &state)
        return .snapshot(current, RetiredReference(nil))
      }
      do throws(StorageError) {
        let snapshot = try Snapshot(
          environment: self, transaction: transaction, transactionID: id, mapping: mapping,
          meta: meta)
        state.snapshotCount += 1
        return .snapshot(
          snapshot, RetiredReference(isShared ? latest.swap(snapshot) : nil))
      } catch {
        park(transaction, &state)
        if error.code == .corrupted { markDamaged(error) }
        throw error
      }
    }
    throw StorageError(.busy, "Commits followed each other too quickly for a snapshot.", path: path)
  }

  /// Begins a read transaction. Under `state`.
  ///
  /// - Returns: False when the map must be enlarged and cannot be at the moment.
  func beginRead(
    _ state: inout State, _ transaction: inout EngineTransaction?
  ) throws(StorageError) -> Bool {
    // Checked again under the lock: the map may have been lost while this thread waited.
    try checkUsable()
    var hasCleared = false
    while true {
      let status: Engine.Status
      if let idle = state.idle.popLast() {
        status = idle.renew()
        if status == 0 { transaction = idle } else { idle.abort() }
      } else {
        status = engine.begin(parent: nil, readOnly: true, &transaction)
        if let transaction { engineMemory?.releaseUnused(of: transaction) }
      }
      switch status {
      case Engine.success: return true
      case Engine.mapResized:
        guard try adoptMapSize(&state) else { return false }
      case Engine.readersFull where !hasCleared:
        hasCleared = true
        var dead: Int32 = 0
        _ = engine.checkReaders(&dead)
      default: throw error(status, "A read transaction could not begin.")
      }
    }
  }

  /// Returns the id of the version that a read transaction would get now. Under `state`.
  private func visibleTransactionID(_ state: inout State) throws(StorageError) -> UInt64 {
    if let visibleVersion { return visibleVersion.id }
    if let id = probedTransactionID() { return id }
    takeProbe()?.abort()
    var begun: EngineTransaction?
    guard try beginRead(&state, &begun), let transaction = begun else {
      // The map is too small for a version committed just now. The caller detects that.
      return 0
    }
    let id = transaction.id
    transaction.reset()
    probe.withLock { $0 = transaction }
    return id
  }

  /// Returns the id of the newest visible version from the probe, with or without `state`; nil when
  /// there is no probe, or it fails.
  private func probedTransactionID() -> UInt64? {
    probe.withLock { probe in
      // Checked under the lock, under which a loss of the map is recorded.
      guard !isPanicked.load(ordering: .relaxed), let probe, probe.renew() == 0 else { return nil }
      defer { probe.reset() }
      return probe.id
    }
  }

  /// Removes the probe. Under `state`.
  func takeProbe() -> EngineTransaction? {
    probe.withLock { probe in
      defer { probe = nil }
      return probe
    }
  }

  /// Keeps an idle read transaction for the next snapshot. Under `state`.
  private func park(_ transaction: EngineTransaction, _ state: inout State) {
    if state.idle.count < 16, !state.isClosed {
      transaction.reset()
      state.idle.append(transaction)
    } else {
      transaction.abort()
    }
  }

  /// Takes back the read transaction of a snapshot that ends.
  func snapshotEnded(_ transaction: EngineTransaction) {
    // Does nothing in a fork: ending the transaction would free the parent's reader slot.
    endUse { state in
      // LMDB may have been closed under the snapshot, which ended its transaction.
      if !state.isTornDown { park(transaction, &state) }
      state.snapshotCount -= 1
    }
  }
}

/// A snapshot removed from a pointer, to be retired outside the lock.
package struct RetiredReference: @unchecked Sendable {
  // Safe because it owns one retain of a Sendable object.
  let snapshot: Unmanaged<Snapshot>?

  package init(_ snapshot: Unmanaged<Snapshot>?) { self.snapshot = snapshot }

  package func retire() {
    if let snapshot { HazardDomain.retire(snapshot) }
  }
}

/// Snapshots removed from hazard pointers, to be retired together, which costs little more than
/// retiring one.
package struct RetiredReferences: @unchecked Sendable {
  // Safe because it owns retains of Sendable objects, like `RetiredReference`.
  private var first: Unmanaged<Snapshot>?
  /// The number of references to the first snapshot: most views move from the same version.
  private var count = 0
  private var others: [Unmanaged<Snapshot>] = []

  package init() {}

  package mutating func add(_ reference: RetiredReference) {
    guard let snapshot = reference.snapshot else { return }
    if count == 0 { first = snapshot }
    if first?.toOpaque() == snapshot.toOpaque() { count += 1 } else { others.append(snapshot) }
  }

  package func retire() {
    if let first { HazardDomain.retire(first, count: count, others) }
  }
}

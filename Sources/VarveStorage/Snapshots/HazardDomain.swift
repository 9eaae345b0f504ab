public import CVarve
import Glibc
public import Synchronization

/// Snapshots that were replaced while a thread was reading them.
///
/// A thread that reads through a moving snapshot announces it in its own slot (`CVarveHazard.h`). Whoever
/// replaces the snapshot gives the old one here; it is released when no slot names it. The interleaving
/// that this must survive:
///
///     reader                              mover
///     load cell: A
///                                         cell = B
///                                         pending += 1, heavy barrier, scan: nobody announces A
///                                         release A
///     announce A
///     load cell again: B ≠ A, so announce B and look again
///
/// The heavy barrier orders each reader's announcement before its second load against the mover's store
/// and scan: either the mover sees the announcement, or the reader sees B.
///
/// Thread safety: any thread.
@usableFromInline
package enum HazardDomain {
  /// How many threads are between taking snapshots off the list and having released them.
  private static let releasing = Atomic<Int>(0)

  private static let retired = Lock<[RetiredSnapshot]>([])

  /// Releases a snapshot once nobody announces it: now, or when the announcement ends.
  static func retire(_ snapshot: Unmanaged<Snapshot>) {
    retired.withLock { $0.append(RetiredSnapshot(snapshot: snapshot)) }
    varve_pending_add(1)
    drain()
  }

  /// Releases what nobody announces any more.
  ///
  /// - Complexity: O(retired snapshots · threads).
  @usableFromInline package static func drain() {
    // In a fork nothing is released, and another thread may have held the lock.
    if ProcessFork.isChild { return }
    let free = retired.withLock { all -> [RetiredSnapshot] in
      guard !all.isEmpty else { return [] }
      varve_heavy_barrier()
      var free: [RetiredSnapshot] = []
      all.removeAll { entry in
        guard varve_is_announced(entry.snapshot.toOpaque()) == 0 else { return false }
        free.append(entry)
        return true
      }
      if !free.isEmpty { releasing.add(1, ordering: .relaxed) }
      return free
    }
    guard !free.isEmpty else { return }
    varve_pending_subtract(UInt32(free.count))
    // Outside the lock: the end of a snapshot runs code of its environment.
    for entry in free { entry.snapshot.release() }
    releasing.subtract(1, ordering: .releasing)
  }

  /// Drains, and waits for what other threads are just releasing: afterwards what nobody reads has ended.
  package static func settle() {
    drain()
    while releasing.load(ordering: .acquiring) > 0 { sched_yield() }
  }

  /// How many snapshots wait for readers.
  package static var pendingCount: Int { retired.withLock { $0.count } }
}

private struct RetiredSnapshot: @unchecked Sendable {
  // Safe because the reference stands for one retain of a Sendable object.
  let snapshot: Unmanaged<Snapshot>
}

/// A word that holds a snapshot, or none, and that threads read without counting references.
///
/// Thread safety: `enter`, `exit` and `retained` from any thread; `swap` from any thread.
@usableFromInline
struct HazardCell: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<UInt>

  init(_ snapshot: Snapshot?) {
    word = Atomic(Self.retainedBits(snapshot))
  }

  deinit {
    // Nobody can be inside `enter`: that needs a reference to this cell. A thread that announces the
    // snapshot took it from another cell, which holds a reference of its own until it retires it.
    Self.snapshot(word.load(ordering: .acquiring))?.release()
  }

  /// Puts a snapshot in place of the one that is there.
  ///
  /// - Returns: The old one, which the caller retires (not under a lock that the end of a snapshot takes).
  func swap(_ snapshot: Snapshot?) -> Unmanaged<Snapshot>? {
    Self.snapshot(
      word.exchange(Self.retainedBits(snapshot), ordering: .sequentiallyConsistent))
  }

  /// Puts a snapshot in place of another, if that one is still there.
  ///
  /// - Parameters:
  ///   - old: What is to be replaced; announced by this thread, so that its address cannot have become
  ///     another snapshot's.
  ///   - snapshot: What takes its place.
  /// - Returns: Whether it was there. The caller then retires it.
  func replace(_ old: Unmanaged<Snapshot>, with snapshot: Snapshot) -> Bool {
    let bits = Self.retainedBits(snapshot)
    let hasReplaced = word.compareExchange(
      expected: UInt(bitPattern: old.toOpaque()), desired: bits,
      ordering: .sequentiallyConsistent
    ).exchanged
    if !hasReplaced { Self.snapshot(bits)?.release() }
    return hasReplaced
  }

  /// The snapshot. The caller excludes `swap`.
  var content: Snapshot? { Self.snapshot(word.load(ordering: .acquiring))?.takeUnretainedValue() }

  /// Announces the snapshot in this thread's slot. To be followed by `exit` on the same thread.
  ///
  /// - Precondition: This thread announces nothing.
  @inlinable
  func enter() -> UnsafeRawPointer? {
    let slot = varve_slot_current()
    assert(varve_slot_is_busy(slot) == 0, "Announcements do not nest.")
    var bits = word.load(ordering: .acquiring)
    while true {
      let snapshot = UnsafeRawPointer(bitPattern: bits)
      varve_slot_announce(slot, snapshot)
      let now = word.load(ordering: .acquiring)
      if now == bits { return snapshot }
      bits = now
    }
  }

  @inlinable
  static func exit() {
    if varve_slot_clear(varve_slot_current()) != 0 { HazardDomain.drain() }
  }

  private static func snapshot(_ bits: UInt) -> Unmanaged<Snapshot>? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged<Snapshot>.fromOpaque($0) }
  }

  private static func retainedBits(_ snapshot: Snapshot?) -> UInt {
    snapshot.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }
}

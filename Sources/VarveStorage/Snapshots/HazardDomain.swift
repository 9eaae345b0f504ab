public import CVarve
import Glibc
public import Synchronization
import VarveLocks

/// Snapshots that were replaced while a thread was reading them.
///
/// A thread that reads through a moving snapshot announces it in its hazard slot
/// (`CVarveHazard.h`). The thread that takes a snapshot out of a pointer retires it here; the
/// pointer's reference is released when no thread relies on it. The interleaving that this must
/// survive:
///
///     reader                              mover
///     load pointer: A
///                                         pointer = B
///                                         heavy barrier, scan: no slot announces A
///                                         release A
///     announce A
///     load pointer again: B ≠ A, so announce B and look again
///
/// The heavy barrier orders each reader's announcement before its second load against the mover's
/// store and scan: either the mover sees the announcement, or the reader sees B. The slots that
/// announce A at the scan are therefore the only ones that may rely on this reference: a thread
/// that announces A later got it from another pointer, which has a reference of its own.
///
/// If there are such slots, the reference waits for the end of those announcements, and only their
/// threads are involved:
///
///     reader                              mover
///     (announces A)                       scan: the slot announces A
///     announce nothing
///                                         slot owes, heavy barrier, look again: nothing; do not wait
///     load owes
///
/// The second barrier orders the reader's withdrawal before its load of the debt against the
/// mover's store and second look: either the mover sees that the slot no longer announces A, or the
/// reader sees that it owes, and takes its slot off the list. That, too, is done under the lock, as
/// is every change of a slot's debt. Invariant: a slot owes as long as a reference waits for it.
///
/// Thread safety: any thread.
@usableFromInline
package enum HazardDomain {
  /// The number of threads between taking snapshots out of a pointer or off the list, and having
  /// released them.
  private static let releasing = Atomic<Int>(0)

  /// The waiting snapshots. The lock also guards the debts of the slots.
  private static let retired = Lock<[RetiredSnapshot]>([])

  /// Releases a snapshot that was taken out of a pointer: now, or when the last announcement ends
  /// that may rely on it.
  ///
  /// - Complexity: O(threads), and an interrupt of each running thread of the process; another one
  ///   if a thread announces the snapshot.
  static func retire(_ snapshot: Unmanaged<Snapshot>) { retire(snapshot, count: 1) }

  /// Releases snapshots that were taken out of several pointers. See ``retire(_:)``.
  ///
  /// - Parameters:
  ///   - count: The number of pointers that `snapshot` was taken out of, which is the number of
  ///     references to release.
  ///   - others: Further snapshots, each taken out of one pointer.
  /// - Complexity: O(snapshots · threads), and the interrupt of ``retire(_:)`` once for all.
  static func retire(
    _ snapshot: Unmanaged<Snapshot>, count: Int, _ others: [Unmanaged<Snapshot>] = []
  ) {
    releasing.add(1, ordering: .relaxed)
    defer { releasing.subtract(1, ordering: .releasing) }
    varve_heavy_barrier()
    release(snapshot, count)
    for other in others { release(other, 1) }
  }

  /// Releases references now, or when the last announcement ends that may rely on them. Call it
  /// after a heavy barrier.
  private static func release(_ snapshot: Unmanaged<Snapshot>, _ count: Int) {
    let slots = announcing(snapshot)
    guard slots.isEmpty || !wait(for: slots, snapshot, count) else { return }
    for _ in 0..<count { snapshot.release() }
  }

  private static func announcing(_ snapshot: Unmanaged<Snapshot>) -> [RetiredSnapshot.Slot] {
    var slots: [RetiredSnapshot.Slot] = []
    var next = varve_next_announcing(nil, snapshot.toOpaque())
    while let slot = next {
      slots.append(slot)
      next = varve_next_announcing(slot, snapshot.toOpaque())
    }
    return slots
  }

  /// Adds a snapshot to the list.
  ///
  /// - Returns: False when all slots have ended their announcements meanwhile.
  private static func wait(
    for slots: [RetiredSnapshot.Slot], _ snapshot: Unmanaged<Snapshot>, _ count: Int
  ) -> Bool {
    retired.withLock { all in
      for slot in slots { varve_slot_owe(slot, 1) }
      varve_heavy_barrier()
      var entry = RetiredSnapshot(snapshot: snapshot, count: count, slots: slots)
      guard !entry.removeFreeSlots() else { return false }
      all.append(entry)
      return true
    }
  }

  /// Removes the slot of this thread from the list after the end of an announcement that a snapshot
  /// waited for.
  @usableFromInline @inline(never)
  static func withdraw(_ slot: OpaquePointer) {
    // In a fork nothing is released, and another thread may have held the lock; likewise below.
    if ProcessFork.isChild { return }
    release(
      retired.withLock { all in
        varve_slot_owe(slot, 0)
        return take(from: &all) { entry in
          entry.slots.removeAll { $0 == slot }
          return entry.slots.isEmpty
        }
      })
  }

  /// Releases the snapshots that no thread announces any more. A thread that ends an announcement
  /// releases them itself; this method is for threads that ended without doing so.
  ///
  /// - Complexity: O(retired snapshots · threads).
  package static func drain() {
    if ProcessFork.isChild { return }
    release(
      retired.withLock { all in
        guard !all.isEmpty else { return [] }
        varve_heavy_barrier()
        return take(from: &all) { $0.removeFreeSlots() }
      })
  }

  /// Removes entries from the list, for `release(_:)`.
  private static func take(
    from all: inout [RetiredSnapshot], where isFree: (inout RetiredSnapshot) -> Bool
  ) -> [RetiredSnapshot] {
    var free: [RetiredSnapshot] = []
    var rest: [RetiredSnapshot] = []
    for var entry in all {
      if isFree(&entry) { free.append(entry) } else { rest.append(entry) }
    }
    all = rest
    if !free.isEmpty { releasing.add(1, ordering: .relaxed) }
    return free
  }

  /// Called outside the lock, because the end of a snapshot runs code of its environment.
  private static func release(_ free: [RetiredSnapshot]) {
    guard !free.isEmpty else { return }
    for entry in free {
      for _ in 0..<entry.count { entry.snapshot.release() }
    }
    releasing.subtract(1, ordering: .releasing)
  }

  /// Drains, and waits for the releases in progress on other threads. Afterwards every snapshot
  /// without a reader has ended.
  package static func resolve() {
    drain()
    while releasing.load(ordering: .acquiring) > 0 { sched_yield() }
  }

  /// The number of snapshots that wait for readers.
  package static var pendingCount: Int { retired.withLock { $0.count } }
}

/// A snapshot that waits for the ends of announcements.
private struct RetiredSnapshot: @unchecked Sendable {
  // Safe because the reference stands for `count` retains of a Sendable object, and slots are never
  // freed.
  typealias Slot = OpaquePointer

  let snapshot: Unmanaged<Snapshot>
  let count: Int
  /// The slots whose announcements may rely on the reference.
  var slots: [Slot]

  /// Removes the slots that no longer announce the snapshot. Call it after a heavy barrier.
  ///
  /// - Returns: Whether none is left.
  mutating func removeFreeSlots() -> Bool {
    slots.removeAll { varve_slot_announces($0, snapshot.toOpaque()) == 0 }
    return slots.isEmpty
  }
}

/// A word that contains a snapshot, or none, and that threads read without counting references.
///
/// Thread safety: `enter`, `exit` and `retained` from any thread; `swap` from any thread.
@usableFromInline
struct HazardPointer: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<UInt>

  init(_ snapshot: Snapshot?) {
    word = Atomic(Self.retainedBits(snapshot))
  }

  deinit {
    // No thread can be inside `enter`, which requires a reference to this pointer. A thread that
    // announces the snapshot took it from another pointer, which owns a reference until it retires
    // it.
    Self.snapshot(word.load(ordering: .acquiring))?.release()
  }

  /// Replaces the snapshot.
  ///
  /// - Returns: The old snapshot, which the caller retires (not under a lock that the end of a
  ///   snapshot takes).
  func swap(_ snapshot: Snapshot?) -> Unmanaged<Snapshot>? {
    Self.snapshot(
      word.exchange(Self.retainedBits(snapshot), ordering: .sequentiallyConsistent))
  }

  /// Replaces the snapshot if it is still `old`.
  ///
  /// - Parameters:
  ///   - old: The expected snapshot, announced by this thread, so that its address cannot have
  ///     become another snapshot's.
  ///   - snapshot: The new snapshot.
  /// - Returns: Whether it was replaced. The caller then retires the old snapshot.
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

  /// Announces the snapshot in this thread's hazard slot. Must be followed by `exit` on the same
  /// thread.
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
    let slot = varve_slot_current()
    if varve_slot_clear(slot) != 0 { HazardDomain.withdraw(slot) }
  }

  private static func snapshot(_ bits: UInt) -> Unmanaged<Snapshot>? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged<Snapshot>.fromOpaque($0) }
  }

  private static func retainedBits(_ snapshot: Snapshot?) -> UInt {
    snapshot.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }
}

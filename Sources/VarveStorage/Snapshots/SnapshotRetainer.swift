import Synchronization

/// Keeps objects for as long as a snapshot lives.
///
/// What was made of a snapshot's memory, and is read by threads that announce or hold that snapshot
/// without counting references to the thing itself, is handed here by whoever lets go of it.
///
/// Each version has one, and few are ever given anything: so it is a word that leads to a list.
///
/// Thread safety: any thread.
package final class SnapshotRetainer: Sendable {
  /// An object that is kept, and those that were kept before it.
  private final class Entry: Sendable {
    let object: any AnyObject & Sendable
    /// The entry before this one, as `first` has it. Only whoever holds this one reads or writes it.
    let next = Atomic<UInt>(0)

    init(_ object: any AnyObject & Sendable) { self.object = object }
  }

  /// The address of the last entry, which is held; 0 for none.
  private let first = Atomic<UInt>(0)
  /// What `first` is once the snapshot has ended.
  private static let ended: UInt = 1

  init() {}

  deinit { end() }

  /// Keeps an object until the snapshot ends; lets go of it at once when that has happened.
  package func keep(_ object: any AnyObject & Sendable) {
    let entry = Unmanaged.passRetained(Entry(object))
    var known = first.load(ordering: .relaxed)
    while known != Self.ended {
      entry._withUnsafeGuaranteedRef { $0.next.store(known, ordering: .relaxed) }
      let (isDone, now) = first.compareExchange(
        expected: known, desired: UInt(bitPattern: entry.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isDone { return }
      known = now
    }
    entry.release()
  }

  /// Lets go of everything: nobody announces or holds the snapshot any more.
  func end() {
    var next = first.exchange(Self.ended, ordering: .acquiringAndReleasing)
    while next > Self.ended, let pointer = UnsafeRawPointer(bitPattern: next) {
      // Safe because the word, which held the entry, leads to it no more.
      let entry = Unmanaged<Entry>.fromOpaque(pointer)
      next = entry._withUnsafeGuaranteedRef { $0.next.load(ordering: .relaxed) }
      entry.release()
    }
  }
}

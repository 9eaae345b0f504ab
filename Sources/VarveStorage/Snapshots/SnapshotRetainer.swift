import Synchronization

/// Retains objects for as long as a snapshot lives.
///
/// An object created from a snapshot's memory may be read by threads that announce or retain that
/// snapshot without counting references to the object itself. The thread that releases such an
/// object passes it to the retainer.
///
/// Each version has one, and few ever receive an object: it is therefore a single word that points
/// to a linked list.
///
/// Thread safety: any thread.
package final class SnapshotRetainer: Sendable {
  /// A retained object, and the entries before it.
  private final class Entry: Sendable {
    let object: any AnyObject & Sendable
    /// The previous entry, in the representation of `first`. Only the owner of this entry reads or
    /// writes it.
    let next = Atomic<UInt>(0)

    init(_ object: any AnyObject & Sendable) { self.object = object }
  }

  /// The address of the last entry, with a retain; 0 for none.
  private let first = Atomic<UInt>(0)
  /// The value of `first` once the snapshot has ended.
  private static let ended: UInt = 1

  init() {}

  deinit { end() }

  /// Retains an object until the snapshot ends; releases it at once if that has happened.
  package func keep(_ object: any AnyObject & Sendable) {
    let entry = Unmanaged.passRetained(Entry(object))
    var current = first.load(ordering: .relaxed)
    while current != Self.ended {
      entry._withUnsafeGuaranteedRef { $0.next.store(current, ordering: .relaxed) }
      let (isDone, now) = first.compareExchange(
        expected: current, desired: UInt(bitPattern: entry.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isDone { return }
      current = now
    }
    entry.release()
  }

  /// Releases all objects. No thread announces or retains the snapshot any more.
  func end() {
    var next = first.exchange(Self.ended, ordering: .acquiringAndReleasing)
    while next > Self.ended, let pointer = UnsafeRawPointer(bitPattern: next) {
      // Safe because the word, which owned the entry, no longer refers to it.
      let entry = Unmanaged<Entry>.fromOpaque(pointer)
      next = entry._withUnsafeGuaranteedRef { $0.next.load(ordering: .relaxed) }
      entry.release()
    }
  }
}

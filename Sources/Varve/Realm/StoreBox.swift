import Synchronization
import VarveCore

/// Remembers the store of a configuration and its copies, and keeps it from nothing: the store remembers the
/// configuration that it was opened with.
///
/// Thread safety: atomic.
final class StoreBox: Sendable {
  /// What one opening gave.
  private final class Opened: Sendable {
    weak let store: Store?
    /// What an earlier opening gave: a thread may still be in `open`, so it is kept as long as the box.
    let earlier: UInt

    init(_ store: Store, earlier: UInt) {
      self.store = store
      self.earlier = earlier
    }
  }

  /// The retained reference to the last `Opened`; 0 before the first.
  private let bits = Atomic<UInt>(0)

  /// The store, while it is open.
  var open: Store? {
    guard let opened = StoreBox.opened(bits.load(ordering: .acquiring)),
      let store = opened.takeUnretainedValue().store
    else { return nil }
    return store.isClosed ? nil : store
  }

  func set(_ store: Store) {
    if open === store { return }
    while true {
      let old = bits.load(ordering: .acquiring)
      let new = Unmanaged.passRetained(Opened(store, earlier: old))
      if bits.compareExchange(
        expected: old, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing
      ).exchanged {
        return
      }
      new.release()
    }
  }

  /// Safe because `set` retained it and only the deinit gives it back.
  private static func opened(_ bits: UInt) -> Unmanaged<Opened>? {
    UnsafeRawPointer(bitPattern: bits).map(Unmanaged.fromOpaque)
  }

  deinit {
    var next = StoreBox.opened(bits.load(ordering: .acquiring))
    while let opened = next {
      next = StoreBox.opened(opened.takeUnretainedValue().earlier)
      opened.release()
    }
  }
}

import Synchronization
import VarveCore

/// Remembers the store of a configuration and its copies.
///
/// Thread safety: atomic; the store is kept for the life of the process once set.
final class StoreBox: Sendable {
  private let bits = Atomic<UInt>(0)

  var open: Store? {
    guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else {
      return nil
    }
    // Safe because `set` retained the store and only the deinit gives it back.
    let store = Unmanaged<Store>.fromOpaque(pointer).takeUnretainedValue()
    return store.isClosed ? nil : store
  }

  func set(_ store: Store) {
    let new = UInt(bitPattern: Unmanaged.passRetained(store).toOpaque())
    let old = bits.exchange(new, ordering: .acquiringAndReleasing)
    // A store that was closed may still be read by a thread in `open`: it is kept.
    _ = old
  }

  deinit {
    if let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) {
      Unmanaged<Store>.fromOpaque(pointer).release()
    }
  }
}

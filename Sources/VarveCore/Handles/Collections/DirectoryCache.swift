import Synchronization
import VarveStorage

/// The directory of a list in the snapshot that a handle read last.
///
/// Like a row's cached address, it is tagged with the serial number of its snapshot, and found by
/// loads alone: threads that share a handle to a list do not contend for a lock or a reference
/// count.
///
/// Thread safety: any thread that announces or retains the snapshot of its request. A directory
/// that is replaced while others read it is kept until its snapshot ends, which is after those
/// reads.
struct DirectoryCache: ~Copyable {
  /// The serial number of the directory's snapshot; `RowHandle.locked` while the pair is being
  /// replaced.
  private let serial = Atomic<UInt64>(0)
  /// The retained `ListDirectory`; 0 before the first.
  private let bits = Atomic<UInt>(0)

  deinit {
    // No thread reads any more: reading requires a reference to the handle.
    Self.directory(bits.load(ordering: .acquiring))?.release()
  }

  /// Returns the directory in a snapshot, if it is the snapshot read last.
  @inline(__always)
  func find(in snapshot: Snapshot) -> Unmanaged<ListDirectory>? {
    let requested = snapshot.serial
    guard serial.load(ordering: .acquiring) == requested else { return nil }
    let found = bits.load(ordering: .acquiring)
    // Loaded again: another thread may have replaced the pair in between.
    guard serial.load(ordering: .relaxed) == requested else { return nil }
    return Self.directory(found)
  }

  /// Caches a directory, unless a later one is cached or another thread is replacing it.
  func remember(_ directory: ListDirectory, in snapshot: Snapshot) {
    let old = serial.load(ordering: .relaxed)
    // Only to a later version, so that a serial number that is the same before and after the load
    // of the directory is the number of that directory.
    guard old < snapshot.serial,
      serial.compareExchange(
        expected: old, desired: RowHandle.locked, ordering: .acquiring
      ).exchanged
    else { return }
    let new = UInt(bitPattern: Unmanaged.passRetained(directory).toOpaque())
    let replaced = Self.directory(bits.exchange(new, ordering: .acquiringAndReleasing))
    serial.store(snapshot.serial, ordering: .releasing)
    if let replaced = replaced?.takeRetainedValue() { replaced.retainer.keep(replaced) }
  }

  @inline(__always)
  private static func directory(_ bits: UInt) -> Unmanaged<ListDirectory>? {
    // Safe because the word is 0 or a directory that was retained when it was stored.
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }
}

/// Growable raw memory, owned by one buffer class.
///
/// Thread safety: none; it belongs to its owner.
@usableFromInline
package struct ByteStorage: ~Copyable {
  @usableFromInline package private(set) var base: UnsafeMutableRawPointer
  @usableFromInline package private(set) var capacity: Int

  /// - Parameter capacity: for how many bytes there is room from the begin; for 0 nothing is allocated.
  @usableFromInline
  package init(capacity: Int) {
    self.capacity = capacity == 0 ? 0 : max(capacity, 16)
    base = capacity == 0 ? Self.noMemory : .allocate(byteCount: self.capacity, alignment: 8)
  }

  /// Stands for memory of no bytes.
  // Safe because it is never followed.
  private static var noMemory: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  deinit { if capacity > 0 { base.deallocate() } }

  /// Makes room for `needed` bytes in all and keeps the first `used`.
  ///
  /// Complexity: O(*used*) when it grows; growth at least doubles.
  @inlinable
  package mutating func reserve(_ needed: Int, keeping used: Int) {
    if needed > capacity { grow(to: needed, keeping: used) }
  }

  @usableFromInline
  mutating func grow(to needed: Int, keeping used: Int) {
    let size = max(needed, capacity * 2, 16)
    let new = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    if capacity > 0 {
      new.copyMemory(from: base, byteCount: used)
      base.deallocate()
    }
    base = new
    capacity = size
  }

  /// Whether the bytes lie in this memory, so that growing would pull them away.
  @usableFromInline
  package func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return start >= UnsafeRawPointer(base) && start < UnsafeRawPointer(base + capacity)
  }
}

/// Growable raw memory, owned by one buffer class.
///
/// Thread safety: none; it belongs to its owner.
@usableFromInline
package struct ByteStorage: ~Copyable {
  @usableFromInline package private(set) var base: UnsafeMutableRawPointer
  @usableFromInline package private(set) var capacity: Int

  /// - Parameter capacity: The initial capacity in bytes; 0 allocates nothing.
  @usableFromInline
  package init(capacity: Int) {
    self.capacity = capacity == 0 ? 0 : max(capacity, 16)
    base = capacity == 0 ? Self.noMemory : .allocate(byteCount: self.capacity, alignment: 8)
  }

  /// A placeholder for empty memory.
  // Safe because it is never dereferenced.
  private static var noMemory: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  deinit { if capacity > 0 { base.deallocate() } }

  /// Grows the memory to at least `needed` bytes, and keeps the first `used`.
  ///
  /// - Complexity: O(used) when it grows; growth at least doubles.
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

  /// Whether the bytes are in this memory, so that growing would invalidate them.
  @usableFromInline
  package func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return start >= UnsafeRawPointer(base) && start < UnsafeRawPointer(base + capacity)
  }
}

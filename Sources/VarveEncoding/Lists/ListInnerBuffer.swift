/// Builds the bytes of inner nodes, one node after the other without allocating.
///
/// Thread safety: none; one owner at a time.
package final class ListInnerBuffer {
  // Safe because the buffer has one owner, and no access to these runs foreign code.

  @exclusivity(unchecked) private var storage = ByteStorage(capacity: ListNode.maximumBytes)
  @exclusivity(unchecked) private var count = 0

  package init() {}

  /// Removes all children.
  package func removeAll() { count = 0 }

  /// The length of the node if it were finished now.
  private var byteCount: Int { ListNode.headerBytes + count * ListInnerEntry.byteCount }

  /// Appends a child after the others.
  package func append(_ entry: ListInnerEntry) {
    let offset = byteCount
    storage.reserve(offset + ListInnerEntry.byteCount, keeping: offset)
    entry.store(to: storage.base + offset)
    count += 1
  }

  /// Completes the node with header and checksum.
  ///
  /// - Parameter key: The key under which the node is stored.
  /// - Returns: The bytes, valid until the buffer is changed or released. If nothing else retains
  ///   the buffer, it may be released at once: use ``finish(_:_:)`` then.
  /// - Precondition: There are no more children than ``ListInner/maximumCount``.
  package func finish(_ key: ListNodeKey) -> UnsafeRawBufferPointer {
    ListNode.seal(
      storage.base, key, kind: ListNode.innerKind, format: 0, count: count, byteCount: byteCount)
  }

  /// Completes the node and calls `body` with its bytes.
  package func finish<R, E: Error>(
    _ key: ListNodeKey, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(finish(key))
  }
}

import VarveEncoding

extension ListDirectory {
  /// A walk over a list's elements in order.
  ///
  ///     var walk = directory.makeIterator()
  ///     while walk.advance() { use(walk.bits) }
  ///
  /// Thread safety: a value for one thread; any number of walks may read a directory concurrently.
  @usableFromInline
  package struct Iterator {
    private let directory: ListDirectory
    private let end: Int
    @usableFromInline let shape: PackedShape
    /// The index of the current element.
    @usableFromInline package internal(set) var index: Int
    /// The leaf of the current element; nil if the list is damaged.
    private var leaf: ListLeaf?
    /// The address of its first element if it is packed.
    @usableFromInline var packed: UnsafeRawPointer?
    @usableFromInline var leafStart: Int
    @usableFromInline var leafEnd: Int

    init(_ directory: ListDirectory) {
      self.directory = directory
      end = directory.count
      index = -1
      shape = directory.shape
      leaf = nil
      packed = nil
      leafStart = 0
      leafEnd = 0
    }

    /// Advances to the next element.
    ///
    /// - Returns: false at the end.
    /// - Complexity: O(1), and the cost of `bits(at:)` at every leaf.
    @inlinable
    package mutating func advance() -> Bool {
      index += 1
      if index < leafEnd { return true }
      return enterLeaf()
    }

    /// The current element's raw bits. See `ListDirectory.bits(at:)`.
    @inlinable
    package var bits: UInt64? {
      guard let packed else { return nil }
      return shape.bits(packed, at: index - leafStart)
    }

    /// The current element's bytes. See `ListDirectory.bytes(at:)`.
    package var bytes: UnsafeRawBufferPointer? { leaf?.element(at: index - leafStart) }

    /// Whether the current element's leaf is damaged. Its elements read as nil.
    package var isDamaged: Bool { leaf == nil }

    @usableFromInline
    mutating func enterLeaf() -> Bool {
      guard index < end else {
        index = end
        return false
      }
      let span = directory.span(of: index)
      leaf = span?.leaf
      packed = leaf?.packedAddress
      leafStart = span?.start ?? index
      leafEnd = min(span?.end ?? index + 1, end)
      return true
    }
  }

  /// Returns an iterator over all elements.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// Returns the index of the first element with the given raw bits; nil searches for the first
  /// null.
  ///
  /// - Complexity: O(n).
  package func firstIndex(ofBits bits: UInt64?) -> Int? {
    guard bits != nil || format.isNullable else { return nil }
    var walk = makeIterator()
    while walk.advance() {
      if let bits {
        if walk.bits == bits { return walk.index }
      } else if walk.bytes == nil, !walk.isDamaged {
        return walk.index
      }
    }
    return nil
  }
}

/// The pages that one snapshot may access.
///
/// Each page is checked when it is visited: its number must be the requested one, its kind the
/// expected one, its offsets inside the page. Damaged bytes therefore give nil, never a trap.
///
/// Thread safety: a value; the memory behind it is immutable while the snapshot lives.
@usableFromInline
package struct PageMap: @unchecked Sendable {
  // Safe because the memory is mapped read-only and pinned by the snapshot that owns this map.

  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline let pageSize: Int
  @usableFromInline let shift: UInt64
  /// One more than the number of the last page.
  @usableFromInline let limit: UInt64

  init(base: UnsafeRawPointer, pageSize: Int, limit: UInt64) {
    self.base = base
    self.pageSize = pageSize
    self.shift = UInt64(pageSize.trailingZeroBitCount)
    self.limit = limit
  }

  /// Returns a page with entries, or nil when the page is not of the expected kind.
  @inlinable @inline(__always)
  func page(_ number: UInt64, _ kind: UInt16) -> UnsafeRawPointer? {
    guard number < limit else { return nil }
    let page = base + Int(truncatingIfNeeded: number &<< shift)
    let lower = Int(page.u16(PageLayout.lower))
    guard page.u64(0) == number, page.u16(PageLayout.flags) & PageLayout.kindMask == kind,
      lower > PageLayout.headerSize, lower <= pageSize
    else { return nil }
    return page
  }

  /// Whether all pages together have room for as many entries.
  @inlinable @inline(__always)
  func mayHold(_ entries: UInt64) -> Bool {
    entries <= limit &* UInt64(pageSize / (PageLayout.nodeHeaderSize + 2))
  }

  /// Returns the number of entries of a checked page.
  @inlinable @inline(__always)
  func entryCount(_ page: UnsafeRawPointer) -> Int {
    (Int(page.u16(PageLayout.lower)) &- PageLayout.headerSize) >> 1
  }

  /// Returns the offset of an entry in a checked page. The offset itself is not checked.
  @inlinable @inline(__always)
  func nodeOffset(_ page: UnsafeRawPointer, _ index: Int) -> Int {
    Int(page.u16(PageLayout.headerSize &+ 2 &* index))
  }

  /// Returns an entry of a checked page, or nil when the entry or its key reaches outside the page.
  @inlinable @inline(__always)
  func node(_ page: UnsafeRawPointer, _ index: Int) -> UnsafeRawPointer? {
    let offset = nodeOffset(page, index)
    guard offset &+ PageLayout.nodeHeaderSize <= pageSize else { return nil }
    let node = page + offset
    let end = offset &+ PageLayout.nodeHeaderSize &+ Int(node.u16(PageLayout.nodeKeySize))
    return end <= pageSize ? node : nil
  }

  /// Returns the number of the page below an entry of a branch page.
  @inlinable @inline(__always)
  func child(_ node: UnsafeRawPointer) -> UInt64 {
    UInt64(node.u32(0)) | UInt64(node.u16(PageLayout.nodeFlags)) &<< 32
  }

  @inlinable @inline(__always)
  func key(_ node: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: node + PageLayout.nodeHeaderSize, count: Int(node.u16(PageLayout.nodeKeySize)))
  }

  /// Returns the value of an entry of a leaf, or nil when it reaches outside its page or pages.
  @inlinable @inline(__always)
  func value(_ node: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
    let start = PageLayout.nodeHeaderSize &+ Int(node.u16(PageLayout.nodeKeySize))
    let byteCount = Int(node.u32(0))
    let flags = node.u16(PageLayout.nodeFlags)
    if flags & PageLayout.bigData != 0 { return overflowValue(node, start, byteCount) }
    let offset = (node - base) & (pageSize &- 1)
    guard offset &+ start &+ byteCount <= pageSize else { return nil }
    return UnsafeRawBufferPointer(start: node + start, count: byteCount)
  }

  /// Returns a value stored in contiguous overflow pages.
  @usableFromInline @inline(never)
  func overflowValue(
    _ node: UnsafeRawPointer, _ start: Int, _ byteCount: Int
  ) -> UnsafeRawBufferPointer? {
    let offset = (node - base) & (pageSize &- 1)
    guard offset &+ start &+ 8 <= pageSize else { return nil }
    let number = node.u64(start)
    guard number >= 2, number < limit else { return nil }
    let page = base + Int(truncatingIfNeeded: number &<< shift)
    let pageCount = UInt64(page.u32(PageLayout.overflowPages))
    guard page.u64(0) == number,
      page.u16(PageLayout.flags) & PageLayout.kindMask == PageLayout.overflow,
      pageCount <= limit &- number,
      PageLayout.headerSize &+ byteCount <= Int(pageCount) &* pageSize
    else { return nil }
    return UnsafeRawBufferPointer(start: page + PageLayout.headerSize, count: byteCount)
  }
}

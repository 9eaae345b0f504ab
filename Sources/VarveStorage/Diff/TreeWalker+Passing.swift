import Glibc

/// Skipping the content that two walks share: the hot loops of a diff.
extension TreeWalker {
  /// Advances both walks past their current page and the shared pages that follow it.
  ///
  /// - Precondition: Both walks are on pages of the same height.
  static func passSharedPages(
    _ left: inout TreeWalker, _ right: inout TreeWalker
  ) throws(PageDamage) {
    let last = left.pages.pageSize &- PageLayout.nodeHeaderSize
    while left.index &+ 1 < left.count, right.index &+ 1 < right.count {
      let leftOffset = left.pages.nodeOffset(left.page, left.index &+ 1)
      let rightOffset = right.pages.nodeOffset(right.page, right.index &+ 1)
      guard leftOffset <= last, rightOffset <= last,
        left.pages.child(left.page + leftOffset) == right.pages.child(right.page + rightOffset)
      else { break }
      left.index &+= 1
      right.index &+= 1
    }
    try left.advance()
    try right.advance()
  }

  /// Advances both walks past entries that are equal byte for byte in both pages.
  ///
  /// - Returns: Whether there was one.
  /// - Precondition: Both walks are on entries.
  static func passSameEntries(
    _ left: inout TreeWalker, _ right: inout TreeWalker
  ) throws(PageDamage) -> Bool {
    let start = left.index
    while left.index < left.count, right.index < right.count,
      let byteCount = left.nodeSize, byteCount == right.nodeSize,
      memcmp(
        left.page + left.pages.nodeOffset(left.page, left.index),
        right.page + right.pages.nodeOffset(right.page, right.index), byteCount) == 0
    {
      left.index &+= 1
      right.index &+= 1
    }
    if left.index == start { return false }
    left.index &-= 1
    right.index &-= 1
    try left.advance()
    try right.advance()
    return true
  }

  /// The size of the node at the index of a leaf; for a value with overflow pages, it includes the
  /// page number. Nil if the node reaches outside the page.
  @inline(__always)
  private var nodeSize: Int? {
    let offset = pages.nodeOffset(page, index)
    guard offset &+ PageLayout.nodeHeaderSize <= pages.pageSize else { return nil }
    let node = page + offset
    let isBig = node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0
    let byteCount =
      PageLayout.nodeHeaderSize &+ Int(node.u16(PageLayout.nodeKeySize))
      &+ (isBig ? 8 : Int(node.u32(0)))
    return offset &+ byteCount <= pages.pageSize ? byteCount : nil
  }
}

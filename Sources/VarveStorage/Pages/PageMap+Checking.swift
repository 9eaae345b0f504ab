/// A damaged page.
struct PageDamage: Error {
  let page: UInt64
  var detail: StaticString = "A page is damaged."
}

/// The separators next to the path to a page: the inclusive lower bound and the exclusive upper
/// bound of every key below it.
struct PageBounds {
  var lower: UnsafeRawPointer?
  var upper: UnsafeRawPointer?
}

/// The checks of one page, before LMDB reads or modifies it.
extension PageMap {
  /// Returns a page of a tree after a check of its kind, the number and the extents of its entries,
  /// and the order and the range of their keys. Values are not checked.
  ///
  /// - Complexity: O(entries of the page).
  func checkedPage(
    _ number: UInt64, isLeaf: Bool, _ bounds: PageBounds, hasIntegerKeys: Bool,
    isFreeList: Bool = false
  ) throws(PageDamage) -> UnsafeRawPointer {
    let page = try checkedRoot(number, isLeaf: isLeaf, isFreeList: isFreeList)
    try checkEntries(page, isLeaf: isLeaf, hasIntegerKeys: hasIntegerKeys)
    guard isBounded(page, isLeaf: isLeaf, bounds.lower, bounds.upper, hasIntegerKeys) else {
      throw PageDamage(page: number, detail: "A page has the keys of another page.")
    }
    return page
  }

  /// Returns a page of a tree after a check of its kind and the number of its entries.
  func checkedRoot(
    _ number: UInt64, isLeaf: Bool, isFreeList: Bool = false
  ) throws(PageDamage) -> UnsafeRawPointer {
    let kind = isLeaf ? PageLayout.leaf : PageLayout.branch
    guard number >= 2, let page = page(number, kind), hasFlags(page, kind) else {
      throw PageDamage(page: number, detail: "A page is not of the expected kind.")
    }
    guard hasEntries(page, isLeaf: isLeaf, isFreeList: isFreeList) else {
      throw PageDamage(page: number, detail: "A page has too few entries.")
    }
    return page
  }

  /// Checks the offsets of the entries of a page, and the order of their keys.
  private func checkEntries(
    _ page: UnsafeRawPointer, isLeaf: Bool, hasIntegerKeys: Bool
  ) throws(PageDamage) {
    let number = page.u64(0)
    let upper = Int(page.u16(PageLayout.lower + 2))
    guard upper >= Int(page.u16(PageLayout.lower)), upper <= pageSize else {
      throw PageDamage(page: number, detail: "The free room of a page is damaged.")
    }
    var previous: UnsafeRawPointer?
    var byteCount = 0
    for index in 0..<entryCount(page) {
      let offset = nodeOffset(page, index)
      guard offset >= upper, offset & 1 == 0, let node = node(page, index) else {
        throw PageDamage(page: number, detail: "An entry reaches outside its page.")
      }
      byteCount += nodeSize(node, isLeaf: isLeaf)
      // The first entry of a branch page has no key.
      guard isLeaf || index > 0 else { continue }
      let keySize = Int(node.u16(PageLayout.nodeKeySize))
      guard hasIntegerKeys ? keySize == 8 : keySize > 0 && keySize <= largestKey else {
        throw PageDamage(page: number, detail: "A key has the wrong size.")
      }
      if let previous, order(previous, node, hasIntegerKeys) >= 0 {
        throw PageDamage(page: number, detail: "Keys are out of order.")
      }
      previous = node
    }
    // LMDB moves the entries of a page as one block.
    guard byteCount == pageSize - upper else {
      throw PageDamage(page: number, detail: "The entries of a page overlap.")
    }
  }

  /// Returns the value of an entry of a checked leaf, after a check of its extent.
  ///
  /// - Parameters:
  ///   - node: The entry.
  ///   - number: The page of the entry.
  ///   - allowsTables: Whether the value may be the record of a table.
  func checkedValue(
    _ node: UnsafeRawPointer, _ number: UInt64, allowsTables: Bool
  ) throws(PageDamage) -> UnsafeRawBufferPointer {
    let flags = node.u16(PageLayout.nodeFlags)
    guard flags & ~(PageLayout.bigData | (allowsTables ? PageLayout.subData : 0)) == 0,
      let value = value(node),
      flags & PageLayout.bigData != 0 || nodeSize(node, isLeaf: true) <= largestNode
    else { throw PageDamage(page: number, detail: "A value reaches outside its page.") }
    if flags & PageLayout.bigData != 0, let start = value.baseAddress {
      let page = start - PageLayout.headerSize
      guard hasFlags(page, PageLayout.overflow) else {
        throw PageDamage(page: page.u64(0), detail: "A page is not of the expected kind.")
      }
    }
    return value
  }

  /// Whether a page has only the flag of its kind. LMDB clears the flags of a running transaction
  /// before it writes a page; a page with such a flag would be modified in place, in a read-only
  /// map.
  func hasFlags(_ page: UnsafeRawPointer, _ kind: UInt16) -> Bool {
    page.u16(PageLayout.flags) == kind
  }

  /// Whether a page has the minimum number of entries that LMDB assumes, and a valid count.
  private func hasEntries(
    _ page: UnsafeRawPointer, isLeaf: Bool, isFreeList: Bool
  ) -> Bool {
    page.u16(PageLayout.lower) & 1 == 0 && entryCount(page) >= (isLeaf || isFreeList ? 1 : 2)
  }

  /// The maximum size of an entry in a page in bytes; a larger value is stored in overflow pages.
  var largestNode: Int { ((pageSize - PageLayout.headerSize) / 2) & ~1 - 2 }

  /// The longest key that fits in a page, regardless of how LMDB was built.
  var largestKey: Int { largestNode - PageLayout.nodeHeaderSize }

  /// Returns the number of bytes that an entry occupies in its page.
  func nodeSize(_ node: UnsafeRawPointer, isLeaf: Bool) -> Int {
    var size = PageLayout.nodeHeaderSize + Int(node.u16(PageLayout.nodeKeySize))
    if isLeaf {
      size += node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 ? 8 : Int(node.u32(0))
    }
    return (size + 1) & ~1
  }

  /// Returns the number of bytes that LMDB uses in a leaf for an entry that it adds.
  func leafBytes(_ valueCount: Int, keyCount: Int) -> Int {
    let size = PageLayout.nodeHeaderSize + keyCount + valueCount
    return ((size > largestNode ? size - valueCount + 8 : size) + 1) & ~1
  }

  /// Compares the keys of two entries of a tree.
  @inline(__always)
  func order(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ hasIntegerKeys: Bool
  ) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(key(left), key(right)) }
    let (left, right) = (left.u64(PageLayout.nodeHeaderSize), right.u64(PageLayout.nodeHeaderSize))
    return left < right ? -1 : left == right ? 0 : 1
  }
}

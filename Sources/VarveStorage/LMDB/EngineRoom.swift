import Glibc

/// Where LMDB's map lies, and whether what it hands out lies in the pages that it should.
///
/// LMDB believes the lengths that stand in a page. Bytes of a damaged one would be read from behind the page, or from
/// behind the file.
///
/// Thread safety: a value; valid until the map changes, which it does not during a write.
struct EngineRoom: @unchecked Sendable {
  // Safe because the mapping is immutable, and LMDB's map is read only at places that LMDB has just handed out.

  /// The address of the first page; 0 where it is not known, and nothing is checked.
  private let origin: UInt
  private let byteCount: UInt
  private let pages: PageMap
  /// Tells the length of the file.
  private let mapping: ReadMapping

  /// Finds the map.
  ///
  /// - Parameters:
  ///   - root: The root record, as LMDB has just handed it out, from a page that is not changed.
  ///   - mapping: A map of the same file and size.
  ///   - pageSize: The size of the pages.
  init(root: UnsafeRawBufferPointer, mapping: ReadMapping, pageSize: Int) {
    self.mapping = mapping
    byteCount = UInt(mapping.byteCount)
    pages = PageMap(base: mapping.base, pageSize: pageSize, limit: 0)
    // The map begins at a page of the system: one of the file does too unless it is larger.
    guard let base = root.baseAddress, pageSize <= getpagesize() else {
      origin = 0
      return
    }
    let inPage = Int(bitPattern: base) & (pageSize - 1)
    let page = base - inPage
    origin = UInt(bitPattern: page) &- UInt(page.u64(0)) &* UInt(pageSize)
  }

  /// Whether a key or a value lies where it can.
  ///
  /// - Parameters:
  ///   - bytes: What LMDB has handed out.
  ///   - keyCount: The length of the key of the entry.
  /// - Returns: Whether they lie there.
  /// - Complexity: O(1), a few loads from the page.
  @inline(__always)
  func holds(_ bytes: UnsafeRawBufferPointer, keyCount: Int) -> Bool {
    guard origin != 0, !bytes.isEmpty, let start = bytes.baseAddress else { return true }
    let offset = UInt(bitPattern: start) &- origin
    return offset < byteCount
      ? holds(bytes.count, start, offset: Int(offset))
      : holdsChanged(bytes.count, start, keyCount: keyCount)
  }

  /// Whether bytes of a page of the file end in it, or in its run of pages.
  private func holds(_ count: Int, _ start: UnsafeRawPointer, offset: Int) -> Bool {
    guard mapping.readableLength(offset + 1) > offset else { return false }
    let inPage = offset & (pages.pageSize - 1)
    let page = start - inPage
    if page.u16(PageLayout.flags) & PageLayout.kindMask == PageLayout.leaf {
      return count <= pages.pageSize - inPage
    }
    return inPage == PageLayout.headerSize && isRun(page, holding: count)
      && mapping.readableLength(offset + count) == offset + count
  }

  /// Whether bytes of a page that the transaction has changed, which lies in memory of LMDB's, can be as many.
  ///
  /// Where that page begins is not known: an entry is at most as long as one that LMDB makes.
  private func holdsChanged(_ count: Int, _ start: UnsafeRawPointer, keyCount: Int) -> Bool {
    PageLayout.nodeHeaderSize + keyCount + count <= pages.largestNode
      || isRun(start - PageLayout.headerSize, holding: count)
  }

  private func isRun(_ page: UnsafeRawPointer, holding count: Int) -> Bool {
    page.u16(PageLayout.flags) & PageLayout.kindMask == PageLayout.overflow
      && PageLayout.headerSize + count
        <= Int(page.u32(PageLayout.overflowPages)) * pages.pageSize
  }
}

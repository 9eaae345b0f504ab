import Glibc

/// The address range of LMDB's map, and checks that the memory returned by LMDB is inside the right
/// pages.
///
/// LMDB trusts the lengths in a page. With a damaged page, bytes would be read beyond the page, or
/// beyond the file.
///
/// Thread safety: a value; valid until the map changes, which does not happen during a write.
struct EngineRoom: @unchecked Sendable {
  // Safe because the mapping is immutable, and LMDB's map is read only at addresses that LMDB has
  // just returned.

  /// The address of the first page; 0 if it is unknown, and nothing is checked.
  private let origin: UInt
  private let byteCount: UInt
  private let pages: PageMap
  /// The mapping that provides the length of the file.
  private let mapping: ReadMapping

  /// Finds the map.
  ///
  /// - Parameters:
  ///   - root: The root record, as LMDB has just returned it, from an unmodified page.
  ///   - mapping: A mapping of the same file and size.
  init(root: UnsafeRawBufferPointer, mapping: ReadMapping, pageSize: Int) {
    self.mapping = mapping
    byteCount = UInt(mapping.byteCount)
    pages = PageMap(base: mapping.base, pageSize: pageSize, limit: 0)
    // The map begins at a system page. So does a page of the file, unless it is larger.
    guard let base = root.baseAddress, pageSize <= getpagesize() else {
      origin = 0
      return
    }
    let inPage = Int(bitPattern: base) & (pageSize - 1)
    let page = base - inPage
    origin = UInt(bitPattern: page) &- UInt(page.u64(0)) &* UInt(pageSize)
  }

  /// Whether a key or a value is inside its page.
  ///
  /// - Parameters:
  ///   - bytes: The bytes returned by LMDB.
  ///   - keyCount: The length of the key of the entry.
  /// - Complexity: O(1), a few loads from the page.
  @inline(__always)
  func contains(_ bytes: UnsafeRawBufferPointer, keyCount: Int) -> Bool {
    guard origin != 0, !bytes.isEmpty, let start = bytes.baseAddress else { return true }
    let offset = UInt(bitPattern: start) &- origin
    return offset < byteCount
      ? contains(bytes.count, start, offset: Int(offset))
      : containsChanged(bytes.count, start, keyCount: keyCount)
  }

  /// Whether bytes of a page of the file end inside the page, or its run of overflow pages.
  private func contains(_ count: Int, _ start: UnsafeRawPointer, offset: Int) -> Bool {
    guard mapping.readableLength(offset + 1) > offset else { return false }
    let inPage = offset & (pages.pageSize - 1)
    let page = start - inPage
    if page.u16(PageLayout.flags) & PageLayout.kindMask == PageLayout.leaf {
      return count <= pages.pageSize - inPage
    }
    return inPage == PageLayout.headerSize && isRun(page, holding: count)
      && mapping.readableLength(offset + count) == offset + count
  }

  /// Whether a page that the transaction has changed, which is in LMDB's heap memory, can contain
  /// as many bytes.
  ///
  /// The start of that page is unknown, so the check uses the longest entry that LMDB creates.
  private func containsChanged(_ count: Int, _ start: UnsafeRawPointer, keyCount: Int) -> Bool {
    PageLayout.nodeHeaderSize + keyCount + count <= pages.largestNode
      || isRun(start - PageLayout.headerSize, holding: count)
  }

  private func isRun(_ page: UnsafeRawPointer, holding count: Int) -> Bool {
    page.u16(PageLayout.flags) & PageLayout.kindMask == PageLayout.overflow
      && PageLayout.headerSize + count
        <= Int(page.u32(PageLayout.overflowPages)) * pages.pageSize
  }
}

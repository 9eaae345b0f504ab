import CVarve
import Glibc

/// The marks and the seal of a commit in its meta page, which show after a power failure whether the
/// commit is complete.
///
/// LMDB writes bytes 32 to 151 of a meta page, and no others once the page exists. The layout of
/// the rest is drawn in `Docs/Format.md`, “Commit seals”.
///
/// Thread safety: a value. The marks are read atomically; the rest is read while the write lock is
/// held, or while no process has the file open.
struct CommitSeal {
  enum Layout {
    /// The mark before the bytes that LMDB writes.
    static let firstMark = 24
    /// The mark behind them.
    static let mark = 160
    static let count = 168
    static let sum = 172
    static let list = 176
    static let entryBytes = 8
  }

  /// The count of a seal that is not written yet.
  private static let unfinished = UInt32.max
  /// The count of a seal whose commit could not be synchronized.
  private static let failed = UInt32.max - 1
  /// The largest number of pages in a list.
  private static let largestCount = 490

  let transactionID: UInt64
  /// A mapping of the file that contains both meta pages.
  private let base: UnsafeRawPointer
  private let pageSize: Int

  init(of transactionID: UInt64, base: UnsafeRawPointer, pageSize: Int) {
    self.transactionID = transactionID
    self.base = base
    self.pageSize = pageSize
  }

  /// The number of pages that fit into a list.
  static func capacity(pageSize: Int) -> Int {
    let count = min(largestCount, (pageSize - Layout.list) / Layout.entryBytes)
    return CommitMutant.current == .twoChecksums ? count - 1 : count
  }

  private var page: UnsafeRawPointer {
    MetaPage.address(transactionID, base: base, pageSize: pageSize)
  }

  /// Whether the commit is one that has a seal once it is complete. LMDB's own commits have none.
  var isMarked: Bool {
    let page = page
    guard transactionID != 0 else { return false }
    return varve_load64(page + Layout.mark) == transactionID
      || varve_load64(page + Layout.firstMark) == transactionID
  }

  /// Whether the commit is marked, and not complete. See ``isComplete(byteCount:)``.
  func isUnfinished(byteCount: Int) -> Bool { isMarked && !isComplete(byteCount: byteCount) }

  /// Whether the seal, if it holds, lists pages; otherwise they were on the disk before it.
  var hasList: Bool { page.u32(Layout.count) != 0 }

  /// Whether the seal, and every page in its list, has the content of the commit.
  ///
  /// - Parameter byteCount: The number of bytes of the file, all of them mapped.
  /// - Complexity: O(pages of the commit).
  func isComplete(byteCount: Int) -> Bool {
    let page = page
    let count = Int(page.u32(Layout.count))
    guard count <= Self.capacity(pageSize: pageSize), page.u64(Layout.mark) == transactionID,
      page.u32(Layout.sum) == sum(of: page, count: count)
    else { return false }
    if CommitMutant.current == .twoChecksums {
      let end = Layout.list + count * Layout.entryBytes
      guard page.u32(end) == listSum(of: page, count: count) else { return false }
    }
    if CommitMutant.current == .listIsNotChecked { return true }
    return (0..<count).allSatisfy { index in
      let entry = page + Layout.list + index * Layout.entryBytes
      let number = Int(entry.u32(0))
      return number >= 2 && (number + 1) * pageSize <= byteCount
        && varve_crc32c(0, base + number * pageSize, pageSize) == entry.u32(4)
    }
  }

  /// The checksum of everything in a meta page that belongs to the commit.
  private func sum(of page: UnsafeRawPointer, count: Int) -> UInt32 {
    var sum = varve_crc32c(0, page, PageLayout.metaEnd)
    sum = varve_crc32c(sum, page + Layout.mark, Layout.sum - Layout.mark)
    if CommitMutant.current == .twoChecksums { return sum }
    return varve_crc32c(sum, page + Layout.list, count * Layout.entryBytes)
  }

  private func listSum(of page: UnsafeRawPointer, count: Int) -> UInt32 {
    varve_crc32c(0, page + Layout.list, count * Layout.entryBytes)
  }
}

/// Writing. Each function returns 0 or the error of the system.
///
/// The caller owns the write lock, or has the file for itself. Other programs do not take that lock:
/// only ``writeMarks(_:)``, inside a transaction of LMDB, writes the bytes of LMDB.
extension CommitSeal {
  /// Marks the commit as unfinished, before LMDB writes its meta page.
  func writeMarks(_ descriptor: Int32) -> Int32 {
    if CommitMutant.current == .noMark { return 0 }
    // One write, with the bytes of LMDB between the marks as they are. LMDB's lock is held.
    return write(from: Layout.firstMark, to: Layout.list, descriptor) { page in
      if CommitMutant.current != .markOnOneSide { page.put(transactionID, Layout.firstMark) }
      page.put(transactionID, Layout.mark)
      page.put(Self.unfinished, Layout.count)
      page.put(UInt32(0), Layout.sum)
    }
  }

  /// Seals the commit, whose meta page and other pages are written.
  ///
  /// - Parameter numbers: The pages that the commit has written; empty if they are on the disk.
  func write(_ numbers: [UInt64], _ descriptor: Int32) -> Int32 {
    if CommitMutant.current == .noMark { return 0 }
    let extra = CommitMutant.current == .twoChecksums ? 4 : 0
    let end = Layout.list + numbers.count * Layout.entryBytes
    return write(from: Layout.mark, to: end + extra, descriptor) { page in
      page.put(transactionID, Layout.mark)
      page.put(UInt32(numbers.count), Layout.count)
      for (index, number) in numbers.enumerated() {
        let entry = Layout.list + index * Layout.entryBytes
        page.put(UInt32(truncatingIfNeeded: number), entry)
        page.put(varve_crc32c(0, base + Int(number) * pageSize, pageSize), entry + 4)
      }
      guard let start = UnsafeRawPointer(page.baseAddress) else { return }
      if extra > 0 { page.put(listSum(of: start, count: numbers.count), end) }
      page.put(sum(of: start, count: numbers.count), Layout.sum)
    }
  }

  /// Notes that the commit could not be synchronized.
  func writeFailure(_ descriptor: Int32) -> Int32 {
    write(from: Layout.count, to: Layout.list, descriptor) { page in
      page.put(Self.failed, Layout.count)
      page.put(UInt32(0), Layout.sum)
    }
  }

  /// Seals a durable commit again, without its list. Bytes of other pages that change later are then
  /// damage, and not those of an unfinished commit.
  ///
  /// Only eight aligned bytes change, which a power failure does not tear.
  func writeWithoutList(_ descriptor: Int32) -> Int32 {
    if page.u32(Layout.count) == 0 { return 0 }
    return write(from: Layout.count, to: Layout.list, descriptor) { page in
      page.put(UInt32(0), Layout.count)
      guard let start = UnsafeRawPointer(page.baseAddress) else { return }
      page.put(sum(of: start, count: 0), Layout.sum)
    }
  }

  /// Removes the marks.
  func removeMarks(_ descriptor: Int32) -> Int32 {
    let result = write(from: Layout.firstMark, to: Layout.firstMark + 8, descriptor) { page in
      page.put(UInt64(0), Layout.firstMark)
    }
    if result != 0 { return result }
    return write(from: Layout.mark, to: Layout.list, descriptor) { page in
      page.put(UInt64(0), Layout.mark)
      page.put(UInt64(0), Layout.count)
    }
  }

  /// Writes some bytes of the meta page, after a body has changed them in a copy of the page.
  private func write(
    from start: Int, to end: Int, _ descriptor: Int32,
    _ change: (UnsafeMutableRawBufferPointer) -> Void
  ) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: pageSize, alignment: 8) { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(start: page, count: end))
      change(copy)
      let bytes = UnsafeRawBufferPointer(rebasing: copy[start..<end])
      return Self.write(bytes, at: Int(transactionID & 1) * pageSize + start, descriptor)
    }
  }

  /// Writes all bytes at an offset.
  static func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ descriptor: Int32) -> Int32 {
    var count = 0
    while count < bytes.count, let base = bytes.baseAddress {
      let written = pwrite(descriptor, base + count, bytes.count - count, off_t(offset + count))
      if written < 0 {
        if errno != EINTR { return errno }
      } else {
        count += written
      }
    }
    return 0
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func put<T: FixedWidthInteger>(_ value: T, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }
}

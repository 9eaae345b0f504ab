import Glibc

/// Which pages of a file were seen: one bit a page.
///
/// Memory is used for the parts in which a page was seen.
///
/// Thread safety: one thread at a time.
final class PageSet {
  private let words: UnsafeMutablePointer<UInt64>

  /// An empty set of the pages from 0 to below a limit.
  ///
  /// - Returns: nil when there is no room for it.
  init?(limit: UInt64) {
    guard
      let memory = calloc(Int(clamping: limit / 64) &+ 1, MemoryLayout<UInt64>.size)
    else { return nil }
    words = memory.assumingMemoryBound(to: UInt64.self)
  }

  deinit { free(words) }

  /// Adds a page below the limit.
  ///
  /// - Returns: Whether it was not in the set.
  @inline(__always)
  func insert(_ page: UInt64) -> Bool {
    let word = words + Int(truncatingIfNeeded: page >> 6)
    let bit = UInt64(1) << (page & 63)
    guard word.pointee & bit == 0 else { return false }
    word.pointee |= bit
    return true
  }
}

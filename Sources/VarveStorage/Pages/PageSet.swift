import Glibc

/// A set of pages of a file: one bit per page.
///
/// Memory is allocated only for the parts that contain a page of the set.
///
/// Thread safety: one thread at a time.
final class PageSet {
  private let words: UnsafeMutablePointer<UInt64>

  /// Creates an empty set of pages below a limit.
  ///
  /// - Returns: nil when the memory cannot be allocated.
  init?(limit: UInt64) {
    guard
      let memory = calloc(Int(clamping: limit / 64) &+ 1, MemoryLayout<UInt64>.size)
    else { return nil }
    words = memory.assumingMemoryBound(to: UInt64.self)
  }

  deinit { free(words) }

  /// Inserts a page below the limit.
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

  /// Whether a page below the limit is in the set.
  @inline(__always)
  func contains(_ page: UInt64) -> Bool {
    words[Int(truncatingIfNeeded: page >> 6)] & (1 << (page & 63)) != 0
  }
}

import CVarve
import Glibc

/// The words in which a snapshot caches its lookups, one per table.
///
/// The words of the first 64 tables are here; segment k, allocated on demand, has those of the
/// tables from `64 << k` up to `64 << (k + 1)`. Tables beyond the last segment are looked up each
/// time.
@usableFromInline
enum TreeWords {
  @usableFromInline static let direct = 64
  static let segments = 10
  static let byteCount = 8 * (direct + segments) + PageLayout.recordSize

  @usableFromInline static let unknown: UInt = 0
  @usableFromInline static let absent: UInt = 1

  /// Returns the record of the unnamed table's tree, which follows the words.
  static func mainRecord(_ trees: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(trees + 8 * (direct + segments))
  }

  /// Allocates the words of a new snapshot.
  static func allocate(mainRecord record: InlineArray<6, UInt64>) -> UnsafeMutableRawPointer {
    let trees = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    memset(trees, 0, byteCount)
    let target = trees + 8 * (direct + segments)
    for word in record.indices {
      target.storeBytes(of: record[word], toByteOffset: 8 * word, as: UInt64.self)
    }
    return trees
  }

  static func deallocate(_ trees: UnsafeMutableRawPointer) {
    freeSegments(trees)
    trees.deallocate()
  }

  /// Returns the word of a table beyond the first ones, or nil when it has none.
  static func word(_ trees: UnsafeMutableRawPointer, _ index: UInt32) -> UnsafeMutableRawPointer? {
    let segment = UInt32.bitWidth - 1 - index.leadingZeroBitCount - 6
    guard segment < segments else { return nil }
    let address = trees + 8 * (direct + segment)
    let start = direct << segment
    var words = UnsafeMutableRawPointer(bitPattern: UInt(varve_load_word(address)))
    if words == nil {
      guard let fresh = calloc(start, 8) else { return nil }
      if varve_exchange_word(address, 0, UInt(bitPattern: fresh)) == 1 {
        words = fresh
      } else {
        // Another thread was faster.
        free(fresh)
        words = UnsafeMutableRawPointer(bitPattern: UInt(varve_load_word(address)))
      }
    }
    return words.map { $0 + 8 * (Int(index) - start) }
  }

  private static func freeSegments(_ trees: UnsafeMutableRawPointer) {
    for segment in 0..<segments {
      free(
        UnsafeMutableRawPointer(bitPattern: UInt(varve_load_word(trees + 8 * (direct + segment)))))
    }
  }

  /// Whether a tree's record is valid enough to be walked.
  static func isPlausible(_ record: UnsafeRawPointer) -> Bool {
    let depth = Int(record.u16(PageLayout.recordDepth))
    return record.u64(PageLayout.recordRoot) == PageLayout.noPage
      || (1...PageLayout.maximumDepth).contains(depth)
  }
}

/// The layout of LMDB's pages: data version 1 on a 64-bit little-endian machine.
///
/// The offsets are those of `MDB_page`, `MDB_node`, `MDB_db` and `MDB_meta`, which are the same in
/// every liblmdb 0.9.x. Keys and values are aligned to two bytes only.
@usableFromInline
package enum PageLayout {
  // A page: number u64, pad u16, flags u16, lower u16, upper u16 (overflow: page count u32),
  // offsets.
  @usableFromInline package static let headerSize = 16
  @usableFromInline package static let flags = 10
  @usableFromInline package static let lower = 12
  @usableFromInline package static let overflowPages = 12

  @usableFromInline package static let branch: UInt16 = 0x01
  @usableFromInline package static let leaf: UInt16 = 0x02
  @usableFromInline package static let overflow: UInt16 = 0x04
  @usableFromInline package static let meta: UInt16 = 0x08
  /// The flags for the kind of a page; the other flags are bookkeeping of a running transaction.
  @usableFromInline package static let kindMask: UInt16 = 0x2F

  // A node: low u16, high u16, flags u16, key size u16, key, data.
  @usableFromInline package static let nodeHeaderSize = 8
  @usableFromInline package static let nodeFlags = 4
  @usableFromInline package static let nodeKeySize = 6
  @usableFromInline package static let bigData: UInt16 = 0x01
  @usableFromInline package static let subData: UInt16 = 0x02

  // A tree record: pad u32, flags u16, depth u16, branch, leaf, overflow pages, entries, root (u64
  // each).
  package static let recordSize = 48
  @usableFromInline package static let recordFlags = 4
  @usableFromInline package static let recordDepth = 6
  package static let recordBranchPages = 8
  package static let recordLeafPages = 16
  package static let recordOverflowPages = 24
  @usableFromInline package static let recordEntries = 32
  @usableFromInline package static let recordRoot = 40
  @usableFromInline package static let noPage = UInt64.max
  package static let integerKeyFlag: UInt16 = 0x08
  /// The flags of trees with several values per key.
  static let duplicateFlags: UInt16 = 0x74

  /// The smallest page that LMDB creates.
  static let smallestPage = 512
  /// Larger pages are created by other lines of LMDB's development only.
  static let largestPage = 32768
  /// LMDB's own limit on the depth of a tree.
  package static let maximumDepth = 32

  // A meta page, after the page header.
  package static let metaMagic = 16
  package static let metaVersion = 20
  package static let metaMapSize = 32
  package static let metaFreeRecord = 40
  package static let metaMainRecord = 88
  package static let metaLastPage = 136
  package static let metaTransactionID = 144
  package static let metaEnd = 152
  package static let magic: UInt32 = 0xBEEF_C0DE
  package static let dataVersion: UInt32 = 1
}

extension UnsafeRawPointer {
  @inlinable @inline(__always)
  internal func u16(_ offset: Int) -> UInt16 {
    loadUnaligned(fromByteOffset: offset, as: UInt16.self)
  }

  @inlinable @inline(__always)
  internal func u32(_ offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  @inlinable @inline(__always)
  internal func u64(_ offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

import VarveStorage

/// The use of space in the file of a store, and the versions that prevent its reuse.
///
/// Thread safety: a value.
package struct StorageUse: Sendable {
  package let totalBytes: Int
  /// The bytes that the newest version uses.
  package let liveBytes: Int
  package let freeBytes: Int
  /// The bytes that would be free if no old version were pinned.
  package let pinnedBytes: Int
  /// The number of the newest version.
  package let newest: UInt64
  /// The pinned versions, oldest first.
  package let versions: [PinnedVersion]
  /// For each of the versions, the bytes of pages that it pins and later versions have freed.
  package let pinnedBytesByVersion: [Int]
}

extension Store {
  /// Returns the current use of space in the file.
  ///
  /// - Throws: `.closed`, `.forked`, `.corrupted`.
  /// - Complexity: O(commits whose pages were not reused).
  package func storageUse() throws(Failure) -> StorageUse {
    let newest = try newestSnapshot()
    let versions = try pinnedVersions(newest)
    // A commit made meanwhile frees pages of the newest version, which is therefore reported as
    // holding none.
    let old = versions.filter { $0.distance > 0 }.map(\.transactionID)
    let space = try Failure.translating(try environment.space(pinned: old))
    var pinnedCounts = space.pinnedCounts.makeIterator()
    return StorageUse(
      totalBytes: space.pageCount * space.pageSize, liveBytes: space.liveCount * space.pageSize,
      freeBytes: space.freeCount * space.pageSize,
      pinnedBytes: space.pinnedCount * space.pageSize, newest: newest.version.counter,
      versions: versions,
      pinnedBytesByVersion: versions.map {
        $0.distance > 0 ? (pinnedCounts.next() ?? 0) * space.pageSize : 0
      })
  }
}

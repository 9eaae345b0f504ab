import VarveStorage

/// What takes room in the file of a store, and which versions keep it from being used again.
///
/// Thread safety: a value.
package struct StorageUse: Sendable {
  package let totalBytes: Int
  /// Those of the newest version.
  package let liveBytes: Int
  package let freeBytes: Int
  /// Those that would be free if nobody pinned an old version.
  package let pinnedBytes: Int
  /// The number of the newest version.
  package let newest: UInt64
  /// The versions that are pinned, the oldest first.
  package let versions: [PinnedVersion]
  /// What later versions than each of them have given up.
  package let heldBytes: [Int]
}

extension Store {
  /// What takes room in the file.
  ///
  /// - Returns: what there is to know at this moment.
  /// - Throws: `.closed`, `.forked`, `.corrupted`.
  /// - Complexity: O(commits whose pages were not used again).
  package func storageUse() throws(Failure) -> StorageUse {
    let newest = try newestSnapshot()
    let versions = try pinnedVersions(newest)
    // A commit that comes meanwhile gives up pages of the newest version, which holds none back.
    let old = versions.filter { $0.distance > 0 }.map(\.transactionID)
    let space = try Failure.translating(try environment.space(pinned: old))
    var held = space.heldCounts.makeIterator()
    return StorageUse(
      totalBytes: space.pageCount * space.pageSize, liveBytes: space.liveCount * space.pageSize,
      freeBytes: space.freeCount * space.pageSize,
      pinnedBytes: space.pinnedCount * space.pageSize, newest: newest.version.counter,
      versions: versions,
      heldBytes: versions.map { $0.distance > 0 ? (held.next() ?? 0) * space.pageSize : 0 })
  }
}

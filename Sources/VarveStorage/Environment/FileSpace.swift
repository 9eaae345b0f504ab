import Glibc
import VarveLocks

/// The use of the pages of a file, in one version.
package struct FileSpace: Sendable, Equatable {
  package let pageSize: Int
  /// The number of pages up to the last one in use.
  package private(set) var pageCount = 0
  /// The number of free pages, which the next transactions use before the file grows.
  package private(set) var freeCount = 0
  /// For each requested version, in the same order: the number of pages that later versions have
  /// freed. None of them is reused while that version is pinned.
  package private(set) var pinnedCounts: [Int]

  /// The number of pages that are not part of the newest version and are kept only for the oldest
  /// pinned version.
  package var pinnedCount: Int { pinnedCounts.max() ?? 0 }
  /// The number of pages of the newest version.
  package var liveCount: Int { max(0, pageCount - freeCount - pinnedCount) }

  /// Adds up the free list that a read transaction sees.
  ///
  /// LMDB allows later transactions to use freed pages as soon as no reader is at an older version:
  /// the oldest reader alone decides.
  ///
  /// - Parameters:
  ///   - transaction: A read transaction at the newest version.
  ///   - lastPage: The last page in use.
  ///   - pinned: The ids of the transactions that created the pinned versions.
  ///   - path: The path of the file, for errors.
  /// - Throws: The error of LMDB.
  /// - Complexity: O(entries of the list): one for each commit whose pages were not reused.
  init(
    _ transaction: EngineTransaction, lastPage: Int, pageSize: Int, pinned: [UInt64], path: String
  ) throws(StorageError) {
    self.pageSize = pageSize
    pageCount = lastPage + 1
    pinnedCounts = Array(repeating: 0, count: pinned.count)
    let oldest = pinned.min() ?? .max
    var opened: OpaquePointer?
    var status = transaction.openCursor(EngineTransaction.freeList, &opened)
    guard status == 0, let cursor = opened else {
      throw StorageError.engine(status, path: path, "The free pages could not be counted.")
    }
    defer { EngineCursorCalls.close(cursor) }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var key = nothing
    var value = nothing
    while true {
      status = EngineCursorCalls.move(cursor, .next, seeking: nothing, &key, &value)
      if status == Engine.notFound { return }
      // A list begins with its length.
      guard status == 0, key.count == 8, value.count >= 8, let id = key.baseAddress,
        let list = value.baseAddress, list.u64(0) <= UInt64(value.count / 8 - 1)
      else {
        throw StorageError.engine(
          status == 0 ? Engine.corrupted : status, path: path, "The list of free pages is damaged.")
      }
      let count = Int(list.u64(0))
      let freedBy = id.u64(0)
      if freedBy <= oldest { freeCount += count }
      for index in pinned.indices where freedBy > pinned[index] { pinnedCounts[index] += count }
    }
  }
}

extension Environment {
  /// Returns the use of the pages of the newest version.
  ///
  /// - Parameter pinned: The ids of the transactions that created the pinned versions.
  /// - Throws: `closed`, `forked`, `mapFull`, or the error of LMDB.
  /// - Complexity: O(commits whose pages were not reused); no snapshot begins meanwhile.
  package func space(pinned: [UInt64]) throws(StorageError) -> FileSpace {
    try checkUsable()
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let space = try state.withLock { (state) throws(StorageError) -> FileSpace? in
        guard !state.isClosed else { throw closedError }
        var begun: EngineTransaction?
        guard try beginRead(&state, &begun), let transaction = begun else { return nil }
        defer { transaction.abort() }
        try checkFreeList(state, transaction.id)
        return try FileSpace(
          transaction, lastPage: engine.lastPage, pageSize: pageSize, pinned: pinned, path: path)
      }
      if let space { return space }
      guard ContinuousClock.now < deadline else {
        throw StorageError(
          .mapFull, "A write or a copy prevented the map from growing.", path: path)
      }
      usleep(500)
    }
  }

  /// Checks the free list of a pinned version before LMDB walks it, because LMDB trusts it.
  private func checkFreeList(_ state: State, _ transactionID: UInt64) throws(StorageError) {
    guard let mapping = state.mapping,
      // The meta page belongs to a later version when commits follow each other quickly; those
      // check it.
      let meta = metaPage(of: transactionID, mapping)
    else { return }
    try StructureWalk.check(
      meta, mapping: mapping, pageSize: pageSize, path: path, extent: .freeList)
  }
}

import Glibc

extension Environment {
  /// Who reads, in all processes: one entry for each slot of the reader table in use.
  package func readers() throws(StorageError) -> [ReaderEntry] {
    try checkUsable()
    return try state.withLock { (state) throws(StorageError) -> [ReaderEntry] in
      guard !state.isTornDown else { throw closedError }
      return engine.readerLines().compactMap { ReaderEntry(line: $0) }
    }
  }

  /// What is known of the newest commit without pinning it.
  ///
  /// - Throws: `closed`, `forked`.
  package func newestCommit() throws(StorageError) -> NewestCommit {
    try checkUsable()
    return try state.withLock { (state) throws(StorageError) -> NewestCommit in
      guard !state.isClosed, let mapping = state.mapping else { throw closedError }
      return NewestCommit(
        transactionID: visibleTransactionID
          ?? MetaPage.newestTransactionID(base: mapping.base, pageSize: pageSize),
        fileBytes: UInt64(clamping: engine.lastPage + 1) * UInt64(pageSize))
    }
  }

  /// For how long there has been a later version than one, and by how much the file has grown since.
  ///
  /// - Parameters:
  ///   - transactionID: The transaction that made the version.
  ///   - newest: The newest commit.
  /// - Returns: nil where the signal page does not know: it was made afresh meanwhile, or there is none. The age and
  ///   the growth of a version long ago are known to an eighth.
  /// - Complexity: O(1).
  package func succession(of transactionID: UInt64, newest: NewestCommit) -> VersionSuccession? {
    let known = newest.transactionID
    guard transactionID < known else { return VersionSuccession(age: .zero, growth: 0) }
    guard let signalPage,
      let next = signalPage.commits(around: transactionID + 1, newest: known).after
    else { return nil }
    let now = SignalPage.timeSinceBoot
    let age = now - min(now, next.time)
    let before = signalPage.commits(around: transactionID, newest: known).before ?? next
    let length = (before.lastPage + 1) * UInt64(pageSize)
    return VersionSuccession(
      age: .nanoseconds(Int64(clamping: age)),
      growth: Int64(clamping: newest.fileBytes) - Int64(clamping: length))
  }

  /// The process that holds the write lock, and since when in seconds since 1970; nil where there is none, and in a fork.
  package var writingProcess: (pid: Int32, since: Double)? {
    ProcessFork.isChild ? nil : signalPage?.owner
  }
}

/// The newest commit, which is not pinned.
package struct NewestCommit: Sendable {
  /// The id of LMDB's transaction.
  package let transactionID: UInt64
  /// How much of the file it reaches into.
  package let fileBytes: UInt64
}

extension Snapshot {
  /// The version as a commit.
  package var commit: NewestCommit {
    NewestCommit(transactionID: transactionID, fileBytes: fileBytes)
  }
}

/// What came after a version.
package struct VersionSuccession: Sendable, Equatable {
  /// Since when there has been a later version.
  package let age: Duration
  /// By how many bytes the file has grown since.
  package let growth: Int64
}

/// One slot of the reader table.
package struct ReaderEntry: Sendable, Hashable {
  package let pid: Int32
  /// The version that is pinned; nil for a slot kept for later use.
  package let transactionID: UInt64?

  /// Reads a line of `mdb_reader_list`: pid, thread in hexadecimal, transaction id or a dash.
  init?(line: String) {
    let fields = line.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard fields.count == 3, let pid = Int32(fields[0]) else { return nil }
    self.pid = pid
    transactionID = UInt64(fields[2])
  }
}

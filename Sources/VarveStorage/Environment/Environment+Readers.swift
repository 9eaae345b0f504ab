import Glibc
import Synchronization
import VarveLocks

extension Environment {
  /// Returns one entry for each used slot of the reader table, of all processes.
  package func readers() throws(StorageError) -> [ReaderEntry] {
    try checkUsable()
    return try state.withLock { (state) throws(StorageError) -> [ReaderEntry] in
      guard !state.isTornDown else { throw closedError }
      return engine.readerLines().compactMap { ReaderEntry(line: $0) }
    }
  }

  /// Returns the newest commit without pinning it.
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

  /// Returns how long a version has been superseded, and by how much the file has grown since.
  ///
  /// - Parameter transactionID: The transaction that created the version.
  /// - Returns: nil if the signal page has no record: it was recreated meanwhile, or does not
  ///   exist. The age and the growth of an old version are accurate to one eighth.
  /// - Complexity: O(1).
  package func succession(of transactionID: UInt64, newest: NewestCommit) -> VersionSuccession? {
    let newestID = newest.transactionID
    guard transactionID < newestID else { return VersionSuccession(age: .zero, growth: 0) }
    guard let signalPage,
      let next = signalPage.commits(around: transactionID + 1, newest: newestID).after
    else { return nil }
    let now = SignalPage.timeSinceBoot
    let age = now - min(now, next.time)
    let before = signalPage.commits(around: transactionID, newest: newestID).before ?? next
    let length = (before.lastPage + 1) * UInt64(pageSize)
    return VersionSuccession(
      age: .nanoseconds(Int64(clamping: age)),
      growth: Int64(clamping: newest.fileBytes) - Int64(clamping: length))
  }

  /// The process that owns the write lock, and the time it acquired it in seconds since 1970; nil
  /// if no process owns it, and in a fork.
  package var writingProcess: (pid: Int32, since: Double)? {
    ProcessFork.isChild ? nil : signalPage?.owner
  }

  /// The number of threads of this process that wait for the write lock.
  package var threadsWaitingToWrite: Int {
    signalPage?.waitingThreads.load(ordering: .relaxed) ?? 0
  }
}

/// The newest commit, which is not pinned.
package struct NewestCommit: Sendable {
  /// The id of the LMDB transaction.
  package let transactionID: UInt64
  /// The number of bytes of the file that the commit uses.
  package let fileBytes: UInt64
}

extension Snapshot {
  /// The version as a commit.
  package var commit: NewestCommit {
    NewestCommit(transactionID: transactionID, fileBytes: fileBytes)
  }
}

/// The time and growth since a version was superseded.
package struct VersionSuccession: Sendable, Equatable {
  /// The time since the next version was committed.
  package let age: Duration
  /// The number of bytes by which the file has grown since.
  package let growth: Int64
}

/// One slot of the reader table.
package struct ReaderEntry: Sendable, Hashable {
  package let pid: Int32
  /// The pinned version; nil for an idle slot kept for later use.
  package let transactionID: UInt64?

  /// Reads a line of `mdb_reader_list`: pid, thread in hexadecimal, transaction id or a dash.
  init?(line: String) {
    let fields = line.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard fields.count == 3, let pid = Int32(fields[0]) else { return nil }
    self.pid = pid
    transactionID = UInt64(fields[2])
  }
}

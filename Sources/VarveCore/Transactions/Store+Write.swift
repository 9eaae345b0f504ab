import Synchronization
import VarveEncoding
import VarveStorage

extension Store {
  /// Runs a write transaction on the calling thread.
  ///
  /// On this thread, inside `body`, every live handle of the store reads and writes the transaction;
  /// everyone else still sees the committed version. The commit moves every view that took part.
  ///
  /// A write that `body` cancels (``cancelWriteOfThread()``) keeps nothing, and what `body` returns is
  /// returned.
  ///
  /// `view`: the view that writes; it takes part from the begin.
  /// - Throws: what `body` throws, the first failure of an operation, or why the transaction could
  ///   not begin or commit: `.busy`, `.cancelled`, `.readOnly`, `.alreadyInWriteTransaction`, an
  ///   engine failure. Nothing of the transaction stays then.
  package func write<R>(view: View?, _ body: (Transaction) throws -> R) throws -> R {
    let transaction = try begin(isCancelled: { Task<Never, Never>.isCancelled })
    transaction.tie()
    defer { transaction.takeLateMoves().run() }
    if let view { transaction.join(view) }
    let result: R
    do {
      result = try body(transaction)
    } catch {
      rollBack(transaction)
      throw error
    }
    if transaction.isCancelled { rollBack(transaction) } else { try commit(transaction) }
    return result
  }

  /// Has the write whose closure the calling thread runs keep nothing, without an error. Nothing happens
  /// on a thread that runs none, and to a write that was begun by a call.
  package func cancelWriteOfThread() {
    guard let transaction = runningTransaction(for: nil) else { return }
    if !transaction.isManual { transaction.cancel() }
  }

  /// Begins a transaction, which the caller ties to its thread.
  ///
  /// `timeout`: how long to wait for the write lock; nil: as the options say.
  func begin(
    timeout: Duration? = nil, engineThread: EngineThread = .calling,
    isCancelled: @escaping () -> Bool
  ) throws(Failure) -> Transaction {
    guard !isWritingThread else {
      throw Failure(
        .alreadyInWriteTransaction, "The thread is inside a write transaction of this store.",
        path: options.path)
    }
    guard !isClosed else { throw closedFailure }
    guard !options.isReadOnly else {
      throw Failure(
        .readOnly, "The store was opened read-only.", path: options.path)
    }
    try checkSound()
    let storage: WriteTransaction
    do throws(StorageError) {
      storage = try environment.beginWrite(
        timeout: timeout ?? options.writeTimeout, isCancelled: isCancelled)
    } catch {
      throw Failure(error)
    }
    if let wait = storage.wait { logWait(wait) }
    do throws(Failure) {
      try checkPins(storage.base)
      try prepare(storage)
      return Transaction(
        store: self, storage: storage, schema: schema, engineThread: engineThread)
    } catch {
      storage.abort()
      throw error
    }
  }

  /// Reloads the schema when another process changed it, opens the tables that are not open yet, and
  /// keeps ids from stepping back after a rollback.
  private func prepare(_ storage: WriteTransaction) throws(Failure) {
    if storage.root.schemaGeneration != schema.generation {
      try checkVersion(storage.root)
      try adoptSchema(of: storage, storage.root)
    }
    storage.prepareRoot(highestIDs.raise)
    do throws(StorageError) {
      let opened = openedTables.load(ordering: .relaxed)
      if opened == 0 {
        for table in Table.fixed { _ = try storage.openTable(table, create: true) }
      }
      // Class tables are opened ahead of need: a handle opened inside a nested transaction that is
      // rolled back would hand its number to another table.
      let needed = storage.root.nextClassID + Store.spareClassTables
      guard opened < needed else { return }
      for id in max(1, opened + 1)...needed {
        _ = try storage.openTable(.objects(ofClass: id), create: true)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// How many tables for classes to come are kept open.
  static let spareClassTables: UInt32 = 8

  /// How many more are opened at most before a nested transaction, for classes that the process knows.
  static let maximumClassesToCome = 1024

  /// Commits the running transaction and moves the views that took part, but for the late moves.
  func commit(_ transaction: Transaction) throws(Failure) {
    for observer in transaction.silenced { observer.holdBack(at: transaction.base) }
    do throws(Failure) {
      let snapshot = try transaction.commit()
      for observer in transaction.silenced {
        observer.goOn(from: transaction.base, leavingOut: snapshot)
      }
      if transaction.schema !== schema { adopt(transaction.schema) }
      for hash in transaction.registered { noteChecked(hash) }
      openedTables.store(transaction.openedTables, ordering: .relaxed)
      transaction.moveParticipants(to: snapshot)
    } catch {
      for observer in transaction.silenced {
        observer.goOn(from: transaction.base, leavingOut: nil)
      }
      transaction.moveParticipants(to: transaction.base)
      throw error
    }
  }

  /// Rolls the running transaction back.
  func rollBack(_ transaction: Transaction) {
    transaction.abort()
    transaction.moveParticipants(to: transaction.base)
  }

  /// Remembers how far a transaction counted ids, so that a rolled-back one's are not used again.
  func noteIDs(_ root: RootRecord) { highestIDs.note(root) }
}

/// The highest ids that any transaction of this process gave out, committed or not.
///
/// Thread safety: a lock guards them.
final class HighestIDs: Sendable {
  private struct IDs {
    var object: UInt64 = 0
    var collection: UInt64 = 0
    var node: UInt64 = 0
    var blob: UInt64 = 0
    var generation: UInt64 = 0
  }
  /// Guards the ids.
  private let ids = Mutex(IDs())

  func note(_ root: RootRecord) {
    ids.withLock { ids in
      ids.object = max(ids.object, root.nextObjectID)
      ids.collection = max(ids.collection, root.nextCollectionID)
      ids.node = max(ids.node, root.nextNodeID)
      ids.blob = max(ids.blob, root.nextBlobID)
      ids.generation = max(ids.generation, root.schemaGeneration)
    }
  }

  /// The generation of a schema that is about to change. A rolled-back one is not used again, since
  /// handles know by it whether what they keep of the schema still holds.
  func nextGeneration(after generation: UInt64) -> UInt64 {
    ids.withLock { max($0.generation, generation) } + 1
  }

  func raise(_ root: inout RootRecord) {
    ids.withLock { ids in
      root.nextObjectID = max(ids.object, root.nextObjectID)
      root.nextCollectionID = max(ids.collection, root.nextCollectionID)
      root.nextNodeID = max(ids.node, root.nextNodeID)
      root.nextBlobID = max(ids.blob, root.nextBlobID)
    }
  }
}

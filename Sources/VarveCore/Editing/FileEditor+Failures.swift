import VarveStorage

/// How failures end a transaction without ending the closure that runs in it.
///
/// After a failed operation all others go on, so that loops such as
/// `while !list.isEmpty { list.removeLast() }` end. After a failure of the engine nothing can be stored
/// any more: what was held in memory is dropped, and reads give the state before the write. Changes of
/// collections and deletions then go on in memory, for the same reason.
extension FileEditor {
  /// Notes a failure; the first one is what the write throws.
  package func markFailed(_ failure: Failure) {
    if self.failure == nil { self.failure = failure }
  }

  /// Runs one operation; what it throws dooms the transaction.
  ///
  /// `inMemory`: whether it goes on in memory after a failure of the engine, as changes of collections and deletions do.
  /// - Returns: the operation's result, nil when it failed or was not run.
  @discardableResult
  package func attempt<R>(
    inMemory: Bool = false, _ operation: () throws(Failure) -> R
  ) -> R? {
    if _slowPath(storage.hasFailed) {
      leaveEngine()
      if !inMemory { return nil }
    }
    changeCount += 1
    do throws(Failure) {
      let result = try operation()
      if _slowPath(!orphans.isEmpty) { try deleteOrphans() }
      if _slowPath(!nestedPlaces.isEmpty) { try checkNestedPlaces() }
      return result
    } catch {
      fail(error)
      return nil
    }
  }

  /// Begins an operation that is no closure; what it throws goes to ``fail(_:)``.
  ///
  /// - Returns: whether the operation may run; the transaction has failed otherwise.
  @inline(__always)
  package func beginOperation() -> Bool {
    guard _fastPath(!hasFailure && !storage.hasFailed) else { return false }
    changeCount += 1
    return true
  }

  /// Ends an operation that failed: the transaction is doomed.
  package func fail(_ failure: Failure) {
    markFailed(failure)
    orphans.removeAll()
    if storage.hasFailed { leaveEngine() }
  }

  /// As ``attempt(inMemory:_:)``, for an operation that changes nothing.
  package func attemptReading<R>(_ operation: () throws(Failure) -> R) -> R? {
    if _slowPath(storage.hasFailed) { leaveEngine() }
    do throws(Failure) {
      return try operation()
    } catch {
      markFailed(error)
      return nil
    }
  }

  /// Has the transaction, or the nested one that runs, end in a rollback that is no error.
  ///
  /// It is doomed: what is changed from now on is lost with what was changed before. Failures until now do
  /// not matter any more.
  func cancel() {
    failure = Failure(.cancelled, "The write was cancelled.", path: file.options.path)
  }

  /// Whether it was cancelled. A transaction that has begun fails with this code for no other reason.
  var isCancelled: Bool { failure?.code == .cancelled }

  /// Leaves out what was deleted after the failure of the engine: a scan still finds it.
  func withoutDeletedInMemory(_ ids: [UInt64], of model: ClassDescription) -> [UInt64] {
    guard !deletedInMemory.isEmpty, let schema = schema.schema(named: model.name) else {
      return ids
    }
    return ids.filter { exists(schema, $0) }
  }

  /// Takes over what the engine reported, and drops what can no longer be stored.
  private func leaveEngine() {
    if let failure = storage.failure { markFailed(Failure(failure)) }
    guard !hasLeftEngine else { return }
    hasLeftEngine = true
    discardEdits()
    changeCount += 1
  }
}

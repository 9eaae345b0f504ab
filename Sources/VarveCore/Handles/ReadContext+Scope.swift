import VarveStorage

extension ReadContext {
  /// What is read now: a version, or the state of the running transaction.
  package var versionStamp: VersionStamp {
    transaction.map { VersionStamp($0) } ?? VersionStamp(snapshot)
  }

  /// What is read now. A running transaction first writes what it holds in memory.
  func scope() throws(Failure) -> ReadScope {
    guard let transaction else { return ReadScope(snapshot, of: store) }
    try transaction.flush()
    return ReadScope(transaction, of: store)
  }
}

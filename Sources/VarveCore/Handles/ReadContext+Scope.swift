import VarveStorage

extension ReadContext {
  /// The version that is read now, or the state of the running transaction.
  package var versionStamp: VersionStamp {
    transaction.map { VersionStamp($0) } ?? VersionStamp(snapshot)
  }

  /// The scope of reads now. A running transaction first flushes its buffered changes.
  func scope() throws(Failure) -> ReadScope {
    guard let transaction else { return ReadScope(snapshot, of: store) }
    try transaction.flush()
    return ReadScope(transaction, of: store)
  }
}

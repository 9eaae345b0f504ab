extension Store {
  /// Marks every transaction that the calling thread runs, in any store, as failed.
  ///
  /// For misuse that does not belong to a particular transaction, such as a change of an object of
  /// another store. Inside a write, such misuse must not trap.
  ///
  /// - Parameter failure: The error that each write throws at its end.
  /// - Returns: One of the transactions, or nil when the thread runs no write.
  /// - Complexity: O(open stores).
  package static func failWritesOfThread(_ failure: Failure) -> Transaction? {
    let transactions = StoreRegistry.shared.openStores.compactMap {
      $0.runningTransaction(for: nil)
    }
    for transaction in transactions { transaction.markFailed(failure) }
    return transactions.first
  }
}

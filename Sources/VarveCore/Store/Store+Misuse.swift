extension Store {
  /// Dooms every write that the calling thread runs, of whichever store.
  ///
  /// For misuse that is no affair of a transaction at hand, such as a change of an object of another
  /// store: inside a write it must not end the process.
  ///
  /// - Parameter failure: what the writes throw at their end.
  /// - Returns: one of the transactions; nil when the thread runs no write.
  /// - Complexity: O(open stores).
  package static func failWritesOfThread(_ failure: Failure) -> Transaction? {
    let transactions = StoreRegistry.shared.openStores.compactMap {
      $0.runningTransaction(for: nil)
    }
    for transaction in transactions { transaction.markFailed(failure) }
    return transactions.first
  }
}

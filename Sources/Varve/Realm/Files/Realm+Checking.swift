import VarveCore

extension Realm {
  /// Checks the consistency of a version of the store: its pages, rows, indexes, links and
  /// collections.
  ///
  /// The check verifies that every row matches its checksum, every indexed value has its index
  /// entry, every link its object, every embedded object one parent, every collection its elements,
  /// and every blob its chunks, and that nothing else is stored. It finds damage done by a failing
  /// disk, another program or a fault of this library. It changes nothing, and writers are not
  /// blocked. The version is pinned until the check ends.
  ///
  /// Use this method from synchronous code. In asynchronous code, use `try await realm.check()`.
  ///
  /// - Returns: A report of the problems found. Damage is reported there and is not an error. For a
  ///   live realm the newest version is checked, without the changes of a running write; for a
  ///   frozen realm its own version.
  /// - Throws: `Realm.Error`: `.closed`, or an error that prevents reading the newest version.
  /// - Complexity: O(bytes of the store), and one or two look-ups for each index entry and link.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func check() throws -> CheckReport {
    try Error.translating { try Self.check(store, isFrozen ? context : nil) }
  }

  /// Checks the consistency of a version of the store on a dedicated thread, while the task is
  /// suspended.
  ///
  /// This is the asynchronous form of `check()`. A check that has begun is not cancelled.
  ///
  /// - Returns: A report of the problems found.
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled
  ///   before the check began.
  /// - Complexity: O(bytes of the store), and one or two look-ups for each index entry and link.
  public func check() async throws -> CheckReport {
    try Task.checkCancellation()
    return try await onOwnThread("varve.checking") { [store, context, isFrozen] in
      try Error.translating { try Self.check(store, isFrozen ? context : nil) }
    }
  }

  private static func check(
    _ store: Store, _ frozen: ReadContext?
  ) throws(Failure) -> CheckReport {
    if let frozen { return CheckReport(StoreCheck.run(frozen.snapshot)) }
    return CheckReport(StoreCheck.run(try store.newestSnapshot()))
  }
}

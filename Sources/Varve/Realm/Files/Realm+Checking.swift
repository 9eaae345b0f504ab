import VarveCore

extension Realm {
  /// Checks a version of the store: its pages, and that all that is stored agrees with all else.
  ///
  /// Every row has its checksum, every indexed value its index entry, every link its object, every embedded object one
  /// parent, every collection its elements, and every blob its chunks; and nothing else is stored. The check finds what
  /// a failing disk, another program or a fault of this library has left. It changes nothing, and writers go on
  /// meanwhile. The version is pinned until it ends.
  ///
  /// It is for synchronous code. Asynchronous code gets the asynchronous form: `try await realm.check()`.
  ///
  /// - Returns: what was found; damage is a problem in the report, and no error. Of a live realm the newest version is
  ///   checked, without the changes of a running write; of a frozen one its own.
  /// - Throws: `Realm.Error`: `.closed`, or why the newest version cannot be read.
  /// - Complexity: O(bytes of the store), and one or two look-ups for each index entry and link.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func check() throws -> CheckReport {
    try Error.translating { try Self.check(store, isFrozen ? context : nil) }
  }

  /// Checks a version of the store, on a thread of its own, while the task is suspended.
  ///
  /// It is the asynchronous form of `check()`. A check that has begun is not cancelled.
  ///
  /// - Returns: what was found.
  /// - Throws: as the synchronous form; `CancellationError` when the task was cancelled before.
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

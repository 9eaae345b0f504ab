import VarveCore

/// Checks that block the calling thread.
extension Realm {
  /// Checks the consistency of a version of the store: its pages, rows, indexes, links and
  /// collections.
  ///
  /// The check verifies that every page is in one place and has its keys in order, every object,
  /// with its collections and blobs, matches its checksums, every indexed value has its index
  /// entry, every link its object, every embedded object one parent, and every collection its
  /// elements, and that nothing else is stored. It finds damage done by a failing disk, another
  /// program or a fault of this library. It changes nothing, and writers are not blocked. The
  /// version is pinned until the check ends. See <doc:DamagedFiles>.
  ///
  /// Use this method from synchronous code. In asynchronous code, use `try await realm.check()`.
  ///
  /// - Returns: A report of the problems found. Damage is reported there and is not an error. For a
  ///   live realm the newest version is checked, without the changes of a running write; for a
  ///   frozen realm its own version.
  /// - Throws: `Realm.Error`: `.closed`, or an error that prevents reading the newest version.
  /// - Complexity: O(bytes of the store). A store with problems is read twice, with one or two
  ///   look-ups for each index entry and link.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func check() throws -> CheckReport { try checkNow(WorkWatch(nil)) }

  /// Checks the consistency of a version of the store, and reports the progress.
  ///
  /// This is the synchronous `check` with a closure.
  ///
  /// - Parameter progress: Called on the calling thread at the beginning, about a thousand times
  ///   meanwhile, and at the end. An error that it throws stops the check.
  /// - Returns: A report of the problems found.
  /// - Throws: The errors of the form without `progress`, and the errors that `progress` throws.
  /// - Complexity: O(bytes of the store). A store with problems is read twice, with one or two
  ///   look-ups for each index entry and link.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public func check(
    progress: @escaping @Sendable (CheckProgress) throws -> Void
  ) throws -> CheckReport {
    try checkNow(WorkWatch(CheckProgress.report(to: progress)))
  }

  private func checkNow(_ watch: WorkWatch) throws -> CheckReport {
    try Error.translating {
      try watch.run { try Self.check(store, isFrozen ? context : nil, watch) }
    }
  }

  private static func check(
    _ store: Store, _ frozen: ReadContext?, _ watch: WorkWatch
  ) throws(Failure) -> CheckReport {
    let snapshot = if let frozen { frozen.snapshot } else { try store.newestSnapshotToCheck() }
    return CheckReport(try StoreCheck.run(snapshot, watch: watch))
  }
}

/// Checks that suspend the calling task.
extension Realm {
  /// Checks the consistency of a version of the store on a dedicated thread, while the task is
  /// suspended.
  ///
  /// This is the asynchronous form of `check()`.
  ///
  /// - Returns: A report of the problems found.
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task is cancelled
  ///   before the check ends.
  /// - Complexity: O(bytes of the store). A store with problems is read twice, with one or two
  ///   look-ups for each index entry and link.
  public func check() async throws -> CheckReport { try await check(WorkWatch(nil)) }

  /// Checks the consistency of a version of the store, and reports the progress.
  ///
  /// This is the asynchronous `check` with a closure:
  ///
  /// ```swift
  /// let report = try await realm.check { progress in
  ///   print("\(Int(100 * progress.fractionCompleted)) %")
  /// }
  /// ```
  ///
  /// - Parameter progress: Called at the beginning, about a thousand times meanwhile, and at the
  ///   end, on the thread of the check. An error that it throws stops the check.
  /// - Returns: A report of the problems found.
  /// - Throws: The errors of the form without `progress`, and the errors that `progress` throws.
  /// - Complexity: O(bytes of the store). A store with problems is read twice, with one or two
  ///   look-ups for each index entry and link.
  public func check(
    progress: @escaping @Sendable (CheckProgress) throws -> Void
  ) async throws -> CheckReport {
    try await check(WorkWatch(CheckProgress.report(to: progress)))
  }

  private func check(_ watch: WorkWatch) async throws -> CheckReport {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await onOwnThread("varve.checking") { [store, context, isFrozen] in
        try Error.translating {
          try watch.run { try Self.check(store, isFrozen ? context : nil, watch) }
        }
      }
    } onCancel: {
      watch.stop()
    }
  }
}

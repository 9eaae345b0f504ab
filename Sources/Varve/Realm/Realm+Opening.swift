public import Dispatch
import VarveCore

extension Realm {
  /// Opens a configuration's file on another thread, and returns a realm of it.
  ///
  /// Work that takes time, such as creating, compacting or migrating the file or adding classes,
  /// does not block a thread of the cooperative pool. A configuration that was opened before, and
  /// not changed since, needs no other thread. Asynchronous code opens its files with this method
  /// when it starts, and creates realms with `Realm()` afterwards.
  ///
  /// ```swift
  /// let realm = try await Realm.open(configuration: configuration) { progress in
  ///   print("\(Int(100 * progress.fractionCompleted)) percent")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The file to open and its options.
  ///   - progress: Called while the file is rewritten for ``Configuration/shouldCompactOnLaunch``,
  ///     or a new file is copied from ``Configuration/seedFilePath``: at the beginning and after
  ///     each mebibyte, on the thread that opens the file. An error that it throws stops the
  ///     opening and is rethrown.
  /// - Returns: A realm at the newest version.
  /// - Throws: The errors of ``init(configuration:)``; the errors that `progress` throws;
  ///   `CancellationError` when the task is cancelled. On cancellation, waits for other openings
  ///   and writers end, a compaction stops, and a migration is rolled back when its block returns.
  ///   The error is thrown after the opening has ended. The file is then closed, unless it was open
  ///   before.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    progress: (@Sendable (CopyProgress) throws -> Void)? = nil
  ) async throws -> Realm {
    _ = try await openStore(configuration, progress: progress)
    return try Realm(configuration: configuration)
  }

  /// Opens a configuration's file on another thread, and calls `callback` with a realm of it.
  ///
  /// - Parameters:
  ///   - configuration: The file to open and its options.
  ///   - callbackQueue: The queue that `callback` is called on. The realm follows commits on this
  ///     queue, like a realm of ``init(configuration:queue:)``.
  ///   - callback: Called once, with the realm or with the error that
  ///     ``open(configuration:progress:)`` would throw.
  /// - Returns: A task that can cancel the opening.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    AsyncOpenTask(
      Task {
        let opened: Result<Void, any Swift.Error>
        do {
          _ = try await openStore(configuration)
          opened = .success(())
        } catch {
          opened = .failure(error)
        }
        callbackQueue.async {
          callback(
            opened.flatMap {
              Result { try Realm(configuration: configuration, queue: callbackQueue) }
            })
        }
      })
  }

  /// Opens the store of a configuration on a dedicated thread.
  ///
  /// `keeping`: whether the store stays open. Otherwise it is closed, unless it was opened
  /// elsewhere in the process.
  static func openStore(
    _ configuration: Configuration, keeping: Bool = true,
    progress: (@Sendable (CopyProgress) throws -> Void)? = nil
  ) async throws -> Store {
    try Task.checkCancellation()
    if keeping, let store = configuration.box.open { return store }
    let watch = WorkWatch(progress.map(CopyProgress.report(to:)))
    return try await withTaskCancellationHandler {
      try await onOwnThread("varve.opening") {
        try Error.translating {
          try watch.run { try configuration.openStore(keeping: keeping, watch: watch) }
        }
      }
    } onCancel: {
      watch.stop()
    }
  }
}

/// A task that opens a file, started by ``Realm/asyncOpen(configuration:callbackQueue:callback:)``.
///
/// Releasing the task does not cancel the opening.
///
/// Thread safety: any thread may use it.
public final class AsyncOpenTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Cancels the opening. The callback then receives a `CancellationError`.
  ///
  /// Does nothing once the file is open.
  public func cancel() { task.cancel() }
}

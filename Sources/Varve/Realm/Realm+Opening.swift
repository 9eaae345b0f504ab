public import Dispatch
import VarveCore

extension Realm {
  /// Opens a realm of a configuration's file on another thread than the caller's.
  ///
  /// What takes time, such as making the file, compacting it, migrating it or adding classes, keeps no thread of the
  /// pool waiting. A configuration that was opened before, and not changed since, needs no other thread. So asynchronous
  /// code opens its files with this when it starts, and makes realms with `Realm()` from then on.
  ///
  /// ```swift
  /// let realm = try await Realm.open(configuration: configuration) { progress in
  ///   print("\(Int(100 * progress.fractionCompleted)) percent")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: what to open and how.
  ///   - progress: called while the file is written anew for ``Configuration/shouldCompactOnLaunch``, or a new file is
  ///     made of ``Configuration/seedFilePath``, at the beginning and after each part of a mebibyte, on the thread
  ///     that opens the file. What it throws stops that, and is thrown.
  /// - Returns: a realm at the newest version.
  /// - Throws: as ``init(configuration:)``; what `progress` throws; `CancellationError` when the task is cancelled. Waits
  ///   for other openings and writers end then, a compaction is stopped, and a migration is rolled back when its block
  ///   returns. The error comes when the opening has ended: the file is closed, unless it was open before.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    progress: (@Sendable (CopyProgress) throws -> Void)? = nil
  ) async throws -> Realm {
    _ = try await openStore(configuration, progress: progress)
    return try Realm(configuration: configuration)
  }

  /// Opens a realm of a configuration's file on another thread, and calls back.
  ///
  /// - Parameters:
  ///   - configuration: what to open and how.
  ///   - callbackQueue: where to call; the realm follows commits there, as one of ``init(configuration:queue:)`` does.
  ///   - callback: gets the realm, or why there is none: as ``open(configuration:progress:)`` throws. Called once.
  /// - Returns: what cancels the opening.
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

  /// Opens the store of a configuration on a thread of its own.
  ///
  /// `keeping`: whether it stays open; otherwise it is closed unless somebody else has it.
  static func openStore(
    _ configuration: Configuration, keeping: Bool = true,
    progress: (@Sendable (CopyProgress) throws -> Void)? = nil
  ) async throws -> Store {
    try Task.checkCancellation()
    if keeping, let store = configuration.box.open { return store }
    let watch = CopyWatch(progress.map(CopyProgress.report(to:)))
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

/// An opening that ``Realm/asyncOpen(configuration:callbackQueue:callback:)`` began.
///
/// Dropping it changes nothing.
///
/// Thread safety: any thread may use it.
public final class AsyncOpenTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Stops the opening, whose callback then gets a `CancellationError`. Nothing happens once the file is open.
  public func cancel() { task.cancel() }
}

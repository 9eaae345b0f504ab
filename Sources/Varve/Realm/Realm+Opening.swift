public import Dispatch
import Synchronization
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
  /// - Throws: as ``init(configuration:)``; what `progress` throws; `CancellationError` when the task is cancelled. A
  ///   compaction that runs then is stopped and leaves the file as it was. Otherwise an opening that has begun goes on to
  ///   its end, which the task does not wait for, and the file stays open as any.
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
  ///   - callback: gets the realm, or why there is none: as ``init(configuration:)`` throws, or `CancellationError`.
  ///     Called once.
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
    let waiting = WaitingOpening()
    let watch = CopyProgress.watch {
      waiting.beginCopy()
      try progress?($0)
    }
    let store = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting.begin(continuation)
        startOwnThread("varve.opening") {
          guard waiting.isWaited else { return }
          waiting.end(
            Result {
              try Error.translating {
                try watch.run { try configuration.openStore(keeping: keeping, watch: watch) }
              }
            })
        } failure: {
          waiting.end(.failure(Error($0)))
        }
      }
    } onCancel: {
      watch.stop()
      waiting.cancel()
    }
    // The file is open, and was not compacted for it.
    if watch.isStopped { throw CancellationError() }
    return store
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

  /// Has the callback told `CancellationError`, unless the file is open already.
  public func cancel() { task.cancel() }
}

/// A task that waits for a store to be opened.
///
/// Thread safety: a lock guards it.
private final class WaitingOpening: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Store, any Error>)
    case ended(Result<Store, any Error>?)
  }
  /// Guards who waits.
  private let state = Mutex(State.idle)
  private let isCopying = Atomic<Bool>(false)

  /// Whether anybody waits.
  var isWaited: Bool {
    state.withLock {
      if case .waiting = $0 { true } else { false }
    }
  }

  /// A copy that the opening makes is running: a cancellation has to wait until it is gone.
  func beginCopy() { isCopying.store(true, ordering: .releasing) }

  /// Resumes the task without the store, unless a copy has to end first, or it was resumed before.
  func cancel() {
    if !isCopying.load(ordering: .acquiring) { end(.failure(CancellationError())) }
  }

  func begin(_ continuation: CheckedContinuation<Store, any Error>) {
    let early = state.withLock { state -> Result<Store, any Error>? in
      // It was cancelled before.
      if case .ended(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(with: early) }
  }

  /// Resumes the task, unless that has happened.
  func end(_ result: Result<Store, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Store, any Error>? in
      switch state {
      case .idle:
        state = .ended(result)
        return nil
      case .waiting(let continuation):
        state = .ended(nil)
        return continuation
      case .ended: return nil
      }
    }
    continuation?.resume(with: result)
  }
}

public import Dispatch
import Synchronization
import VarveCore

extension Realm {
  /// Opens a realm of a configuration's file on another thread than the caller's.
  ///
  /// What takes time, such as making the file, compacting it or adding classes, keeps no task and no actor waiting for a
  /// thread. A configuration that was opened before, and not changed since, needs no other thread.
  ///
  /// - Parameter configuration: what to open and how.
  /// - Returns: a realm at the newest version.
  /// - Throws: as ``init(configuration:)``; `CancellationError` as soon as the task is cancelled: an opening that has
  ///   begun goes on to its end, and the file stays open as any.
  public static func open(
    configuration: Configuration = .defaultConfiguration
  ) async throws -> Realm {
    _ = try await openStore(configuration)
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

  /// Opens the store of a configuration on a thread that may wait for disks and locks.
  static func openStore(_ configuration: Configuration) async throws -> Store {
    try Task.checkCancellation()
    if let store = configuration.box.open { return store }
    let waiting = WaitingOpening()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting.begin(continuation)
        DispatchQueue.global().async {
          guard waiting.isWaited else { return }
          waiting.end(Result { try Error.translating { try configuration.store() } })
        }
      }
    } onCancel: {
      waiting.end(.failure(CancellationError()))
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

  /// Whether anybody waits.
  var isWaited: Bool {
    state.withLock {
      if case .waiting = $0 { true } else { false }
    }
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

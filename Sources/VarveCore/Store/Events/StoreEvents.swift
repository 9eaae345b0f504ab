import Synchronization
import VarveLocks

/// What a store reports to the listeners of ``StoreEvents``.
package enum StoreEvent: Sendable {
  /// A transaction of this process was committed; one of a group of asynchronous writes is one
  /// commit. The duration begins after the closure of the write.
  case commit(Duration)
  /// A commit has failed, as when the disk is full. An operation that fails prevents its commit.
  case failedCommit
  /// A write has begun, or has waited too long: the time since it was requested.
  case wait(Duration)
  /// An observer has received its initial state or changes.
  case delivery
}

/// The listeners to the events of a store, for metrics. Without a listener, an event costs one
/// relaxed load.
///
/// Thread safety: any thread may use it.
package final class StoreEvents: Sendable {
  /// Called on the thread of the event, which may own the write lock. It must return quickly and
  /// not use the store.
  package typealias Listener = @Sendable (StoreEvent) -> Void

  /// Identifies a listener.
  package struct Registration: Sendable {
    fileprivate let id: UInt64
  }

  private struct State {
    var listeners: [UInt64: Listener] = [:]
    var nextID: UInt64 = 0
  }
  /// Guards the listeners.
  private let state = Lock(State())
  private let hasListeners = Atomic<Bool>(false)

  /// Whether an event must be reported.
  @inline(__always)
  var isObserved: Bool { hasListeners.load(ordering: .relaxed) }

  /// The time, if an event must be reported.
  @inline(__always)
  var start: ContinuousClock.Instant? { isObserved ? .now : nil }

  /// Adds a listener.
  package func add(_ listener: @escaping Listener) -> Registration {
    state.withLock { state in
      state.nextID += 1
      state.listeners[state.nextID] = listener
      hasListeners.store(true, ordering: .relaxed)
      return Registration(id: state.nextID)
    }
  }

  /// Removes a listener. A call on another thread may still be running.
  package func remove(_ registration: Registration) {
    state.withLock { state in
      state.listeners[registration.id] = nil
      hasListeners.store(!state.listeners.isEmpty, ordering: .relaxed)
    }
  }

  /// Reports an event.
  func report(_ event: @autoclosure () -> StoreEvent) {
    guard isObserved else { return }
    let listeners = state.withLock { $0.listeners.values }
    let event = event()
    for listener in listeners { listener(event) }
  }
}

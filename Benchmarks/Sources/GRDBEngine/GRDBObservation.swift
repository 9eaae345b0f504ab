import BenchmarkKit
import Dispatch
import GRDB
import Synchronization

/// A `ValueObservation` of all elements, and the writer whose commits it observes.
///
/// The observed region is constant and declared as such (`trackingConstantRegion`), as GRDB
/// recommends for pools: a reader then fetches the elements after the commit. Otherwise the writer
/// would fetch them within the write, `write` would not return until all of them are read, and
/// little would be left to be timed.
struct GRDBObservation: Observation {
  private let pool: DatabasePool
  private let apply: @Sendable (Database, CollectionChange) throws -> Void
  private let calls: StateQueue
  private let cancellable: any DatabaseCancellable

  /// Begins to observe, and returns after the observer has received the initial state.
  ///
  /// - Parameters:
  ///   - pool: The database.
  ///   - observation: The observation of the elements.
  ///   - weight: The value of an element that is summed.
  ///   - apply: Applies a change.
  /// - Throws: `DatabaseError`.
  init<Element>(
    _ pool: DatabasePool, _ observation: ValueObservation<ValueReducers.Fetch<[Element]>>,
    weight: @escaping @Sendable (Element) -> Double,
    apply: @escaping @Sendable (Database, CollectionChange) throws -> Void
  ) throws {
    let calls = StateQueue()
    self.pool = pool
    self.apply = apply
    self.calls = calls
    cancellable = observation.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { calls.note(.failure($0)) },
      onChange: { elements in
        let time = SharedClock.now
        let sum = elements.reduce(0) { $0 + weight($1) }
        calls.note(.success(.init(time: time, count: elements.count, sum: sum)))
      })
    // Where GRDB has no snapshots of the WAL, as on Linux, the state is delivered once when it is
    // first read, and again when the observer has been added to the writer and cannot miss a commit
    // any more.
    _ = try calls.next()
    _ = try calls.next()
  }

  func commit(_ change: CollectionChange) throws -> ObservedCommit {
    let began = SharedClock.now
    try pool.write { try apply($0, change) }
    let commit = TimedCommit(began: began, returned: SharedClock.now)
    let state = try calls.next()
    return ObservedCommit(
      commit, calledAt: state.time, content: .state(count: state.count, sum: state.sum))
  }

  func end() { cancellable.cancel() }
}

/// A queue of the observer's calls.
private final class StateQueue: Sendable {
  struct State: Sendable {
    var time: Double
    var count: Int
    var sum: Double
  }

  private let states = Mutex<[Result<State, any Error>]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func note(_ state: Result<State, any Error>) {
    states.withLock { $0.append(state) }
    arrived.signal()
  }

  func next() throws -> State {
    guard arrived.wait(timeout: .now() + 60) == .success else {
      throw BenchmarkError("the observer was not called")
    }
    return try states.withLock { $0.removeFirst() }.get()
  }
}

import BenchmarkKit
import Dispatch
import GRDB
import Synchronization

/// A `ValueObservation` of all elements, and who commits.
///
/// The region that is observed is constant, and said to be so (`trackingConstantRegion`), as GRDB advises for pools: the
/// elements are then fetched by a reader after the commit, not by the writer within it, which would keep `write` from
/// returning until all of them are read, and leave little to be timed.
struct GRDBObservation: Observation {
  private let pool: DatabasePool
  private let apply: @Sendable (Database, CollectionChange) throws -> Void
  private let heard: HeardStates
  private let cancellable: any DatabaseCancellable

  /// Begins to observe, and returns when the observer has the state.
  ///
  /// - Parameters:
  ///   - pool: The database.
  ///   - observation: Of elements.
  ///   - weight: What of an element the sum is of.
  ///   - apply: Does a change.
  /// - Throws: `DatabaseError`.
  init<Element>(
    _ pool: DatabasePool, _ observation: ValueObservation<ValueReducers.Fetch<[Element]>>,
    weight: @escaping @Sendable (Element) -> Double,
    apply: @escaping @Sendable (Database, CollectionChange) throws -> Void
  ) throws {
    let heard = HeardStates()
    self.pool = pool
    self.apply = apply
    self.heard = heard
    cancellable = observation.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { heard.note(.failure($0)) },
      onChange: { elements in
        let time = SharedClock.now
        let sum = elements.reduce(0) { $0 + weight($1) }
        heard.note(.success(.init(time: time, count: elements.count, sum: sum)))
      })
    // Where GRDB has no snapshots of the WAL, as on Linux, the state comes once when it is first read, and once more when
    // the observer has been added to the writer and misses no commit any more.
    _ = try heard.next()
    _ = try heard.next()
  }

  func commit(_ change: CollectionChange) throws -> ObservedCommit {
    let began = SharedClock.now
    try pool.write { try apply($0, change) }
    let commit = TimedCommit(began: began, returned: SharedClock.now)
    let state = try heard.next()
    return ObservedCommit(
      commit, heard: state.time, told: .state(count: state.count, sum: state.sum))
  }

  func end() { cancellable.cancel() }
}

/// The calls of an observer, taken one by one.
private final class HeardStates: Sendable {
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

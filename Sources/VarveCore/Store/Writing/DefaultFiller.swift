import Logging
import VarveEncoding
import VarveLocks
import VarveStorage

/// Decides when the defaults are stored that objects of older releases of the program lack; a
/// ``DefaultRun`` stores them.
///
/// The root record says whether each object has its defaults (``RootRecord/hasAllDefaults``); then
/// there is nothing to do. After a commit of a release that does not know the defaults, an opening
/// fills the objects that lack them, and so does, in the background, each process that has the file
/// open.
///
/// Thread safety: any thread may use it. A lock guards its state.
final class DefaultFiller: Sendable {
  private struct State {
    /// The classes of the program with properties that may lack their defaults.
    var models: [ClassDescription] = []
    /// The classes of the program whose added properties the file lacks.
    var unregistered: [ClassDescription] = []
    /// The transaction up to which no object of `models` lacks a default; 0 before the first run.
    var filled: UInt64 = 0
    /// The id of the first object that may have been inserted since then, in a class whose object
    /// ids ascend.
    var firstID: UInt64 = 0
    /// Whether an object was read that lacks a default.
    var hasReadLacking = false
    /// Whether there may be defaults to store.
    var isNeeded: Bool { !models.isEmpty || !unregistered.isEmpty }

    /// The thread of a run, from the time when the run is queued.
    var run = Run.none
    /// The number of callers that have stopped the runs.
    var stops = 0
    /// Stops a run when the store is closed.
    var watch = WorkWatch(nil)
    /// When the next run in the background may begin.
    var nextRun = ContinuousClock.now
    /// The last failure that was logged.
    var reported: String?

    /// Notes that no object of a version lacks a default.
    mutating func noteFilled(_ version: DefaultRun.Version) {
      filled = max(filled, version.transactionID)
      firstID = max(firstID, version.nextObjectID)
    }

    /// Queues a run, unless there is one or runs are stopped.
    mutating func queueRun() -> Bool {
      guard run == .none, stops == 0 else { return false }
      run = .queued
      return true
    }
  }
  private enum Run: Equatable { case none, queued, running(thread: UInt) }

  /// Guards the state.
  private let state = Lock(State())
  /// The share of the time that scans in the background take at most.
  private static let share = 20
  /// The least time between two runs in the background, and that after one that failed.
  private static let pause = Duration.milliseconds(500)
  private static let pauseAfterFailure = Duration.seconds(10)
  /// The longest wait of an opening for the write lock.
  private static let waitAtOpen = Duration.milliseconds(50)

  // MARK: What may lack defaults

  /// Adds a class of the program, if the file may lack defaults of its objects.
  func note(_ model: ClassDescription, _ schema: ClassSchema?) {
    guard !model.isDynamic, let schema,
      model.properties.contains(where: {
        schema.property(named: $0.name)?.mayLackDefault ?? false
      })
    else { return }
    state.withLock { state in
      guard !state.models.contains(where: { $0 === model }) else { return }
      state.models.append(model)
      state.filled = 0
      state.firstID = 0
    }
  }

  /// Whether the program has classes that may lack defaults.
  var isNeeded: Bool { state.withLock { $0.isNeeded } }

  /// Adds a class of the program of which the file lacks properties that were read.
  func noteUnregistered(_ model: ClassDescription) {
    state.withLock { state in
      guard !state.unregistered.contains(where: { $0 === model }) else { return }
      state.unregistered.append(model)
    }
  }

  /// Notes that an object lacks a default in a version that was taken for complete.
  func noteLacking(_ newest: Snapshot) {
    state.withLock { state in
      guard newest.root.hasAllDefaults || state.filled >= newest.transactionID else { return }
      state.filled = 0
      state.firstID = 0
      state.hasReadLacking = true
    }
  }

  // MARK: Runs

  /// Fills in the background if there are newer commits.
  func schedule(_ store: Store, newest: Snapshot) {
    let isDue = state.withLock { state in
      state.isNeeded && state.stops == 0 && state.run == .none
        && (state.filled < newest.transactionID || !state.unregistered.isEmpty)
    }
    guard isDue, !isFilled(newest, store), !store.options.isReadOnly,
      state.withLock({ $0.nextRun <= .now && $0.queueRun() })
    else { return }
    do {
      // Not a thread of a pool: the wait for the write lock may be long.
      try OwnThread.start("varve.defaults") { [self] in
        do { try run(store) } catch { report(error, store) }
      }
    } catch {
      end()
      report(error, store)
    }
  }

  /// Fills the objects that lack defaults, while the store is opened. If another write takes long,
  /// they are filled in the background.
  func fillAtOpen(_ store: Store) {
    let begins = state.withLock { state in
      !state.models.isEmpty && state.filled == 0 && state.queueRun()
    }
    guard begins else { return }
    do {
      try run(store, timeout: Self.waitAtOpen)
    } catch {
      guard (error as? Failure)?.code != .busy else { return }
      report(error, store)
    }
  }

  /// Fills the objects that lack defaults.
  func runNow(_ store: Store) throws {
    state.wait { state -> Void? in
      guard state.run == .none else { return nil }
      state.run = .queued
      return ()
    }
    try run(store)
  }

  /// Runs the queued run.
  ///
  /// - Parameter timeout: The longest wait for the write lock; nil for that of the store.
  /// - Throws: The first failure; what can be stored in spite of it is stored.
  private func run(_ store: Store, timeout: Duration? = nil) throws {
    defer { end() }
    let (unregistered, watch) = state.withLock { state -> ([ClassDescription], WorkWatch) in
      state.run = .running(thread: ThreadIdentity.current)
      // An opening does not wait for long.
      guard state.stops == 0, timeout == nil else { return ([], state.watch) }
      defer { state.unregistered = [] }
      return (state.unregistered, state.watch)
    }
    guard !watch.isStopped else { return }
    var failure: (any Error)?
    if !unregistered.isEmpty {
      do {
        try store.register(Store.closure(of: unregistered), noting: nil, view: nil, watch)
      } catch {
        failure = error
        for model in unregistered { noteUnregistered(model) }
      }
    }
    do { try fill(store, watch, timeout) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  private func fill(_ store: Store, _ watch: WorkWatch, _ timeout: Duration?) throws {
    let newest = try store.newestSnapshot()
    if isFilled(newest, store) { return }
    let version = DefaultRun.Version(newest)
    let (models, firstID, hasReadLacking) = state.withLock { state in
      defer { state.hasReadLacking = false }
      return (state.models, state.firstID, state.hasReadLacking)
    }
    var isDone = false
    defer {
      if !isDone, hasReadLacking { state.withLock { $0.hasReadLacking = true } }
    }
    let start = ContinuousClock.now
    // Releases the version: the writes would make the file grow beside it.
    var run = try DefaultRun(
      of: models, from: firstID, in: consume newest, of: store, watch, timeout)
    let scanned = ContinuousClock.now - start
    state.withLock { $0.nextRun = .now + max(scanned * Self.share, Self.pause) }
    try run.fill()
    guard !watch.isStopped else { return }
    isDone = true
    state.withLock { state in
      if state.models.count == models.count { state.noteFilled(version) }
    }
  }

  /// Whether the objects of a version need not be looked at. Then it is noted, and the defaults that
  /// were made before are settled.
  private func isFilled(_ newest: Snapshot, _ store: Store) -> Bool {
    let isFilled = state.withLock { state in
      guard state.unregistered.isEmpty, newest.root.hasAllDefaults, !state.hasReadLacking else {
        return false
      }
      state.noteFilled(DefaultRun.Version(newest))
      return true
    }
    if isFilled { store.madeDefaults.settle(upTo: newest.transactionID, store.schema) }
    return isFilled
  }

  private func end() {
    state.withLock { $0.run = .none }
    state.notify()
  }

  /// Logs a failure, once as a warning if it is permanent, and delays the next run.
  private func report(_ error: any Error, _ store: Store) {
    let code = (error as? Failure)?.code
    guard code != .cancelled, code != .closed else { return }
    let text = "\(error)"
    let isNew = state.withLock { state in
      state.nextRun = max(state.nextRun, .now + Self.pauseAfterFailure)
      defer { state.reported = text }
      return state.reported != text
    }
    store.log(isNew ? .warning : .debug, "Defaults could not be stored.", text)
  }

  // MARK: Closing

  /// Ends the run, and waits for its end. None begins afterwards until ``resume()`` was called as
  /// often.
  ///
  /// Call it without a lock: a run calls defaults of models, which may open stores. A default that
  /// closes its own store does not wait for itself.
  func stop() {
    state.withLock { state in
      state.stops += 1
      state.watch.stop()
    }
    let thread = ThreadIdentity.current
    state.wait { $0.run == .none || $0.run == .running(thread: thread) ? () : nil }
  }

  /// Allows runs again, because the store could not be closed.
  func resume() {
    state.withLock { state in
      state.stops -= 1
      if state.stops == 0 { state.watch = WorkWatch(nil) }
    }
  }
}

import Logging
import VarveEncoding
import VarveLocks
import VarveStorage

/// Stores the defaults that objects of older releases of the program lack.
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

    /// Notes that no object of a version lacks a default.
    mutating func noteFilled(_ snapshot: Snapshot) {
      filled = max(filled, snapshot.transactionID)
      firstID = max(firstID, snapshot.root.nextObjectID)
    }

    /// Whether the objects of a version need not be looked at.
    func isFilled(_ newest: Snapshot) -> Bool {
      unregistered.isEmpty && newest.root.hasAllDefaults && !hasReadLacking
    }

    /// Whether a run is queued or running.
    var isBusy = false
    var isStopped = false
    /// Stops a run when the store is closed.
    var watch = WorkWatch(nil)
    /// When the next run in the background may begin, so that long scans take little of the time.
    var next = ContinuousClock.now
  }
  /// Guards the state.
  private let state = Lock(State())
  /// The share of the time that scans in the background take at most.
  private static let pause = 20

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
      state.filled = 0
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

  /// Fills in the background if there are newer commits.
  func schedule(_ store: Store, newest: Snapshot) {
    let begins = state.withLock { state in
      guard state.isNeeded, !state.isStopped, !state.isBusy, state.filled < newest.transactionID
      else { return false }
      if state.isFilled(newest) {
        state.noteFilled(newest)
        return false
      }
      guard state.next <= .now, !store.options.isReadOnly else { return false }
      state.isBusy = true
      return true
    }
    guard begins else { return }
    do {
      // Not a thread of a pool: the wait for the write lock may be long.
      try OwnThread.start("varve.defaults") { [self] in
        defer { end() }
        do {
          try run(store)
        } catch {
          store.log(.debug, "Defaults could not be stored.", "\(error)")
        }
      }
    } catch {
      end()
      store.log(.debug, "Defaults could not be stored.", "\(error)")
    }
  }

  /// Fills the objects that lack defaults, while the store is opened.
  func fillAtOpen(_ store: Store) throws {
    let begins = state.withLock { state in
      guard !state.models.isEmpty, !state.isStopped, !state.isBusy, state.filled == 0 else {
        return false
      }
      state.isBusy = true
      return true
    }
    guard begins else { return }
    defer { end() }
    try run(store)
  }

  /// Fills the objects that lack defaults.
  func runNow(_ store: Store) throws {
    state.wait { (state) -> Void? in
      guard !state.isBusy else { return nil }
      state.isBusy = true
      return ()
    }
    defer { end() }
    try run(store)
  }

  private func end() {
    state.withLock { $0.isBusy = false }
    state.notify()
  }

  private func run(_ store: Store) throws {
    let unregistered = state.withLock { state in
      defer { state.unregistered = [] }
      return state.unregistered
    }
    let watch = state.withLock { $0.watch }
    guard !watch.isStopped else { return }
    if !unregistered.isEmpty { try store.register(unregistered, noting: nil, view: nil, watch) }
    let newest = try store.newestSnapshot()
    let isFilled = state.withLock { state in
      guard state.isFilled(newest) else { return false }
      state.noteFilled(newest)
      return true
    }
    guard !isFilled else { return }
    let (models, firstID, hasReadLacking) = state.withLock { state in
      defer { state.hasReadLacking = false }
      return (state.models, state.firstID, state.hasReadLacking)
    }
    var isDone = false
    defer {
      if !isDone, hasReadLacking { state.withLock { $0.hasReadLacking = true } }
    }
    let start = ContinuousClock.now
    let schema = store.schema
    var lacking: [(ClassDescription, [UInt64])] = []
    for model in models where !watch.isStopped {
      let ids = try newest.objectsLackingDefaults(model, schema, from: firstID)
      if !ids.isEmpty { lacking.append((model, ids)) }
    }
    let others = try !watch.isStopped && newest.lacksDefaults(unknownTo: models, schema)
    let scanned = ContinuousClock.now - start
    state.withLock { $0.next = .now + scanned * Self.pause }
    var reached = newest.transactionID
    var failure: (any Error)?
    for (model, ids) in lacking {
      do {
        try fill(model, ids[...], store, watch, after: &reached)
      } catch {
        // The other classes are filled all the same.
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    guard !watch.isStopped else { return }
    isDone = true
    store.madeDefaults.settle(
      upTo: newest.transactionID, in: try store.newestSnapshot().transactionID)
    state.withLock { state in
      if state.models.count == models.count { state.noteFilled(newest) }
    }
    if !others { try noteInFile(store, watch, at: reached) }
  }

  /// Notes in the file that each object has its defaults, unless there are newer commits.
  private func noteInFile(_ store: Store, _ watch: WorkWatch, at reached: UInt64) throws {
    try store.write(view: nil, watch) { transaction in
      guard transaction.base.transactionID == reached,
        !transaction.storage.root.hasAllDefaults
      else { return }
      transaction.storage.root.hasAllDefaults = true
    }
  }

  /// Stores the defaults in parts, so that other writes wait briefly.
  ///
  /// - Parameter reached: The transaction up to which no object lacks a default, apart from those
  ///   that are being filled. It becomes 0 when another write commits in between.
  private func fill(
    _ model: ClassDescription, _ ids: ArraySlice<UInt64>, _ store: Store, _ watch: WorkWatch,
    after reached: inout UInt64
  ) throws {
    var rest = ids
    var failure: (any Error)?
    while !rest.isEmpty, !watch.isStopped {
      let part = rest.prefix(10_000)
      rest = rest.dropFirst(part.count)
      do {
        let base = try store.write(view: nil, watch) { transaction in
          for id in part { try transaction.fillLacking(model, id) }
          return transaction.base.transactionID
        }
        reached = base == reached ? base + 1 : 0
      } catch {
        reached = 0
        guard (error as? Failure)?.code == .duplicateValue else { throw error }
        guard part.count > 1 else {
          for id in part { forget(model, id, store) }
          throw error
        }
        // A default that is refused, such as one that is not unique, stops no other object.
        let middle = part.startIndex + part.count / 2
        for half in [part[..<middle], part[middle...]] {
          do { try fill(model, half, store, watch, after: &reached) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
  }

  /// Forgets the defaults of an object of which one was refused: the next run makes others.
  private func forget(_ model: ClassDescription, _ id: UInt64, _ store: Store) {
    guard let schema = store.schema.schema(named: model.name) else { return }
    let key = RowKey(classID: schema.id, objectID: id)
    for property in model.properties { store.madeDefaults.remove(key, property.name) }
  }

  /// Ends the run, and waits for its end. None begins afterwards.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.watch.stop()
    }
    state.wait { $0.isBusy ? nil : () }
  }

  /// Allows runs again, because the store could not be closed.
  func resume() {
    state.withLock { state in
      state.isStopped = false
      state.watch = WorkWatch(nil)
    }
  }
}

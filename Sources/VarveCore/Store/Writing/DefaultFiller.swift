import Dispatch
import Logging
import VarveEncoding
import VarveLocks
import VarveStorage

/// Stores the defaults that objects of older releases of the program lack.
///
/// An opening fills the objects that lack them. From then on, the commits of this process need no
/// look at them, unless they stored objects of a release that lacks the property; after the commits
/// of other processes, the new objects are looked at, in the background.
///
/// Thread safety: any thread may use it. A lock guards its state.
final class DefaultFiller: Sendable {
  private struct State {
    /// The classes of the program with properties that may lack their defaults.
    var models: [ClassDescription] = []
    /// The classes of the program whose added properties the file lacks.
    var unregistered: [ClassDescription] = []
    /// The transaction up to which no object lacks a default; 0 before the first run.
    var filled: UInt64 = 0
    /// The commits of this process after `ownBegin`, up to `ownEnd`, left no object without a
    /// default.
    var ownBegin: UInt64 = 0
    var ownEnd: UInt64 = 0
    /// The id of the first object that may have been inserted since then, in a class whose object
    /// ids ascend.
    var firstID: UInt64 = 0
    /// Whether there may be defaults to store.
    var isNeeded: Bool { !models.isEmpty || !unregistered.isEmpty }
    /// Notes that no object of a version lacks a default.
    mutating func noteFilled(_ transaction: UInt64, nextObjectID: UInt64) {
      filled = max(filled, transaction)
      if filled >= ownBegin { filled = max(filled, ownEnd) }
      firstID = max(firstID, nextObjectID)
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

  /// Notes a commit of this process.
  ///
  /// - Parameter isComplete: Whether no object that it stored lacks a default.
  func noteOwnCommit(from base: Snapshot, to newest: Snapshot, isComplete: Bool) {
    state.withLock { state in
      guard !state.models.isEmpty else { return }
      if !isComplete {
        state.ownBegin = newest.transactionID
      } else if state.ownEnd != base.transactionID {
        state.ownBegin = base.transactionID
      }
      state.ownEnd = newest.transactionID
      guard state.filled > 0, state.filled >= state.ownBegin, isComplete else { return }
      state.filled = newest.transactionID
      state.firstID = newest.root.nextObjectID
    }
  }

  /// Notes that an object lacks a default in a version that was taken for complete.
  func noteLacking(_ newest: Snapshot) {
    state.withLock { state in
      guard state.filled >= newest.transactionID else { return }
      state.filled = 0
      state.firstID = 0
    }
  }

  /// Fills in the background if there are newer commits.
  func schedule(_ store: Store, newest: UInt64) {
    let begins = state.withLock { state in
      guard state.isNeeded, !state.isStopped, !state.isBusy, state.filled < newest,
        state.next <= .now, !store.options.isReadOnly
      else { return false }
      state.isBusy = true
      return true
    }
    guard begins else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      defer { end() }
      do {
        try run(store)
      } catch {
        store.log(.debug, "Defaults could not be stored.", "\(error)")
      }
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
    let (models, firstID) = state.withLock { ($0.models, $0.firstID) }
    let start = ContinuousClock.now
    let newest = try store.newestSnapshot()
    var lacking: [(ClassDescription, [UInt64])] = []
    for model in models where !watch.isStopped {
      let ids = try newest.objectsLackingDefaults(model, store.schema, from: firstID)
      if !ids.isEmpty { lacking.append((model, ids)) }
    }
    let scanned = ContinuousClock.now - start
    guard !watch.isStopped else { return }
    state.withLock { state in
      state.next = .now + scanned * Self.pause
      guard lacking.isEmpty, state.models.count == models.count else { return }
      state.noteFilled(newest.transactionID, nextObjectID: newest.root.nextObjectID)
    }
    guard !lacking.isEmpty else { return }
    var failure: (any Error)?
    for (model, ids) in lacking {
      do {
        try fill(model, ids[...], store, watch)
      } catch {
        // The other classes are filled all the same.
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    state.withLock { state in
      guard state.models.count == models.count else { return }
      state.noteFilled(newest.transactionID, nextObjectID: newest.root.nextObjectID)
    }
  }

  /// Stores the defaults in parts, so that other writes wait briefly.
  private func fill(
    _ model: ClassDescription, _ ids: ArraySlice<UInt64>, _ store: Store, _ watch: WorkWatch
  ) throws {
    var rest = ids
    while !rest.isEmpty, !watch.isStopped {
      let part = rest.prefix(10_000)
      rest = rest.dropFirst(part.count)
      try store.write(view: nil, watch) { transaction in
        for id in part { try transaction.fillLacking(model, id) }
      }
      if let schema = store.schema.schema(named: model.name) {
        store.madeDefaults.remove(part.map { RowKey(classID: schema.id, objectID: $0) }, model)
      }
    }
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

extension Snapshot {
  /// Returns the ids of the objects that lack a default, in ascending order.
  ///
  /// - Parameter id: The first object of a class whose object ids ascend.
  /// - Complexity: O(objects from `id`); all objects of a class with an integer primary key.
  fileprivate func objectsLackingDefaults(
    _ model: ClassDescription, _ file: FileSchema, from id: UInt64
  ) throws(Failure) -> [UInt64] {
    guard let schema = file.schema(named: model.name) else { return [] }
    let properties = model.properties.compactMap { property in
      schema.property(named: property.name).flatMap { $0.mayLackDefault ? $0 : nil }
    }
    guard !properties.isEmpty else { return [] }
    var found: [UInt64] = []
    var cursor = self.cursor(schema.table)
    var isPresent = cursor.seek(id: schema.hasIntegerPrimaryKey ? 0 : id)
    while isPresent {
      do throws(FormatError) {
        let row = try schema.reader(for: cursor.value)
        if try row.lacksDefault(properties) { found.append(cursor.id) }
      } catch {
        throw Failure(error, message: "A row is damaged.", className: schema.name)
      }
      isPresent = cursor.next()
    }
    return found
  }
}

extension RowReader {
  fileprivate func lacksDefault(_ properties: [StoredProperty]) throws(FormatError) -> Bool {
    for property in properties {
      guard let field = layout.field(forProperty: property.id) else { return true }
      if case .value(let value) = try value(field), property.addedConstant == value { return true }
    }
    return false
  }
}

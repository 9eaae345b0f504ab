import Dispatch
import Foundation
import Varve
import VarveLocks
import VarveStorage

/// Everything that the soak observes, in every supported way, each with its mirror.
///
/// Thread safety: locks guard the mutable state.
final class SoakObservers: Sendable {
  /// A value observed by a callback: its rows in a version, and its changes between two versions.
  struct Observed: Sendable {
    let mirror: SoakMirror
    /// Empty for sequences, for which commits cannot be skipped.
    let tokens: [NotificationToken]
    let rows: @Sendable (Realm) -> [String]
    let changes: @Sendable (Realm.Changes) throws -> SoakStep?
  }

  /// An actor on which observers are called.
  actor ObserverActor {}

  /// Locked by the writer of a commit that observers are not notified of, until the mirrors are
  /// updated.
  private let gate = Lock<Void>(())
  private let actor = ObserverActor()
  private let pace: SoakPace
  private let realm: Realm
  private let tasks = Lock<[Task<Void, Never>]>([])
  private let list = Lock<[Observed]>([])

  init(_ realm: Realm, seed: UInt64) {
    self.realm = realm
    pace = SoakPace(seed: seed)
  }

  var all: [Observed] { list.withLock { $0 } }

  /// The total number of deliveries.
  var deliveries: Int { all.reduce(0) { $0 + $1.mirror.deliveries } }

  /// Ends all observers.
  func end() {
    for observed in all { for token in observed.tokens { token.invalidate() } }
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  /// Commits without notifying the observers that have tokens, and updates their mirrors.
  func writeSilently(_ random: Int, through writer: Realm, _ write: () -> Void) throws {
    try gate.withLock { _ in
      let silenced = all.enumerated().filter { !$1.tokens.isEmpty && ($0 + random) % 3 != 0 }.map(
        \.element)
      let base = try writer.write(withoutNotifying: silenced.flatMap(\.tokens)) {
        let base = writer.freeze()
        write()
        return base
      }
      let commit = writer.freeze()
      guard commit.version != base.version else { return }
      let changes = try commit.changes(since: base)
      for observed in silenced {
        guard let step = try observed.changes(changes) else { continue }
        observed.mirror.patch(step, observed.rows(commit), commit: commit.version.number)
      }
    }
  }

  private func add(_ observed: Observed) { list.withLock { $0.append(observed) } }

  private func note(_ mirror: SoakMirror, _ step: SoakStep, _ rows: [String], _ version: UInt64?) {
    pace.pause()
    gate.withLock { _ in mirror.deliver(step, rows, at: version ?? 0) }
  }

  // MARK: Ways to observe

  /// Observes a collection on a queue.
  func observe<C: SoakCollection>(
    _ name: String, on queue: DispatchQueue? = nil, keyPaths paths: [String]? = nil,
    of collection: @escaping @Sendable (Realm) -> C, row: @escaping @Sendable (C.Element) -> String
  ) throws {
    let mirror = SoakMirror(name)
    let token = try collection(realm).token(paths, on: queue) { [weak self] change in
      self?.note(mirror, change, row)
    }
    add(mirror, [token], paths, collection, row)
  }

  /// Observes a collection on an actor.
  func observeOnActor<C: SoakCollection>(
    _ name: String, keyPaths paths: [String]? = nil,
    of collection: @escaping @Sendable (Realm) -> C, row: @escaping @Sendable (C.Element) -> String
  ) async throws {
    let mirror = SoakMirror(name)
    let token = try await collection(realm).token(paths, on: actor) { [weak self] change in
      self?.note(mirror, change, row)
    }
    add(mirror, [token], paths, collection, row)
  }

  /// Observes a collection through a sequence.
  func iterate<C: SoakCollection>(
    _ name: String, keyPaths paths: [String]? = nil,
    of collection: @escaping @Sendable (Realm) -> C, row: @escaping @Sendable (C.Element) -> String
  ) throws {
    let mirror = SoakMirror(name)
    let sequence = try collection(realm).sequence(paths)
    add(mirror, [], paths, collection, row)
    tasks.withLock { tasks in
      tasks.append(
        Task { [weak self] in
          for await change in sequence {
            await self?.pace.wait()
            let rows = change.collection.soakRows(row)
            let version = change.collection.versionNumber
            switch change {
            case .initial: self?.note(mirror, .state(rows), rows, version)
            case .update(_, let changes): self?.note(mirror, changes.step, rows, version)
            }
          }
        })
    }
  }

  private func add<C: SoakCollection>(
    _ mirror: SoakMirror, _ tokens: [NotificationToken], _ paths: [String]?,
    _ collection: @escaping @Sendable (Realm) -> C, _ row: @escaping @Sendable (C.Element) -> String
  ) {
    let live = collection(realm)
    add(
      Observed(
        mirror: mirror, tokens: tokens, rows: { collection($0).soakRows(row) },
        changes: { changes in
          let found = try live.changes(in: changes, paths)
          return found.isEmpty ? nil : found.step
        }))
  }

  private func note<C: SoakCollection>(
    _ mirror: SoakMirror, _ change: RealmCollectionChange<C>,
    _ row: @escaping @Sendable (C.Element) -> String
  ) {
    switch change {
    case .initial(let collection):
      let rows = collection.soakRows(row)
      note(mirror, .state(rows), rows, collection.versionNumber)
    case .update(let collection, let deletions, let insertions, let modifications):
      note(
        mirror,
        .indexes(
          deletions: deletions, insertions: insertions, modifications: modifications, new: nil),
        collection.soakRows(row), collection.versionNumber)
    case .error: break
    }
  }
}

// MARK: Maps, objects, realms

extension SoakObservers {
  /// Observes a map on an actor or through a sequence.
  func observeMap<V>(
    _ name: String, iterating: Bool, of map: @escaping @Sendable (Realm) -> Map<String, V>?,
    text: @escaping @Sendable (V) -> String
  ) async throws {
    guard let live = map(realm) else { return }
    let mirror = SoakMirror(name)
    let rows: @Sendable (Map<String, V>) -> [String] = { map in
      map.map { "\($0.key) \(text($0.value))" }.sorted()
    }
    var tokens: [NotificationToken] = []
    if iterating {
      let sequence = live.changes
      tasks.withLock { tasks in
        tasks.append(
          Task { [weak self] in
            for await change in sequence {
              await self?.pace.wait()
              let now = rows(change.collection)
              let version = change.collection.realm?.version.number
              switch change {
              case .initial: self?.note(mirror, .state(now), now, version)
              case .update(_, let changes): self?.note(mirror, changes.step, now, version)
              }
            }
          })
      }
    } else {
      tokens.append(
        try await live.observe(on: actor) { [weak self] _, change in
          switch change {
          case .initial(let map):
            self?.note(mirror, .state(rows(map)), rows(map), map.realm?.version.number)
          case .update(let map, let deletions, let insertions, let modifications):
            self?.note(
              mirror,
              .keys(deletions: deletions, insertions: insertions, modifications: modifications),
              rows(map), map.realm?.version.number)
          case .error: break
          }
        })
    }
    add(
      Observed(
        mirror: mirror, tokens: tokens, rows: { map($0).map(rows) ?? [] },
        changes: { changes in
          let found = try changes.changes(of: live)
          return found.isEmpty ? nil : found.step
        }))
  }

  /// Observes an object on an actor.
  func observeObject(_ name: String, _ object: Herd) async throws {
    let mirror = SoakMirror(name)
    let rows: @Sendable (Herd) -> [String] = { ["size \($0.size)", "label \($0.label)"] }
    let names: Set<String> = ["size", "label"]
    mirror.deliver(.state(rows(object)), rows(object), at: object.realm?.version.number ?? 0)
    let token = try await object.observe(keyPaths: Array(names), on: actor) {
      [weak self] _, change in
      guard case .change(let herd, let properties) = change else { return }
      // A notification without old values is the state: the changed properties are no longer known.
      let isState = properties.allSatisfy { $0.oldValue == nil }
      let step = isState ? SoakStep.state(rows(herd)) : properties.step(names)
      self?.note(mirror, step, rows(herd), herd.realm?.version.number)
    }
    let id = object.id
    add(
      Observed(
        mirror: mirror, tokens: [token],
        rows: { $0.object(ofType: Herd.self, forPrimaryKey: id).map(rows) ?? [] },
        changes: { changes in
          try changes.objects(Herd.self).modifications.first { $0.new.id == id }?
            .properties.step(names)
        }))
  }

  /// Observes a separate realm: the delivered value is the number of a version.
  func observeRealm(_ name: String, _ realm: Realm) throws {
    let mirror = SoakMirror(name)
    let rows: @Sendable (Realm) -> [String] = { ["\($0.version.number)"] }
    mirror.deliver(.state(rows(realm)), rows(realm), at: realm.version.number)
    let token = try realm.observe { [weak self] _, realm in
      let now = realm.freeze()
      self?.note(mirror, .commit, rows(now), now.version.number)
    }
    // The observer is called as long as its realm exists.
    add(
      Observed(
        mirror: mirror, tokens: [token], rows: rows,
        changes: { _ in withExtendedLifetime(realm) { .commit } }))
  }
}

extension [PropertyChange] {
  fileprivate func step(_ names: Set<String>) -> SoakStep {
    .properties(
      filter { names.contains($0.name) }
        .map { ($0.name, "\($0.oldValue ?? "nil")", "\($0.newValue ?? "nil")") })
  }
}

extension CollectionChanges {
  fileprivate var step: SoakStep {
    .indexes(
      deletions: deletions, insertions: insertions, modifications: modifications,
      new: newModifications)
  }
}

extension MapChanges {
  fileprivate var step: SoakStep {
    .keys(deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

import Dispatch
import Foundation
import Varve
import VarveLocks
import VarveStorage
import VarveTestSupport

/// A collection that the soak observes by index.
protocol SoakCollection: Sendable {
  associatedtype Element

  var versionNumber: UInt64? { get }
  func soakRows(_ row: (Element) -> String) -> [String]
  func token(
    _ paths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken
  func token(
    _ paths: [String]?, on actor: SoakObservers.ObserverActor,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken
  func sequence(_ paths: [String]?) throws -> ChangeSequence<Change<Self, CollectionChanges>>
  func changes(in changes: Realm.Changes, _ paths: [String]?) throws -> CollectionChanges
}

extension SoakCollection where Self: RealmCollection {
  var versionNumber: UInt64? { realm?.version.number }
  func soakRows(_ row: (Element) -> String) -> [String] { map(row) }

  func token(
    _ paths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken { try observe(keyPaths: paths, on: queue, block) }

  func token(
    _ paths: [String]?, on actor: SoakObservers.ObserverActor,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: paths, on: actor) { block($1) }
  }

  func sequence(_ paths: [String]?) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    if let paths { try changes(keyPaths: paths) } else { changes }
  }

  func changes(in changes: Realm.Changes, _ paths: [String]?) throws -> CollectionChanges {
    try changes.changes(of: self, keyPaths: paths)
  }
}

extension Results: SoakCollection {}
extension List: SoakCollection {}
extension LinkingObjects: SoakCollection {}

/// The time that consumers take: mostly none, sometimes long enough that commits share a delivery.
///
/// Thread safety: a lock guards the choices.
final class SoakPace: Sendable {
  private let random: Lock<SeededRandom>

  init(seed: UInt64) { random = Lock(SeededRandom(seed: seed)) }

  private var milliseconds: Int {
    random.withLock { $0.oneIn(20) ? $0.below(30) : 0 }
  }

  /// Blocks the thread for a random time.
  func pause() {
    let time = milliseconds
    if time > 0 { usleep(useconds_t(time * 1000)) }
  }

  /// Suspends the task for a random time.
  func wait() async {
    let time = milliseconds
    if time > 0 { try? await Task.sleep(for: .milliseconds(time)) }
  }
}

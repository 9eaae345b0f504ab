package import BenchmarkKit
import Dispatch
import Synchronization
import Varve

extension VarveEngine: ObservingEngine {
  package func observe(_ collection: ObservedCollection) throws -> any Observation {
    let realm = try Realm(configuration: configuration)
    let calls = ChangeQueue()
    let persons = realm.objects(StoredPerson.self)
    let token =
      switch collection {
      case .all: try persons.observe { calls.note($0) }
      case .filtered: try persons.where { $0.age >= 50 }.observe { calls.note($0) }
      case .sorted: try persons.sorted(by: \.score).observe { calls.note($0) }
      case .list: try holder(in: realm).numbers.observe { calls.note($0) }
      case .map: try holder(in: realm).numbersByKey.observe { calls.note($0) }
      }
    // The first call delivers the initial state.
    _ = calls.next()
    return VarveObservation(engine: self, realm: realm, token: token, calls: calls)
  }
}

private struct VarveObservation: Observation {
  let engine: VarveEngine
  let realm: Realm
  let token: NotificationToken
  let calls: ChangeQueue

  func commit(_ change: CollectionChange) throws -> ObservedCommit {
    let began = SharedClock.now
    try realm.write { try apply(change) }
    let commit = TimedCommit(began: began, returned: SharedClock.now)
    let call = calls.next()
    return ObservedCommit(
      commit, calledAt: call.time, content: .changes(old: call.old, new: call.new))
  }

  private func apply(_ change: CollectionChange) throws {
    switch change {
    case .persons(let raised, let deleted, let inserted):
      for id in raised {
        realm.object(ofType: StoredPerson.self, forPrimaryKey: id)?.score +=
          ObservedCollection.raise
      }
      if let person = realm.object(ofType: StoredPerson.self, forPrimaryKey: deleted) {
        realm.delete(person)
      }
      realm.add(StoredPerson(inserted))
    case .list(let element, let index):
      engine.holder(in: realm).numbers.insert(element, at: index)
    case .map(let key, let value):
      engine.holder(in: realm).numbersByKey[key] = value
    }
  }

  func end() { token.invalidate() }
}

/// A queue of the observer's calls.
private final class ChangeQueue: Sendable {
  struct Call: Sendable {
    var time: Double
    var old: Int
    var new: Int
  }

  private let calls = Mutex<[Call]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func note<C>(_ change: RealmCollectionChange<C>) {
    guard case .update(_, let deletions, let insertions, let modifications) = change else {
      return note(0, 0)
    }
    note(deletions.count + modifications.count, insertions.count + modifications.count)
  }

  func note<C>(_ change: RealmMapChange<C>) {
    guard case .update(_, let deletions, let insertions, let modifications) = change else {
      return note(0, 0)
    }
    note(deletions.count + modifications.count, insertions.count + modifications.count)
  }

  private func note(_ old: Int, _ new: Int) {
    calls.withLock { $0.append(Call(time: SharedClock.now, old: old, new: new)) }
    arrived.signal()
  }

  func next() -> Call {
    arrived.wait()
    return calls.withLock { $0.removeFirst() }
  }
}

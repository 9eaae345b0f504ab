package import BenchmarkKit
import Dispatch
import Synchronization
import Varve

extension VarveEngine {
  package func observe(
    _ collection: ObservedCollection, commits: Int, count: Int
  ) throws -> [ObservedCommit] {
    let realm = try Realm(configuration: configuration)
    let heard = HeardOfCommits()
    let token = try observe(collection, realm, heard)
    defer { token.invalidate() }
    // The first call has the state.
    _ = heard.next()
    var random = SplitMix(seed: 6)
    var observed: [ObservedCommit] = []
    for commit in 0..<commits {
      try realm.write { try change(collection, realm, commit, count, &random) }
      let returned = ContinuousClock.now
      let call = heard.next()
      observed.append(
        ObservedCommit(
          seconds: max(0, (call.time - returned) / .seconds(1)), oldChanges: call.old,
          newChanges: call.new))
    }
    return observed
  }

  private func observe(
    _ collection: ObservedCollection, _ realm: Realm, _ heard: HeardOfCommits
  ) throws -> NotificationToken {
    let persons = realm.objects(StoredPerson.self)
    switch collection {
    case .all: return try persons.observe { heard.note($0) }
    case .filtered: return try persons.where { $0.age >= 50 }.observe { heard.note($0) }
    case .sorted: return try persons.sorted(by: \.score).observe { heard.note($0) }
    case .list: return try holder(in: realm).numbers.observe { heard.note($0) }
    case .map: return try holder(in: realm).numbersByKey.observe { heard.note($0) }
    }
  }

  /// What one commit does, inside its transaction.
  private func change(
    _ collection: ObservedCollection, _ realm: Realm, _ commit: Int, _ count: Int,
    _ random: inout SplitMix
  ) throws {
    switch collection {
    case .all, .filtered, .sorted:
      let isWanted: (Int) -> Bool = { collection == .filtered ? Person(id: $0).age >= 50 : true }
      var chosen: [Int] = []
      while chosen.count < 11 {
        let id = Int(random.next() % UInt64(count))
        guard isWanted(id), !chosen.contains(id),
          realm.object(ofType: StoredPerson.self, forPrimaryKey: id) != nil
        else { continue }
        chosen.append(id)
      }
      for id in chosen.dropLast() {
        realm.object(ofType: StoredPerson.self, forPrimaryKey: id)?.score += 1_000_000
      }
      if let last = chosen.last,
        let person = realm.object(ofType: StoredPerson.self, forPrimaryKey: last)
      {
        realm.delete(person)
      }
      realm.create(
        StoredPerson.self,
        value: ["id": count + commit, "name": Person.name(UInt64(commit)), "age": 60])
    case .list:
      let numbers = holder(in: realm).numbers
      numbers.insert(commit, at: numbers.count / 2)
    case .map:
      holder(in: realm).numbersByKey[Inputs.key(Int(random.next() % UInt64(count)))] = -1 - commit
    }
  }
}

/// The calls of an observer, taken one by one.
private final class HeardOfCommits: Sendable {
  struct Call: Sendable {
    var time: ContinuousClock.Instant
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
    calls.withLock { $0.append(Call(time: .now, old: old, new: new)) }
    arrived.signal()
  }

  func next() -> Call {
    arrived.wait()
    return calls.withLock { $0.removeFirst() }
  }
}

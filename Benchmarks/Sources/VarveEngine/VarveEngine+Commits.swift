package import BenchmarkKit
import Dispatch
import Foundation
import Synchronization
import Varve

/// Commits of one changed property, and who hears of them.
extension VarveEngine {
  package func commit(
    _ count: Int, pause: Duration, isDurable: Bool
  ) throws -> [TimedCommit] {
    guard isDurable else {
      let other = configuration(named: "unsynchronised")
      let realm = try Realm(configuration: other)
      let person = try realm.write { realm.create(StoredPerson.self, value: ["id": 0]) }
      let commits = try commit(count, pause, realm, person)
      try Realm.close(other)
      return commits
    }
    let realm = try Realm(configuration: configuration)
    guard let person = realm.object(ofType: StoredPerson.self, forPrimaryKey: 0) else { return [] }
    return try commit(count, pause, realm, person)
  }

  private func commit(
    _ count: Int, _ pause: Duration, _ realm: Realm, _ person: StoredPerson
  ) throws -> [TimedCommit] {
    var commits: [TimedCommit] = []
    commits.reserveCapacity(count)
    for number in 0..<count {
      if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
      let began = SharedClock.now
      try realm.write { person.age = number + 1 }
      commits.append(TimedCommit(began: began, returned: SharedClock.now))
    }
    return commits
  }

  package func listen(
    upTo last: Int, while work: () throws -> Void
  ) throws -> [HeardNumber] {
    let realm = try Realm(configuration: configuration)
    let calls = HeardNumbers()
    let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let token = try realm.objects(StoredPerson.self).observe { change in
      let time = SharedClock.now
      guard case .update(let persons, _, _, let modifications) = change,
        let index = modifications.first
      else {
        started.signal()
        return
      }
      let number = persons[index].age
      calls.note(HeardNumber(number: number, time: time))
      if number == last { ended.signal() }
    }
    defer { token.invalidate() }
    started.wait()
    try work()
    guard ended.wait(timeout: .now() + 30) == .success else {
      throw BenchmarkError("no callback has the last commit")
    }
    return calls.all
  }

  package func grow(commits count: Int, isObserved: Bool, isDurable: Bool) throws -> Int {
    var other = configuration(named: isObserved ? "observed" : "alone")
    if isDurable { other.durability = .full }
    let realm = try Realm(configuration: other)
    let person = try realm.write { realm.create(StoredPerson.self, value: ["id": 0]) }
    let token = try isObserved ? realm.objects(StoredPerson.self).observe { _ in } : nil
    for number in 0..<count { try realm.write { person.age = number } }
    token?.invalidate()
    try Realm.close(other)
    let path = other.fileURL?.path ?? ""
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// A store without durability beside the other one.
  private func configuration(named name: String) -> Realm.Configuration {
    let directory = configuration.fileURL?.deletingLastPathComponent()
    return Realm.Configuration(
      fileURL: directory?.appendingPathComponent("\(name).varve"),
      objectTypes: [StoredPerson.self, Holder.self], durability: .none)
  }

  package func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions] {
    let realm = try Realm(configuration: configuration)
    let before = realm.freeze()
    try realm.write {
      if isChanged {
        realm.object(ofType: StoredPerson.self, forPrimaryKey: count / 2)?.score += 1
      } else {
        holder(in: realm).numbers.append(1)
      }
    }
    return try (0..<times).map { _ in
      let start = SharedClock.now
      let persons = try realm.changes(since: before).objects(StoredPerson.self)
      return ComparedVersions(
        seconds: SharedClock.now - start,
        differing: persons.modifications.count + persons.insertions.count + persons.deletions.count)
    }
  }
}

/// What an observer heard.
private final class HeardNumbers: Sendable {
  private let numbers = Mutex<[HeardNumber]>([])

  var all: [HeardNumber] { numbers.withLock { $0 } }

  func note(_ number: HeardNumber) { numbers.withLock { $0.append(number) } }
}

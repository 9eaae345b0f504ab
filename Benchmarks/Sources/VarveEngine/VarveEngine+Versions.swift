package import BenchmarkKit
import Dispatch
import Foundation
import Synchronization
import Varve

extension VarveEngine: FreezingEngine, ViewEngine {
  package func freezeAndReadAge(ofPerson id: Int) throws -> Int {
    let frozen = try Realm(configuration: configuration).freeze()
    return frozen.object(ofType: StoredPerson.self, forPrimaryKey: id)?.age ?? -1
  }

  package func openViews(_ count: Int, persons: Int) throws -> Int {
    var seen = 0
    for _ in 0..<count {
      let realm = try Realm(configuration: configuration)
      if realm.objects(StoredPerson.self).count == persons { seen += 1 }
    }
    return seen
  }
}

extension VarveEngine: ListeningEngine {
  package func listen(upTo last: Int, while work: () throws -> Void) throws -> [ObservedNumber] {
    let realm = try Realm(configuration: configuration)
    let calls = Mutex<[ObservedNumber]>([])
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
      calls.withLock { $0.append(ObservedNumber(number: number, time: time)) }
      if number == last { ended.signal() }
    }
    defer { token.invalidate() }
    started.wait()
    try work()
    guard ended.wait(timeout: .now() + 30) == .success else {
      throw BenchmarkError("no callback reported the last commit")
    }
    return calls.withLock { $0 }
  }
}

extension VarveEngine: ComparingEngine {
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

extension VarveEngine: GrowingEngine {
  package func grow(commits count: Int, isObserved: Bool) throws -> Int {
    var other = configuration
    other.fileURL = configuration.fileURL?.deletingLastPathComponent()
      .appendingPathComponent(isObserved ? "observed.varve" : "alone.varve")
    let realm = try Realm(configuration: other)
    let person = try realm.write { realm.create(StoredPerson.self, value: ["id": 0]) }
    let token = try isObserved ? realm.objects(StoredPerson.self).observe { _ in } : nil
    for number in 0..<count { try realm.write { person.age = number } }
    token?.invalidate()
    try Realm.close(other)
    let path = other.fileURL?.path ?? ""
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Many threads and tasks on one live realm that others move. Also run with the thread sanitizer.
@Suite struct ViewStressTests {
  /// A sheep whose weights add up to 0 in every version, and whose age is their number.
  private func makeSheep(_ realm: Realm) throws -> Sheep {
    let sheep = Sheep(1, age: 8, weights: [5, -5, 7, -7, 9, -9, 11, -11])
    sheep.name = "name 8"
    try realm.write {
      realm.add(sheep)
      for id in 2...9 { realm.add(Sheep(id, age: id)) }
    }
    return sheep
  }

  /// One commit: changes the weights, the age, and the set of other sheep.
  private func commit(_ round: Int, _ realm: Realm, _ sheep: Sheep) throws {
    try realm.write {
      if round % 16 < 8 {
        sheep.weights.append(objectsIn: [round, -round])
      } else {
        sheep.weights.removeLast(2)
      }
      sheep.age = sheep.weights.count
      sheep.name = "name \(sheep.weights.count)"
      let id = 2 + round % 8
      if let other = realm.object(ofType: Sheep.self, forPrimaryKey: id) {
        realm.delete(other)
      } else {
        realm.add(Sheep(id, age: id))
      }
    }
  }

  /// Whether all values of one read belong to one version, and no value is garbage.
  private func isSound(_ realm: Realm, _ sheep: Sheep) -> Bool {
    let weights = Array(sheep.weights)
    guard weights.reduce(0, +) == 0, sheep.weights.map({ $0 }).reduce(0, +) == 0,
      sheep.weights.reduce(0, +) == 0
    else { return false }
    let frozen = sheep.freeze()
    guard frozen.weights.count == frozen.age, frozen.name == "name \(frozen.age)",
      frozen.weights.reduce(0, +) == 0
    else { return false }
    guard sheep.name.hasPrefix("name "), (0...1000).contains(sheep.age) else { return false }
    // Each read may be of a different version, but an id always belongs to the same sheep.
    let others = realm.objects(Sheep.self).where { $0.id > 1 }
    for other in others where !other.isInvalidated {
      let age = other.age
      guard age == other.id || age == 0 else { return false }
    }
    for index in 0..<others.count {
      let age = others[index].age
      guard age == 0 || (2...9).contains(age) else { return false }
    }
    let ids = Array(realm.objects(Sheep.self)).map(\.id)
    return ids == ids.sorted() && Set(ids).count == ids.count
  }

  @Test(.timeLimit(.minutes(2)))
  func threadsShareOneRealm() throws {
    try withTemporaryRealm { realm, store in
      let sheep = try makeSheep(realm)
      let writers = Progress()
      onThreads(6) { number in
        switch number {
        case 0, 1:
          defer { writers.add() }
          for round in 0..<120 { try commit(round, realm, sheep) }
        case 2:
          while writers.count < 2 { try realm.refresh() }
        default:
          var isDone = false
          while !isDone {
            isDone = writers.count == 2
            if !isSound(realm, sheep) {
              Issue.record("A read gave what no version holds.")
              return
            }
          }
        }
      }
      #expect(isSound(realm, sheep))
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func tasksShareOneRealm() async throws {
    try await withTemporaryRealm { realm, _ in
      let sheep = try makeSheep(realm)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for round in 0..<20 {
              if writer % 2 == 0 {
                try commit(round, realm, sheep)
              } else {
                try await realm.asyncWrite { sheep.friends.append(sheep) }
              }
              await Task.yield()
            }
            return true
          }
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<40 {
              guard isSound(realm, sheep) else { return false }
              try realm.refresh()
              await Task.yield()
            }
            return true
          }
        }
        for try await isSound in group { #expect(isSound) }
      }
      #expect(sheep.friends.count == 40)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func elementsReadThroughOneHandleNeverRevert() throws {
    try withTemporaryRealm { realm, _ in
      // More elements than a node stores, all equal to the number of the commit.
      let count = 900
      let sheep = Sheep(1, weights: Array(repeating: 0, count: count))
      try realm.write { realm.add(sheep) }
      let weights = sheep.weights
      let writers = Progress()
      onThreads(5) { number in
        if number == 0 {
          defer { writers.add() }
          for round in 1...60 {
            try realm.write { for index in 0..<count { weights[index] = round } }
          }
          return
        }
        var last = 0
        var index = number
        while writers.count == 0 {
          index = (index + 7) % count
          let weight = weights[index]
          if weight < last || weight > 60 {
            Issue.record("\(weight) was read after \(last).")
            return
          }
          last = weight
        }
      }
      #expect(weights.allSatisfy { $0 == 60 })
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func readersSurvivePageReuse() throws {
    try withTemporaryRealm { realm, store in
      let sheep = try makeSheep(realm)
      try realm.write {
        realm.add([Tally(value: ["id": 1]), Tally(value: ["id": 2])])
      }
      let processes = [1, 2].map {
        TestProcess(["viewIncrement", store.path, "\($0)", "400"])
      }
      for process in processes { #expect(process.line() == "ready") }
      for process in processes { process.go() }
      // Each commit of the processes reuses pages that no version needs anymore.
      let tallies = realm.objects(Tally.self)
      onThreads(3) { number in
        while tallies.sum(of: \.value) < 800 {
          if number == 0 {
            try realm.refresh()
          } else if !isSound(realm, sheep) {
            Issue.record("A read gave what no version holds.")
            return
          }
        }
      }
      for process in processes {
        #expect(process.line() == "done")
        process.wait()
      }
      #expect(tallies.map(\.value) == [400, 400])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func realmsAreOpenedAndReleasedOnManyThreads() throws {
    try withTemporaryRealm { realm, store in
      let sheep = try makeSheep(realm)
      let ended = Progress()
      onThreads(4) { number in
        if number == 0 {
          defer { ended.add() }
          for round in 0..<150 { try commit(round, realm, sheep) }
          return
        }
        var frozen: [Sheep] = []
        while ended.count == 0 {
          let view = try store.open()
          let own = try #require(view.object(ofType: Sheep.self, forPrimaryKey: 1))
          // No other thread moves this realm, so separate reads belong to one version.
          #expect(own.weights.count == own.age)
          #expect(own.name == "name \(own.age)")
          frozen.append(own.freeze())
          if frozen.count == 20 {
            #expect(frozen.allSatisfy { $0.weights.count == $0.age })
            frozen.removeAll()
          }
        }
      }
    }
  }
}

import Foundation
import Testing
import Varve
import VarveEncoding
import VarveLocks
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// The collections that a write caches, and the state that collection instances keep of it.
@Suite struct CachedCollectionTests {
  // MARK: After the write

  @Test func collectionPinsNothingAfterWrite() throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(1, weights: [1])
      let friend = Sheep(2)
      try realm.write { realm.add([sheep, friend]) }
      let environment = try store.configuration.store().environment
      let (weights, friends, marks) = (sheep.weights, sheep.friends, sheep.marks)
      try realm.write { sheep.age = 1 }
      let before = environment.liveSnapshotCount
      let writes: [() throws -> Void] = [
        { try realm.write { weights.append(2) } },
        { try realm.write { friends.append(friend) } },
        { try realm.write { marks["a"] = "b" } },
        { try realm.write { _ = weights[0] + weights.count + friends.count + marks.count } },
        // With a flush in the middle.
        {
          try realm.write {
            weights.append(3)
            _ = realm.objects(Sheep.self).where { $0.age == 1 }.count
            weights.append(4)
          }
        },
        { expectCancelled { try realm.write { try append(to: weights) } } },
        { expectError(.indexOutOfBounds) { try realm.write { weights.remove(at: 99) } } },
      ]
      for (number, write) in writes.enumerated() {
        try write()
        try realm.write { sheep.age += 1 }
        #expect(environment.liveSnapshotCount == before, "write \(number)")
      }
      #expect(Array(weights) == [1, 2, 3, 4])
    }
  }

  private func append(to list: List<Int>) throws {
    list.append(9)
    throw Cancelled()
  }

  @Test func collectionPinsNothingAfterGroupedWrites() async throws {
    try await withTemporaryRealm { realm, store in
      let sheep = Sheep(1, weights: [1])
      try await realm.asyncWrite { realm.add(sheep) }
      let environment = try store.configuration.store().environment
      let weights = sheep.weights
      try await realm.asyncWrite { sheep.age = 1 }
      let before = environment.liveSnapshotCount
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            try? await realm.asyncWrite {
              weights.append(number)
              if number % 3 == 0 { throw Cancelled() }
            }
          }
        }
      }
      try await realm.asyncWrite { sheep.age += 1 }
      // The writer thread releases the previous version just after the write has returned.
      for _ in 0..<1_000 where environment.liveSnapshotCount > before {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(environment.liveSnapshotCount <= before)
      #expect(weights.count == 1 + 26)
    }
  }

  // MARK: Inside the write

  @Test func writeCachesBoundedNumberOfCollections() throws {
    try withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let total = 200
      try realm.write {
        let transaction = try #require(core.runningTransaction(for: nil))
        transaction.collections.maximum = 60
        var most = 0
        for id in 0..<total {
          let sheep = Sheep(id, weights: [])
          realm.add(sheep)
          // A collection filled before its object is added is stored with the object, and not
          // cached.
          sheep.weights.append(id)
          most = max(most, transaction.collections.all.count)
        }
        #expect(most > 1 && most <= 60)
      }
      #expect(realm.objects(Sheep.self).allSatisfy { Array($0.weights) == [$0.id] })
      try store.check()
      let sheep = Array(realm.objects(Sheep.self))
      let lists = sheep.map(\.weights)
      try realm.write {
        try #require(core.runningTransaction(for: nil)).collections.maximum = 60
        // The collections are used again after the write has released their cached state.
        for round in 0..<2 { for list in lists { list.append(round) } }
      }
      #expect(zip(sheep, lists).allSatisfy { Array($1) == [$0.id, 0, 1] })
    }
  }

  @Test func listAcceptsMoreNewListsThanWriteCaches() throws {
    try withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let total = 100
      let first = Sheep(-1, weights: [5])
      try realm.write { realm.add(first) }
      let new = (0..<total).map { Sheep($0, weights: [$0]) }
      try realm.write {
        try #require(core.runningTransaction(for: nil)).collections.maximum = 20
        first.weights.append(6)
        first.friends.append(first)
        // The list itself must not be released while its new elements are stored.
        first.friends.append(objectsIn: new)
        first.friends.append(first)
        first.weights.append(7)
        #expect(first.friends.count == total + 2)
      }
      #expect(Array(first.weights) == [5, 6, 7])
      #expect(first.friends.map(\.id) == [-1] + Array(0..<total) + [-1])
      #expect(first.friends.dropFirst().dropLast().allSatisfy { Array($0.weights) == [$0.id] })
    }
  }

  @Test func listStaysIntactWhenDefaultReadsDuringAppend() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Sheep(1, weights: [1])) }
      let pen = Pen()
      try realm.write { realm.add(pen) }
      try realm.write {
        pen.gates.append(Gate())
        let query = realm.objects(Sheep.self).where { $0.age == 0 }
        Gate.running({ #expect(query.count == 1) }) {
          pen.gates.append(Gate())
          pen.gates.append(objectsIn: [Gate(), Gate()])
        }
      }
      #expect(pen.gates.count == 4)
    }
  }

  @Test func repeatedSetIsTrackedWithBoundedMemory() throws {
    try withTemporaryRealm { realm, store in
      let total = 100
      try realm.write { for id in 0..<total { realm.add(Tally(value: ["id": id])) } }
      let tallies = Array(realm.objects(Tally.self))
      let core = try store.configuration.store()
      try realm.write {
        let transaction = try #require(core.runningTransaction(for: nil))
        transaction.rows.maximum = 30
        for tally in tallies { tally.value = 7 }
        #expect(transaction.rows.all.count <= 30)
        // Already written and released; set back to its previous value.
        tallies[0].value = 0
        tallies[1].value = 8
      }
      let snapshot = try core.newestSnapshot()
      let touches = try [0, 1, 2].map { index in
        let tally = tallies[index]
        let schema = try #require(core.schema.schema(named: "Tally"))
        let bytes = try #require(snapshot.find(schema.table, id: tally.handle.id))
        return try schema.reader(for: bytes).touchCount
      }
      #expect(touches == [1, 0, 0])
    }
  }
}

@Model final class Pen: Object {
  @Persisted var gates: List<Gate>
}

/// A class whose default value runs a closure of the test.
@Model final class Gate: Object {
  @Persisted var number: Int = Gate.next()
  @Persisted var bars: List<Int>

  private static let hook = Lock<(@Sendable () -> Void)?>(nil)

  /// Makes the default value run `closure` while `body` runs.
  static func running(_ closure: @escaping @Sendable () -> Void, _ body: () throws -> Void) rethrows
  {
    hook.withLock { $0 = closure }
    defer { hook.withLock { $0 = nil } }
    try body()
  }

  private static func next() -> Int {
    hook.withLock { $0 }?()
    return 1
  }
}

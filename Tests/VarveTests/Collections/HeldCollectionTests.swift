import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// What a write holds of collections, and what handles keep of it.
@Suite struct HeldCollectionTests {
  @Test func aCollectionThatAWriteUsedPinsNothingAfterIt() throws {
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
        // With a flush in the midst of it.
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

  @Test func aCollectionOfAGroupOfWritesPinsNothingAfterIt() async throws {
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
      #expect(environment.liveSnapshotCount == before)
      #expect(weights.count == 1 + 26)
    }
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

@testable import VarveCore

/// Results of a whole class, read inside a write.
@Suite struct WholeClassInWriteTests {
  @Test func countAndFirstAndLastFollowEachChange() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Sheep.self)
      try realm.write {
        #expect(all.isEmpty && all.first == nil && all.last == nil)
        for id in [5, 3, -2, 9] { realm.add(Sheep(id)) }
        #expect(all.count == 4 && !all.isEmpty && all.first?.id == -2 && all.last?.id == 9)
        all.first?.age = 4
        #expect(all.first?.age == 4)
        realm.delete(all.first ?? Sheep())
        #expect(all.count == 3 && all.first?.id == 3)
        realm.add(Sheep(10))
        realm.delete(all.last ?? Sheep())
        #expect(all.count == 3 && all.last?.id == 9)
      }
      #expect(all.count == 3 && all.first?.id == 3 && all.last?.id == 9)
      try realm.write {
        var seen: [Int] = []
        while let sheep = all.first {
          seen.append(sheep.id)
          realm.delete(sheep)
        }
        #expect(seen == [3, 5, 9] && all.isEmpty)
      }
      #expect(all.isEmpty)
    }
  }

  @Test func wholeClassResultsDoNotFlushWrites() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { for id in 0..<10 { realm.add(Sheep(id, weights: [1])) } }
      let core = try store.configuration.store()
      let all = realm.objects(Sheep.self)
      try realm.write {
        let transaction = try #require(core.runningTransaction(for: nil))
        for sheep in Array(all) {
          sheep.age += 1
          sheep.weights.append(2)
          #expect(all.count == 10 && !all.isEmpty && all.first?.id == 0 && all.last?.id == 9)
        }
        #expect(transaction.rows.all.count == 10 && transaction.collections.all.count == 10)
      }
      #expect(all.allSatisfy { $0.age == 1 && Array($0.weights) == [1, 2] })
    }
  }

  @Test func classRegisteredInWriteIsCounted() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Sheep.self)
      expectCancelled {
        try realm.write {
          realm.add(Sheep(1))
          #expect(all.count == 1 && all.first?.id == 1)
          throw Cancelled()
        }
      }
      #expect(all.isEmpty && all.first == nil)
      let frozen = realm.freeze().objects(Sheep.self)
      try realm.write {
        realm.add(Sheep(1))
        #expect(all.count == 1)
        #expect(frozen.isEmpty && frozen.first == nil, "frozen results read their version")
      }
    }
  }
}

import Testing
import Varve

@Suite struct IterationTests {
  private func withFlock(_ body: (Realm, Sheep) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let sheep = Sheep(1, weights: Array(0..<10))
      sheep.marks["a"] = "1"
      sheep.marks["b"] = "2"
      sheep.shepherd = Shepherd(value: ["name": "Ann"])
      try realm.write {
        realm.add(sheep)
        for id in 2...10 {
          let other = realm.create(Sheep.self, value: ["id": id, "age": id])
          other.shepherd = sheep.shepherd
          sheep.friends.append(other)
        }
      }
      try body(realm, sheep)
    }
  }

  /// Removes all content, on the first call.
  private func empty(_ realm: Realm, _ sheep: Sheep) throws {
    guard realm.objects(Sheep.self).count > 1 else { return }
    try realm.write {
      sheep.weights.removeAll()
      sheep.marks.removeAll()
      realm.delete(realm.objects(Sheep.self).where { $0.id > 1 })
    }
  }

  @Test func listIterationContinuesInItsVersion() throws {
    try withFlock { realm, sheep in
      var seen: [Int] = []
      for weight in sheep.weights {
        seen.append(weight)
        try empty(realm, sheep)
      }
      #expect(seen == Array(0..<10))
      #expect(sheep.weights.isEmpty)
    }
  }

  @Test func resultsIterationContinuesInItsVersion() throws {
    try withFlock { realm, sheep in
      var count = 0
      for other in realm.objects(Sheep.self) {
        count += 1
        try empty(realm, sheep)
        // The objects are live, so objects deleted meanwhile are invalidated.
        #expect(other.isInvalidated == (count > 1))
      }
      #expect(count == 10)
    }
  }

  @Test func queryMapAndLinkIterationsContinueInTheirVersion() throws {
    try withFlock { realm, sheep in
      var counts = [0, 0, 0, 0]
      let links = try #require(sheep.shepherd?.sheep)
      for _ in sheep.friends {
        if counts[0] == 0 {
          for _ in realm.objects(Sheep.self).where({ $0.age > 1 }).sorted(by: \.age) {
            if counts[1] == 0 {
              for _ in links {
                if counts[2] == 0 {
                  for _ in sheep.marks {
                    counts[3] += 1
                    try empty(realm, sheep)
                  }
                }
                counts[2] += 1
              }
            }
            counts[1] += 1
          }
        }
        counts[0] += 1
      }
      #expect(counts == [9, 9, 10, 2])
    }
  }

  @Test func mapReadsOneVersion() throws {
    try withFlock { realm, sheep in
      let weights = try sheep.weights.map { weight in
        try empty(realm, sheep)
        return weight
      }
      #expect(weights == Array(0..<10))
    }
    try withFlock { realm, sheep in
      let all = try realm.objects(Sheep.self).map { other in
        try empty(realm, sheep)
        return other.id
      }
      // An integer key is readable on a deleted object as well.
      #expect(all == Array(1...10))
    }
    try withFlock { realm, sheep in
      let links = try #require(sheep.shepherd?.sheep)
      #expect(try links.map { _ in try empty(realm, sheep) }.count == 10)
    }
  }

  @Test func searchEndsWhenCollectionShrinks() throws {
    try withFlock { realm, sheep in
      let index = try sheep.weights.firstIndex { weight in
        if weight == 5 { try empty(realm, sheep) }
        return weight == 8
      }
      #expect(index == 8)
      #expect(sheep.weights.firstIndex(of: 8) == nil)
    }
    try withFlock { realm, sheep in
      let all = realm.objects(Sheep.self)
      let index = try all.firstIndex { other in
        if other.id == 5 { try empty(realm, sheep) }
        return false
      }
      #expect(index == nil)
      #expect(all.firstIndex(of: sheep) == 0)
      #expect(all.contains(sheep))
    }
  }

  @Test func slicesOfLiveCollectionNeverTrap() throws {
    try withFlock { realm, sheep in
      let all = realm.objects(Sheep.self)
      let slice = sheep.weights[2..<5]
      #expect(Array(slice) == [2, 3, 4])
      #expect(Array(sheep.weights.prefix(while: { $0 < 3 })) == [0, 1, 2])
      #expect(Array(sheep.weights.drop(while: { $0 < 7 })) == [7, 8, 9])
      let rest = sheep.weights.dropFirst(8)
      let prefix = all.prefix(3)
      let suffix = all.suffix(2)
      #expect(prefix.map(\.id) == [1, 2, 3])
      #expect(suffix.map(\.id) == [9, 10])
      try empty(realm, sheep)
      // Positions past the end read as zero, or as an invalidated object.
      #expect(Array(slice) == [0, 0, 0])
      #expect(Array(rest) == [0, 0])
      #expect(prefix.map(\.isInvalidated) == [false, true, true])
      #expect(suffix.map(\.isInvalidated) == [true, true])
      #expect(sheep.weights[3..<7].count == 4)
      #expect(all[50].isInvalidated)
      #expect(sheep.weights[50] == 0)
      #expect(sheep.friends[0].isInvalidated)
      #expect(sheep.weights.first == nil)
      #expect(sheep.friends.first == nil)
    }
  }

  @Test func standardLibraryAlgorithmsWork() throws {
    try withFlock { realm, sheep in
      let weights = sheep.weights
      #expect(weights.reversed() == (0..<10).reversed())
      #expect(weights.sorted(by: >) == (0..<10).reversed())
      #expect(weights.filter { $0 % 2 == 0 } == [0, 2, 4, 6, 8])
      #expect(weights.dropLast(8).map { $0 } == [0, 1])
      #expect(weights.lastIndex { $0 < 4 } == 3)
      #expect(weights.last == 9)
      #expect(weights.enumerated().allSatisfy { $0.offset == $0.element })
      #expect([-1] + weights + [10] == Array(-1...10))
      #expect(Set(weights).count == 10)
      #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 < $1 })
      #expect(Array(weights.freeze()[3...]) == Array(3..<10))
      var copy = [Int]()
      copy.append(contentsOf: weights)
      #expect(copy.elementsEqual(weights))
      let unmanaged = Sheep(1, weights: [3, 1, 2])
      #expect(Array(unmanaged.weights[1...]) == [1, 2])
      #expect(unmanaged.weights.firstIndex(of: 2) == 2)
      #expect(realm.objects(Sheep.self).compactMap { $0.id > 8 ? $0.id : nil } == [9, 10])
      #expect(realm.objects(Sheep.self).max { $0.id < $1.id }?.id == 10)
    }
  }
}

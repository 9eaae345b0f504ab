import Foundation
import Testing
import Varve
import VarveLocks
import VarveStorage

/// Unmanaged objects used by several threads. Also run with the thread sanitizer.
@Suite struct UnmanagedSharingTests {
  @Test func threadsGetTheSameCollections() {
    let objects = (0..<300).map { Sheep(value: ["id": $0]) }
    let seen = Lock<[[ObjectIdentifier]]>([])
    onThreads(4) { number in
      var identities: [ObjectIdentifier] = []
      // The threads start at different ends.
      for sheep in number % 2 == 0 ? objects : objects.reversed() {
        identities += [ObjectIdentifier(sheep.weights), ObjectIdentifier(sheep.marks)]
        sheep.weights.append(number)
      }
      if number % 2 == 1 {
        identities = stride(from: identities.count - 2, through: 0, by: -2).flatMap {
          [identities[$0], identities[$0 + 1]]
        }
      }
      seen.withLock { $0.append(identities) }
    }
    #expect(Set(seen.withLock { $0 }).count == 1)
    #expect(objects.allSatisfy { Array($0.weights).sorted() == [0, 1, 2, 3] })
  }

  @Test func threadsChangeAndReadOneSet() throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1)
      onThreads(4) { number in
        for round in 0..<300 {
          bag.ints.insert(round * 4 + number)
          if number > 1 {
            #expect(bag.ints.contains(round * 4 + number) && !bag.ints.isEmpty)
            _ = (bag.ints.first, Array(bag.ints.prefix(3)), bag.ints.description)
          }
        }
      }
      #expect(Array(bag.ints) == Array(0..<1_200))
      onThreads(3) { number in
        if number == 0 { try realm.write { realm.add(bag) } }
        // Until the commit, other threads see the previous version.
        for index in 0..<300 { #expect([0, index].contains(bag.ints[index])) }
      }
      try store.check()
    }
  }

  @Test func threadsReadTheSameDefaults() {
    let bells = (0..<300).map { _ in Bell() }
    let seen = Lock<Set<[ObjectId]>>([])
    onThreads(4) { _ in
      let serials = bells.map(\.serial)
      seen.withLock { _ = $0.insert(serials) }
    }
    #expect(seen.withLock { $0.count } == 1)
  }

  @Test func threadsReadAndWriteOneObject() {
    let sheep = Sheep(1, weights: [0])
    let friend = Sheep(2)
    onThreads(4) { number in
      for round in 0..<300 {
        if number < 2 {
          sheep.name = number == 0 ? "left" : "right"
          sheep.age = round
          sheep.shepherd = round % 2 == 0 ? Shepherd(value: ["name": "Ann"]) : nil
          sheep.weights[0] = round
          sheep.weights.append(round)
          sheep.weights.removeLast()
          sheep.friends.append(friend)
          sheep.marks["\(round % 7)"] = "\(number)"
        } else {
          #expect(["", "left", "right"].contains(sheep.name))
          #expect((0..<300).contains(sheep.age))
          #expect(sheep.shepherd?.name ?? "Ann" == "Ann")
          #expect(sheep.weights.first != nil)
          #expect(sheep.weights.allSatisfy { $0 < 300 })
          #expect(sheep.marks.count <= 7)
          _ = sheep.friends.last?.id
          _ = "\(sheep)"
        }
      }
    }
    #expect(sheep.friends.count == 600)
    #expect(sheep.weights.count == 1)
  }

  @Test func objectIsReadWhileAdded() throws {
    try withTemporaryRealm { realm, _ in
      for round in 0..<40 {
        let sheep = Sheep(round, age: 3, weights: [1, 2])
        sheep.marks["a"] = "b"
        let bell = Bell(value: ["tone": 4, "notes": [1]])
        let readers = Progress()
        let isAdded = Progress()
        onThreads(3) { number in
          if number == 0 {
            while readers.count < 2 {}
            try realm.write {
              realm.add(sheep)
              realm.add(bell)
            }
            isAdded.add()
            return
          }
          readers.add()
          var isLast = false
          while !isLast {
            isLast = isAdded.count == 1
            // Between the add and the commit, other threads see the committed version, which lacks
            // the objects.
            #expect([3, 0].contains(sheep.age))
            #expect([[1, 2], []].contains(Array(sheep.weights)))
            #expect(["b", nil].contains(sheep.marks["a"]))
            #expect([4, 0].contains(bell.tone))
            #expect([1, 0].contains(bell.notes.count))
            #expect(sheep.id == round)
          }
          #expect(sheep.age == 3)
          #expect(bell.tone == 4)
          #expect(Array(sheep.weights) == [1, 2])
        }
      }
    }
  }

  /// The default of the gate runs after the contents of the collections of the fold have been
  /// copied.
  @Test func concurrentCollectionChangesDuringAddAreKept() throws {
    try withTemporaryRealm { realm, store in
      for isUpdate in [false, true] {
        let sheep = [Sheep(1), Sheep(2), Sheep(3)]
        sheep[0].friends.append(sheep[2])
        let fold = Fold(value: ["id": 1, "weights": [1, 2, 3], "marks": ["a": "x", "b": "y"]])
        fold.sheep.append(sheep[0])
        fold.gate = Gate()
        let untouched = fold.names
        untouched.append("n")
        let weights = fold.weights
        let changes = { @Sendable in
          onAnotherThread {
            weights.append(4)
            weights.remove(at: 0)
            fold.marks["a"] = nil
            fold.marks["c"] = "z"
            // Both an object that is added only by this change and one that is added anyway.
            fold.sheep.append(objectsIn: sheep[1...])
          }
        }
        try Gate.running(changes) {
          try realm.write { realm.add(fold, update: isUpdate ? .modified : .error) }
        }
        #expect(weights.realm != nil && Array(weights) == [2, 3, 4])
        #expect(Array(untouched) == ["n"])
        #expect(fold.marks.map { $0.key + $0.value } == ["by", "cz"])
        #expect(fold.sheep.map(\.id) == [1, 2, 3])
        #expect(realm.objects(Sheep.self).count == 3)
        try store.check()
        try realm.write { if !isUpdate { realm.delete(sheep) } }
      }
    }
  }

  /// With few links and with more links than a leaf of a list stores; the default of the gate runs
  /// as above.
  @Test(arguments: [100, 3_000])
  func concurrentlyAppendedLinksDuringAddAreKept(count: Int) throws {
    try withTemporaryRealm { realm, store in
      let flock = (0..<20).map { Sheep($0) }
      try realm.write { realm.add(flock) }
      let fold = Fold(value: ["id": 1])
      // The first object appears often.
      let indices = (0..<count).map { $0 % 3 == 0 ? 0 : $0 % 20 }
      fold.sheep.append(objectsIn: indices.map { flock[$0] })
      fold.gate = Gate()
      let sheep = fold.sheep
      let late = (0..<30).map { $0 % 2 }
      let changes = { @Sendable in
        onAnotherThread { for index in late { sheep.append(flock[index]) } }
      }
      try Gate.running(changes) { try realm.write { realm.add(fold) } }
      #expect(sheep.realm == realm)
      let all = indices + late
      #expect(sheep.map(\.id) == all)
      try store.check()
      try realm.write { realm.delete(flock[0]) }
      let rest = all.filter { $0 != 0 }
      #expect(sheep.map(\.id) == rest)
      try store.check()
    }
  }

  @Test func concurrentAddsStoreObjectOnce() throws {
    try withTemporaryRealm { realm, store in
      let bells = (0..<50).map { Bell(value: ["tone": $0]) }
      onThreads(2) { _ in
        let own = try store.open()
        for bell in bells { try own.write { own.add(bell) } }
      }
      try realm.refresh()
      #expect(realm.objects(Bell.self).count == 50)
      #expect(realm.objects(Bell.self).map(\.tone).sorted() == Array(0..<50))
    }
  }

  @Test func hashIsUnchangedByAdd() throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(7)
      let bell = Bell()
      let shepherd = Shepherd(value: ["name": "Ann"])
      let objects: Set<Object> = [sheep, bell, shepherd]
      let hashes = [sheep.hashValue, bell.hashValue, shepherd.hashValue]
      try realm.write { realm.add([sheep, bell, shepherd] as [Object]) }
      #expect([sheep.hashValue, bell.hashValue, shepherd.hashValue] == hashes)
      #expect(objects.isSuperset(of: [sheep, bell, shepherd] as [Object]))
      // Live handles of one row are equal by primary key, or by identity without one.
      let again = try #require(store.open().object(ofType: Sheep.self, forPrimaryKey: 7))
      #expect(again == sheep)
      #expect(objects.contains(again))
      #expect(objects.contains(try #require(realm.objects(Shepherd.self).first)))
      let otherBell = try #require(realm.objects(Bell.self).first)
      #expect(otherBell != bell)
      #expect(otherBell.isSameObject(as: bell))
      try realm.write { realm.delete(realm.objects(Sheep.self)) }
      #expect(sheep.hashValue == hashes[0])
    }
  }
}

import Foundation
import Testing
import Varve

/// The content of lists and its changes.
@Suite struct ListReferenceTests {
  private func ids(_ list: List<Spice>) -> [Int] { list.map(\.id) }

  @Test func appendAddsElementAndObject() throws {
    try withPantry { realm, pantry, _ in
      let anise = Spice(value: ["id": 4, "name": "anise"])
      try realm.write {
        pantry.row.append(anise)
        pantry.row.append(anise)
        pantry.words.append(nil)
      }
      #expect(ids(pantry.row) == [3, 1, 2, 3, 4, 4] && anise.realm == realm)
      #expect(realm.objects(Spice.self).count == 4 && pantry.words.last == .some(nil))
      #expect(anise.pantries.map(\.id) == [1, 1])
    }
  }

  @Test func appendedSequenceIsOneChange() throws {
    try withPantry { realm, pantry, _ in
      let events = EventRecorder<ObservedChange>()
      let token = try pantry.row.observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try realm.write {
        pantry.row.append(objectsIn: [Spice(value: ["id": 4])])
        pantry.row.append(objectsIn: realm.objects(Spice.self).where { $0.id < 3 })
        pantry.row.append(objectsIn: Set([pantry.row[0]]))
        pantry.row.append(objectsIn: pantry.row)
      }
      let once = [3, 1, 2, 3, 4, 1, 2, 3]
      #expect(ids(pantry.row) == once + once)
      #expect(events.wait(for: 2) == [.initial(4), .update(16, [], Array(4..<16), [])])
      token.invalidate()
    }
  }

  @Test func removingAnElementKeepsItsObject() throws {
    try withPantry { realm, pantry, _ in
      try realm.write {
        pantry.row.remove(at: 1)
        pantry.numbers.removeLast()
      }
      #expect(ids(pantry.row) == [3, 2, 3] && Array(pantry.numbers) == [3, 1, 2])
      try realm.write { pantry.row.removeAll() }
      #expect(pantry.row.isEmpty && realm.objects(Spice.self).count == 3)
    }
  }

  @Test func replacedElementIsModification() throws {
    try withPantry { realm, pantry, _ in
      let events = EventRecorder<ObservedChange>()
      let numbers = EventRecorder<ObservedChange>()
      let tokens = [
        try pantry.row.observe { events.note(ObservedChange($0)) },
        try pantry.numbers.observe { numbers.note(ObservedChange($0)) },
      ]
      _ = (events.wait(for: 1), numbers.wait(for: 1))
      try realm.write {
        pantry.row.replace(index: 1, object: pantry.row[2])
        pantry.numbers[2] = 9
      }
      #expect(ids(pantry.row) == [3, 2, 2, 3] && Array(pantry.numbers) == [3, 1, 9, 3])
      #expect(events.wait(for: 2).last == .update(4, [], [], [1]))
      #expect(numbers.wait(for: 2).last == .update(4, [], [], [2]))
      for token in tokens { token.invalidate() }
    }
  }

  @Test func moveAndSwapPlaceElementsAtDestination() throws {
    try withPantry { realm, pantry, _ in
      try realm.write { pantry.numbers.move(from: 0, to: 2) }
      #expect(Array(pantry.numbers) == [1, 2, 3, 3])
      try realm.write { pantry.numbers.move(from: 3, to: 0) }
      #expect(Array(pantry.numbers) == [3, 1, 2, 3])
      try realm.write { pantry.row.swapAt(0, 2) }
      #expect(ids(pantry.row) == [2, 1, 3, 3])
      let version = realm.version
      try realm.write { pantry.row.swapAt(1, 1) }
      #expect(realm.version == version)
      for use in [{ pantry.row.move(from: 4, to: 0) }, { pantry.row.move(from: 0, to: 4) }] {
        expectError(.indexOutOfBounds) { try realm.write { use() } }
      }
      #expect(ids(pantry.row) == [2, 1, 3, 3])
    }
  }

  @Test func queriesKeepListOrderUnchanged() throws {
    try withPantry { (_, pantry, _) throws in
      #expect(pantry.row.where { $0.name == "salt" }.map(\.id) == [3, 1, 3])
      #expect(pantry.row.filter("grams < 25").map(\.id) == [3, 2, 3])
      #expect(pantry.row.sorted(byKeyPath: "id").map(\.id) == [1, 2, 3, 3])
      let descriptors = [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "grams")]
      #expect(pantry.row.sorted(by: descriptors).map(\.id) == [2, 3, 3, 1])
      #expect(pantry.row.distinct(by: ["name"]).map(\.id) == [3, 2])
      #expect(ids(pantry.row) == [3, 1, 2, 3])
    }
  }

  @Test func indexOfFindsFirstEqualElement() throws {
    try withPantry { (realm, pantry, _) throws in
      let spices = realm.objects(Spice.self)
      #expect(pantry.row.index(of: spices[2]) == 0 && pantry.row.index(of: spices[0]) == 1)
      #expect(pantry.row.index(of: Spice()) == nil)
      #expect(try pantry.row.index(matching: "name = %@", "salt") == 0)
      #expect(pantry.row.index(matching: { $0.grams == 10 }) == 2)
      #expect(pantry.row.index(matching: "grams > 99") == nil)
      #expect(pantry.numbers.index(of: 3) == 0 && pantry.words.index(of: nil) == 1)
    }
  }

  @Test func removeAtOffsetsRemovesAllOffsets() throws {
    func check(_ list: List<Int>) {
      list.removeAll()
      list.append(objectsIn: 0..<10)
      list.remove(atOffsets: IndexSet([0, 3, 4, 9]))
      #expect(Array(list) == [1, 2, 5, 6, 7, 8])
      list.remove(atOffsets: IndexSet())
      list.removeAll { $0 % 2 == 0 }
      #expect(Array(list) == [1, 5, 7])
      list.insert(contentsOf: [2, 3], at: 1)
      list.removeSubrange(3..<5)
      list.replaceSubrange(0..<1, with: [8, 9])
      #expect(Array(list) == [8, 9, 2, 3] && list.objects(at: IndexSet([1, 3])) == [9, 3])
    }
    check(List())
    try withPantry { realm, pantry, _ in
      try realm.write { check(pantry.numbers) }
      expectError(.indexOutOfBounds) {
        try realm.write {
          pantry.numbers.remove(atOffsets: IndexSet([0, 4]))
          #expect(Array(pantry.numbers) == [8, 9, 2, 3])
        }
      }
      try realm.write { pantry.row.remove(atOffsets: IndexSet([0, 3])) }
      #expect(ids(pantry.row) == [1, 2] && realm.objects(Spice.self)[2].pantries.isEmpty)
      expectCancelled { try pantry.row.removeAll { _ in throw Cancelled() } }
      #expect(ids(pantry.row) == [1, 2])
    }
  }

  @Test func moveFromOffsetsKeepsElementOrder() throws {
    /// The expected result: the elements at the offsets, in order, before the element that was at
    /// the destination.
    func moved(_ array: [Int], _ offsets: [Int], _ destination: Int) -> [Int] {
      let taken = offsets.map { array[$0] }
      let kept = array.indices.filter { !offsets.contains($0) }
      return kept.filter { $0 < destination }.map { array[$0] } + taken
        + kept.filter { $0 >= destination }.map { array[$0] }
    }
    let cases: [([Int], Int)] = [
      ([0], 3), ([4], 0), ([1, 2, 5], 4), ([0, 1], 6), ([0, 5], 3), ([2], 2), ([2], 3), ([], 1),
      ([0, 1, 2, 3, 4, 5], 3),
    ]
    try withPantry { realm, pantry, _ in
      for (offsets, destination) in cases {
        let expected = moved(Array(0..<6), offsets, destination)
        let loose = List<Int>()
        loose.append(objectsIn: 0..<6)
        loose.move(fromOffsets: IndexSet(offsets), toOffset: destination)
        #expect(Array(loose) == expected)
        try realm.write {
          pantry.numbers.removeAll()
          pantry.numbers.append(objectsIn: 0..<6)
        }
        try realm.write {
          pantry.numbers.move(fromOffsets: IndexSet(offsets), toOffset: destination)
        }
        #expect(Array(pantry.numbers) == expected, "\(offsets) to \(destination)")
      }
      for (offsets, destination) in [([6], 0), ([0], 7), ([0], -1)] {
        expectError(.indexOutOfBounds) {
          try realm.write {
            pantry.numbers.move(fromOffsets: IndexSet(offsets), toOffset: destination)
          }
        }
      }
    }
  }

  @Test func orderAndDuplicatesAreStored() throws {
    try withPantry { realm, pantry, store in
      try realm.write {
        pantry.row.move(from: 0, to: 2)
        pantry.row.append(pantry.row[0])
        pantry.words.swapAt(0, 1)
      }
      try store.close()
      let again = try #require(try store.open().objects(Pantry.self).first)
      #expect(again.row.map(\.id) == [1, 2, 3, 3, 1])
      #expect(Array(again.words) == [nil, "b", "a", "b"])
    }
  }

  @Test func listBelongsToPropertyOrIsUnmanaged() throws {
    let loose = List<Spice>()
    loose.append(Spice(value: ["id": 7]))
    #expect(loose.realm == nil && !loose.isFrozen && loose.count == 1)
    try withPantry { realm, pantry, _ in
      try realm.write { pantry.row = loose }
      #expect(ids(pantry.row) == [7] && pantry.row.realm == realm)
      #expect(loose.count == 1 && loose.first?.realm == realm)
    }
  }
}

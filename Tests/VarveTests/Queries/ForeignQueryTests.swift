import Foundation
import Testing
import Varve

/// An object identifies itself in its own store and equals no object of another store.
@Suite struct ForeignQueryTests {
  /// Two stores with the same objects, links and lists.
  private func withTwoStores(_ body: (Realm, [Sample], Realm, [Sample]) throws -> Void) throws {
    func fill(_ realm: Realm) throws -> [Sample] {
      try realm.write {
        let samples = (0..<4).map { Sample(value: ["id": $0]) }
        realm.add(samples)
        for sample in samples {
          sample.parent = samples[1]
          samples[0].children.append(sample)
          samples[0].byName["\(sample.id)"] = .some(sample)
        }
        return samples
      }
    }
    try withTemporaryRealm { realm, _ in
      try withTemporaryRealm { other, _ in
        try body(realm, try fill(realm), other, try fill(other))
      }
    }
  }

  @Test func objectOfAnotherStoreEqualsNone() throws {
    try withTwoStores { realm, own, _, foreign in
      let all = realm.objects(Sample.self)
      #expect(all.where { $0.parent == own[1] }.count == 4)
      for stranger in [foreign[1], foreign[1].freeze()] {
        #expect(all.where { $0.parent == stranger }.isEmpty)
        #expect(all.where { $0.parent != stranger }.count == 4)
        #expect(all.where { $0.parent.in([stranger, nil]) }.isEmpty)
        #expect(all.where { $0.parent.in([stranger, own[1]]) }.count == 4)
        #expect(all.where { $0.parent.parent == stranger }.isEmpty)
        #expect(all.where { $0 == stranger || $0.in([stranger]) }.isEmpty)
        #expect(own[0].children.where { $0.parent == stranger }.isEmpty)
        #expect(own[0].byName.where { $0.parent == stranger }.isEmpty)
        #expect(own[1].descendants.where { $0.parent == stranger }.isEmpty)
        try realm.write { #expect(all.where { $0.parent == stranger }.isEmpty) }
      }
    }
  }

  @Test func objectOfAnotherVersionIsEqual() throws {
    try withTwoStores { realm, own, _, _ in
      let all = realm.objects(Sample.self)
      let frozen = own[1].freeze()
      #expect(all.where { $0.parent == frozen }.count == 4)
      #expect(all.freeze().where { $0.parent == own[1] }.count == 4)
      #expect(all.index(of: frozen) == 1 && all.firstIndex(of: frozen) == 1)
      #expect(all.contains(frozen) && all.freeze().contains(own[1]))
      #expect(own[0].children.firstIndex(of: frozen) == 1)
    }
  }

  @Test func collectionsDoNotContainForeignObject() throws {
    try withTwoStores { realm, own, _, foreign in
      let all = realm.objects(Sample.self)
      let (children, descendants) = (own[0].children, own[1].descendants)
      #expect(all.contains(own[2]) && children.contains(own[2]) && descendants.contains(own[2]))
      #expect(all.firstIndex(of: own[2]) == 2 && all.index(of: own[2]) == 2)
      #expect(children.firstIndex(of: own[2]) == 2 && children.index(of: own[2]) == 2)
      #expect(descendants.firstIndex(of: own[2]) == 2 && descendants.index(of: own[2]) == 2)
      for stranger in [foreign[2], foreign[2].freeze(), Sample(value: ["id": 2])] {
        #expect(!all.contains(stranger) && !children.contains(stranger))
        #expect(!descendants.contains(stranger) && descendants.index(of: stranger) == nil)
        #expect(all.firstIndex(of: stranger) == nil && all.index(of: stranger) == nil)
        #expect(children.firstIndex(of: stranger) == nil && children.index(of: stranger) == nil)
        #expect(descendants.firstIndex(of: stranger) == nil)
      }
    }
  }

  @Test func subclassObjectIsNotInSuperclassResults() throws {
    try withTemporaryRealm { realm, _ in
      let (animal, puppy) = (Animal(value: ["id": 1]), Puppy(value: ["id": 1]))
      try realm.write {
        realm.add(animal)
        realm.add(puppy)
        animal.friend = animal
      }
      let all = realm.objects(Animal.self)
      #expect(all.index(of: animal) == 0 && all.index(of: puppy) == nil && !all.contains(puppy))
      #expect(all.where { $0.friend == animal }.count == 1)
      #expect(all.where { $0.friend == puppy }.isEmpty)
    }
  }

  @Test func rolledBackObjectEqualsNone() throws {
    try withTwoStores { realm, _, _, _ in
      let all = realm.objects(Sample.self)
      var gone: [Sample] = []
      var found: [Results<Sample>] = []
      expectCancelled {
        try realm.write {
          let sample = realm.create(Sample.self, value: ["id": 9])
          sample.parent = sample
          gone = [sample]
          found = [all.where { $0.parent == sample }]
          #expect(found[0].map(\.id) == [9])
          throw Cancelled()
        }
      }
      try realm.write {
        let sample = realm.create(Sample.self, value: ["id": 9])
        sample.parent = sample
      }
      #expect(found[0].isEmpty && all.where { $0.parent == gone[0] }.isEmpty)
      #expect(!all.contains(gone[0]))
    }
  }

  @Test func reopenedStoreIsAnotherStore() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let old = Sample(value: ["id": 1])
    try withExtendedLifetime(try store.open()) { realm in
      try realm.write {
        realm.add(old)
        old.parent = old
      }
    }
    try store.close()
    let again = try store.open().objects(Sample.self)
    #expect(again.where { $0.parent == old }.isEmpty)
    #expect(again.where { $0.parent == again[0] }.map(\.id) == [1])
  }
}

import Foundation
import Observation
import Testing
import Varve

/// Which reads are tracked, and at which granularity.
@Suite struct TrackedReadTests {
  @Test func objectCanBeReleasedAfterTrackedRead() throws {
    try withTrackedRealm { realm, _ in
      let recorder = TrackingRecorder()
      let name = recorder.track { realm.object(ofType: Ewe.self, forPrimaryKey: 1)?.name }
      #expect(name == "Dolly")
      try realm.write { try realm.ewe(1).name = "Molly" }
      #expect(recorder.count == 1)
    }
  }

  @Test func deletionOfObjectNotifies() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let (name, existence) = (TrackingRecorder(), TrackingRecorder())
      _ = name.track({ ewe.name }, { ewe.name })
      let existenceValue = existence.track { ewe.isInvalidated }
      #expect(existenceValue == false)
      try realm.write { ewe.age = 7 }
      #expect((name.count, existence.count) == (0, 0))
      try realm.write { realm.delete(ewe) }
      #expect(name.all == ["Dolly"])
      #expect(existence.count == 1)
      #expect(ewe.isInvalidated)
    }
  }

  @Test func insertionOfLookedUpObjectNotifies() throws {
    try withTrackedRealm { realm, _ in
      let recorder = TrackingRecorder()
      let value = recorder.track { realm.object(ofType: Ewe.self, forPrimaryKey: 2) }
      #expect(value == nil)
      try realm.write { realm.add(Ewe(3)) }
      #expect(recorder.count == 0)
      try realm.write { realm.add(Ewe(2)) }
      #expect(recorder.count == 1)
    }
  }

  @Test func lookUpByStringKeyNotifies() throws {
    try withTrackedRealm { realm, _ in
      let recorder = TrackingRecorder()
      let value = recorder.track { realm.object(ofType: Farm.self, forPrimaryKey: "Hill") }
      #expect(value == nil)
      try realm.write { realm.add(Farm("Dale")) }
      #expect(recorder.count == 0)
      try realm.write { realm.add(Farm("Hill")) }
      #expect(recorder.count == 1)
      let farm = recorder.track { realm.object(ofType: Farm.self, forPrimaryKey: "Hill") }
      try realm.write { farm?.area = 4 }
      #expect(recorder.count == 1)
      try realm.write { if let farm { realm.delete(farm) } }
      #expect(recorder.count == 2)
    }
  }

  /// Few of many objects, and many of few.
  @Test(arguments: [2, 40, 400]) func onlyChangedObjectsNotify(
    count: Int
  ) throws {
    try withTrackedRealm { realm, store in
      try realm.write { for id in 2...500 { realm.add(Ewe(id)) } }
      let recorder = try (0..<400).map { number in
        let (ewe, recorder) = (try realm.ewe(number + 1), TrackingRecorder())
        _ = recorder.track { number % 3 == 0 ? "\(ewe.isInvalidated)" : "\(ewe.age)" }
        return recorder
      }
      let all = TrackingRecorder()
      _ = all.track { realm.objects(Ewe.self).count }
      try realm.write { realm.add(Farm("Hill")) }
      #expect(recorder.allSatisfy { $0.count == 0 } && all.count == 0)
      try realm.write { for id in 1...count { try realm.ewe(id).age += 1 } }
      for (number, recorder) in recorder.enumerated() {
        #expect(recorder.count == (number < count && number % 3 != 0 ? 1 : 0), "\(number)")
      }
      #expect(all.count == 0)
      try realm.write { for id in 1...count { realm.delete(try realm.ewe(id)) } }
      for (number, recorder) in recorder.enumerated() {
        #expect(recorder.count == (number < count ? 1 : 0), "\(number)")
      }
      #expect(all.count == 1)
    }
  }

  @Test func propertiesOfEachKindAreTracked() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let long = String(repeating: "long ", count: 1000)
      let changes: [(read: () -> Void, change: () -> Void)] = [
        ({ _ = ewe.age }, { ewe.age = 9 }),
        ({ _ = ewe.weight }, { ewe.weight = 4.5 }),
        ({ _ = ewe.name }, { ewe.name = long }),
        ({ _ = ewe.name }, { ewe.name = long + "er" }),
        ({ _ = ewe.mother }, { ewe.mother = realm.create(Ewe.self, value: ["id": 5]) }),
        ({ _ = ewe.mother }, { ewe.mother = nil }),
        ({ _ = ewe.description }, { ewe.age = 10 }),
      ]
      for (number, (read, change)) in changes.enumerated() {
        let recorder = TrackingRecorder()
        recorder.track { read() }
        try realm.write { change() }
        #expect(recorder.count == 1, "\(number)")
      }
    }
  }

  @Test func listIsTrackedAsWhole() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      try realm.write { ewe.marks.append(objectsIn: [1, 2, 3]) }
      let reads: [() -> Void] = [
        { _ = ewe.marks.count }, { _ = ewe.marks[1] }, { _ = ewe.marks.first },
        { for mark in ewe.marks { _ = mark } }, { _ = ewe.marks.index(of: 2) },
        { _ = ewe.marks.sum() }, { _ = ewe.marks.map { $0 } },
      ]
      for (number, read) in reads.enumerated() {
        let recorder = TrackingRecorder()
        recorder.track { read() }
        try realm.write { ewe.age += 1 }
        #expect(recorder.count == 0, "\(number)")
        try realm.write { ewe.marks.append(number) }
        #expect(recorder.count == 1, "\(number)")
      }
    }
  }

  @Test func listIsTrackedSeparatelyFromItsObjects() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      try realm.write { ewe.lambs.append(objectsIn: [Ewe(2), Ewe(3)]) }
      let (list, contents) = (TrackingRecorder(), TrackingRecorder())
      let listValue = list.track { ewe.lambs.count }
      #expect(listValue == 2)
      let contentsValue = contents.track { ewe.lambs.map(\.age) }
      #expect(contentsValue == [0, 0])
      try realm.write { ewe.lambs[1].age = 1 }
      #expect((list.count, contents.count) == (0, 1))
      try realm.write { realm.delete(ewe.lambs[0]) }
      #expect(list.count == 1)
    }
  }

  @Test func mapIsTrackedAsWhole() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      try realm.write { ewe.notes["a"] = "1" }
      let reads: [() -> Void] = [
        { _ = ewe.notes.count }, { _ = ewe.notes["a"] }, { _ = ewe.notes["absent"] },
        { _ = ewe.notes.keys }, { for note in ewe.notes { _ = note } },
      ]
      for (number, read) in reads.enumerated() {
        let recorder = TrackingRecorder()
        recorder.track { read() }
        try realm.write { ewe.age += 1 }
        #expect(recorder.count == 0, "\(number)")
        try realm.write { ewe.notes["\(number)"] = "new" }
        #expect(recorder.count == 1, "\(number)")
      }
    }
  }

  @Test func resultsAreTrackedByTheirObjects() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let old = realm.objects(Ewe.self).where { $0.age >= 3 }
      let reads: [() -> Void] = [
        { _ = old.count }, { _ = old.isEmpty }, { _ = old.first }, { _ = old.last }, { _ = old[0] },
        { for ewe in old { _ = ewe } }, { _ = old.index(of: ewe) },
        { _ = old.sorted(by: \.name).count },
      ]
      for (number, read) in reads.enumerated() {
        let recorder = TrackingRecorder()
        recorder.track { read() }
        try realm.write {
          ewe.name = "\(number)"
          realm.add(Ewe(100 + number))
        }
        #expect(recorder.count == (number == reads.count - 1 ? 1 : 0), "\(number)")
        let another = TrackingRecorder()
        another.track { read() }
        try realm.write { realm.add(Ewe(200 + number, age: 5)) }
        #expect(another.count == 1, "\(number)")
      }
    }
  }

  @Test func wholeClassIsTrackedByMembership() throws {
    try withTrackedRealm { realm, _ in
      let all = realm.objects(Ewe.self)
      let reads: [() -> Void] = [
        { _ = all.count }, { _ = all.first }, { _ = all.last }, { for ewe in all { _ = ewe } },
        { _ = realm.objects(Ewe.self)[0] },
      ]
      for (number, read) in reads.enumerated() {
        let recorder = TrackingRecorder()
        recorder.track { read() }
        try realm.write { try realm.ewe(1).name = "\(number)" }
        #expect(recorder.count == 0, "\(number)")
        try realm.write { realm.add(Ewe(100 + number)) }
        #expect(recorder.count == 1, "\(number)")
      }
    }
  }

  @Test func resultsOfAListAndLinkingObjectsAreTracked() throws {
    try withTrackedRealm { realm, _ in
      let (mother, lamb) = (try realm.ewe(1), Ewe(2, age: 1))
      try realm.write { mother.lambs.append(lamb) }
      let (young, parents) = (TrackingRecorder(), TrackingRecorder())
      let youngValue = young.track { mother.lambs.where { $0.age < 2 }.count }
      #expect(youngValue == 1)
      let parentsValue = parents.track { lamb.parents.count }
      #expect(parentsValue == 1)
      try realm.write { mother.age += 1 }
      #expect((young.count, parents.count) == (0, 0))
      try realm.write { lamb.age = 2 }
      #expect((young.count, parents.count) == (1, 0))
      let newYoungValue = young.track { mother.lambs.where { $0.age < 2 }.count }
      #expect(newYoungValue == 0)
      try realm.write { mother.lambs.append(objectsIn: [lamb, Ewe(3)]) }
      #expect((young.count, parents.count) == (2, 1))
    }
  }

  @Test func aggregatesTrackTheirProperty() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      try realm.write { ewe.lambs.append(Ewe(2, age: 1)) }
      let (all, listed) = (TrackingRecorder(), TrackingRecorder())
      let allValue = all.track { realm.objects(Ewe.self).sum(of: \.age) }
      #expect(allValue == 4)
      let listedValue = listed.track { ewe.lambs.max(of: \.age) }
      #expect(listedValue == 1)
      try realm.write { ewe.lambs[0].name = "Polly" }
      #expect((all.count, listed.count) == (0, 0))
      try realm.write { ewe.lambs[0].age = 2 }
      #expect((all.count, listed.count) == (1, 1))
    }
  }

  @Test func frozenAndUnmanagedObjectsDoNotNotify() throws {
    try withTrackedRealm { realm, _ in
      let frozen = try realm.ewe(1).freeze()
      let unmanaged = Ewe(2)
      let recorder = TrackingRecorder()
      _ = recorder.track { (frozen.name, frozen.lambs.count, unmanaged.name) }
      unmanaged.name = "Polly"
      try realm.write {
        try realm.ewe(1).name = "Molly"
        realm.add(unmanaged)
      }
      try realm.write { unmanaged.name = "Lolly" }
      #expect(recorder.count == 0)
    }
  }

  @Test func readsInsideAWriteAreNotTracked() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      try realm.write {
        _ = recorder.track { (ewe.name, ewe.marks.count, realm.objects(Ewe.self).count) }
        ewe.name = "Molly"
      }
      #expect(recorder.count == 0)
    }
  }

  @Test func otherObservablesInScopeAreTracked() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let counter = Counter()
      let recorder = TrackingRecorder()
      _ = recorder.track { counter.value + ewe.age }
      counter.value = 1
      #expect(recorder.count == 1)
      // The scope has ended, for the realm as well.
      try realm.write { ewe.age += 1 }
      #expect(recorder.count == 1)
    }
  }

  @Test func modelsAndCollectionsAreObservable() {
    func isObservable(_ value: some Observable) -> Bool { true }
    #expect(isObservable(Ewe()) && isObservable(List<Int>()) && isObservable(Map<String, Int>()))
    #expect(isObservable(LinkingObjects<Ewe>()))
  }

  @Test func inheritedPropertiesAreTracked() throws {
    try withTrackedRealm { realm, _ in
      let ram = Ram(value: ["name": "Rambo"])
      try realm.write { realm.add(ram) }
      let (inherited, own) = (TrackingRecorder(), TrackingRecorder())
      _ = inherited.track { ram.name }
      _ = own.track { ram.horns }
      try realm.write { ram.horns = 2 }
      #expect((inherited.count, own.count) == (0, 1))
      try realm.write { ram.name = "Rimbaud" }
      #expect((inherited.count, own.count) == (1, 1))
    }
  }

  @Observable final class Counter {
    var value = 0
  }
}

@Model class Bovid: Object {
  @Persisted var name = ""
}

@Model final class Ram: Bovid {
  @Persisted var horns = 0
}

import Testing
import Varve
import VarveCore

/// `cancelWrite()` inside the closure of a write.
@Suite struct CancelledWriteTests {
  @Test func cancelWriteRollsBackAndReturnsResult() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1, numbers: [1])
      try realm.write { realm.add(crate) }
      let version = realm.version
      let early = Crate(2, numbers: [2])
      let late = Crate(3)
      let stamp = Stamp(4)
      let result = try realm.write { () -> Int in
        realm.add(early)
        realm.add(stamp)
        crate.label = "lost"
        crate.numbers.append(2)
        realm.cancelWrite()
        #expect(realm.isInWriteTransaction)
        // Later changes are rolled back too.
        crate.weight = 7
        crate.notes["lost"] = "lost"
        while !crate.numbers.isEmpty { crate.numbers.removeLast() }
        realm.add(late)
        #expect(late.realm == nil)
        realm.deleteAll()
        realm.cancelWrite()
        return 17
      }
      #expect(result == 17)
      #expect(realm.isInWriteTransaction == false && realm.version == version)
      #expect(crate.label == "" && crate.weight == 0 && crate.notes.isEmpty)
      #expect(Array(crate.numbers) == [1])
      #expect(early.isInvalidated && early.numbers.isEmpty && stamp.isInvalidated)
      try realm.write {
        crate.label = "kept"
        realm.add(Crate(2))
        realm.add(late)
      }
      #expect(realm.objects(Crate.self).map(\.id) == [1, 2, 3] && crate.label == "kept")
      #expect(early.isInvalidated && late.isInvalidated == false)
      try store.check()
    }
  }

  @Test func cancelWriteDiscardsNewClass() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Crate(1)) }
      let classes = try store.report().classCount
      try realm.write {
        realm.create(FreshA.self, value: ["number": 1])
        realm.cancelWrite()
      }
      #expect(realm.objects(FreshA.self).isEmpty)
      #expect(try store.report().classCount == classes)
      try realm.write { realm.create(FreshA.self, value: ["number": 2]) }
      #expect(realm.objects(FreshA.self).map(\.number) == [2])
    }
  }

  @Test func cancelWriteDiscardsEarlierError() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      try realm.write {
        crate.label = "lost"
        crate.numbers.remove(at: 7)
        realm.cancelWrite()
        crate.numbers.remove(at: 8)
        expectError(.cancelled) { try realm.checkWrite() }
      }
      #expect(crate.label == "")
      try realm.write { try realm.checkWrite() }
    }
  }

  @Test func closureErrorIsThrownAfterCancelWrite() throws {
    try withTemporaryRealm { realm, _ in
      expectCancelled {
        try realm.write {
          realm.add(Crate(1))
          realm.cancelWrite()
          throw Cancelled()
        }
      }
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func anyLiveRealmOfStoreCancels() throws {
    try withTemporaryRealm { realm, store in
      let other = try store.open()
      try realm.write {
        realm.add(Crate(1))
        try store.open().cancelWrite()
      }
      try realm.write {
        realm.add(Crate(1))
        other.cancelWrite()
      }
      #expect(realm.objects(Crate.self).isEmpty)
      try realm.write {
        realm.add(Crate(1))
        realm.freeze().cancelWrite()
        onAnotherThread { realm.cancelWrite() }
      }
      #expect(realm.objects(Crate.self).count == 1)
      realm.cancelWrite()
    }
  }

  @Test func writeOfAnotherThreadContinues() throws {
    try withTemporaryRealm { realm, store in
      try realm.beginWrite()
      realm.add(Crate(1))
      onAnotherThread { try store.open().cancelWrite() }
      try realm.commitWrite()
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func cancelledAsyncWriteReturnsResult() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    for grouping in [true, false] {
      let result = try await realm.asyncWrite(grouping: grouping) {
        realm.add(Crate(1))
        realm.cancelWrite()
        return 17
      }
      #expect(result == 17)
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func cancelledGroupMemberIsRolledBackAlone() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let before = realm.version.number
      let lost = Crate(2)
      let cancelling: @Sendable (Crate) -> Void = { crate in
        realm.add(crate)
        realm.object(ofType: Crate.self, forPrimaryKey: 0)?.numbers.append(crate.id)
        realm.cancelWrite()
        realm.deleteAll()
      }
      let results = try await grouped(
        realm, store,
        [
          { cancelling(Crate(9)) },
          { realm.add(Crate(1)) },
          { cancelling(lost) },
          {
            #expect(lost.isInvalidated)
            realm.add(Crate(3))
          },
        ])
      for result in results { try result.get() }
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 3])
      #expect(realm.object(ofType: Crate.self, forPrimaryKey: 0)?.numbers.isEmpty == true)
      #expect(lost.isInvalidated)
      // The first write had a transaction of its own.
      #expect(realm.version.number == before + 1)
    }
  }
}

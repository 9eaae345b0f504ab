import Foundation
import Testing
import Varve

@Suite struct SyncWriteTests {
  @Test func writeReturnsClosureResult() throws {
    try withTemporaryRealm { realm, _ in
      let crate = try realm.write { realm.create(Crate.self, value: ["id": 1]) }
      #expect(crate.id == 1)
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func throwingClosureRollsBack() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2, 3])
      try realm.write { realm.add(crate) }
      let version = realm.version
      expectCancelled {
        try realm.write {
          crate.label = "changed"
          crate.numbers.removeAll()
          crate.notes["a"] = "b"
          realm.add(Crate(2))
          throw Cancelled()
        }
      }
      #expect(crate.label == "")
      #expect(Array(crate.numbers) == [1, 2, 3])
      #expect(crate.notes.isEmpty)
      #expect(realm.objects(Crate.self).count == 1)
      #expect(realm.version == version)
      #expect(realm.isInWriteTransaction == false)
    }
  }

  @Test func nestedWriteThrowsAndOuterWriteContinues() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.add(Crate(1))
        expectError(.alreadyInWriteTransaction) { try realm.write {} }
        expectError(.alreadyInWriteTransaction) { try store.open().write {} }
        expectError(.alreadyInWriteTransaction) { try realm.beginWrite() }
        expectError(.notInWriteTransaction) { try realm.commitWrite() }
        realm.add(Crate(2))
      }
      #expect(realm.objects(Crate.self).count == 2)
    }
  }

  @Test func everyLiveHandleOfStoreTakesPart() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1, numbers: [5])
      try realm.write { realm.add(crate) }
      let other = try store.open()
      let seen = try #require(other.object(ofType: Crate.self, forPrimaryKey: 1))
      let third = try store.open()
      #expect(realm == other)
      try onlyWrite(third) {
        seen.label = "by another view"
        seen.numbers.append(6)
        #expect(crate.label == "by another view")
        #expect(Array(crate.numbers) == [5, 6])
        other.add(Crate(2))
        #expect(realm.objects(Crate.self).count == 2)
      }
      #expect(crate.label == "by another view")
    }
  }

  private func onlyWrite(_ realm: Realm, _ body: () throws -> Void) throws { try realm.write(body) }

  @Test func realmOpenedInsideWriteJoinsIt() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let inner = try store.open()
        #expect(inner.isInWriteTransaction)
        inner.add(Crate(1))
        #expect(realm.objects(Crate.self).count == 1)
      }
      #expect(try store.open().objects(Crate.self).count == 1)
    }
  }

  @Test func otherThreadsSeeCommittedVersion() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1, numbers: [1])
      try realm.write { realm.add(crate) }
      try realm.write {
        crate.label = "new"
        crate.numbers.append(2)
        realm.add(Crate(2))
        onAnotherThread {
          #expect(crate.label == "")
          #expect(Array(crate.numbers) == [1])
          #expect(realm.isInWriteTransaction == false)
          #expect(realm.objects(Crate.self).count == 1)
          let fresh = try store.open()
          #expect(fresh.object(ofType: Crate.self, forPrimaryKey: 2) == nil)
        }
      }
      onAnotherThread { #expect(crate.label == "new") }
    }
  }

  @Test func commitMovesOnlyParticipatingRealms() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Crate(1)) }
      let partner = try store.open()
      let bystander = try store.open()
      let crate = try #require(partner.object(ofType: Crate.self, forPrimaryKey: 1))
      let before = bystander.version
      try realm.write { crate.label = "x" }
      #expect(realm.version.number == before.number + 1)
      #expect(partner.version == realm.version)
      #expect(bystander.version == before)
      try bystander.refresh()
      #expect(bystander.version == realm.version)
    }
  }

  @Test func writeMovesRealmToNewestVersionFirst() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      let other = try store.open()
      let seen = try #require(other.object(ofType: Crate.self, forPrimaryKey: 1))
      try realm.write { crate.weight = 1 }
      #expect(seen.weight == 0)
      // No update is lost, although the other realm was behind.
      try other.write { seen.weight += 1 }
      #expect(seen.weight == 2)
    }
  }

  @Test func writeWithoutChangeCreatesNoVersion() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Crate(1)) }
      let version = realm.version
      try realm.write {}
      #expect(realm.version == version)
    }
  }

  @Test func freezingInsideWriteReturnsPreviousVersion() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1])
      try realm.write { realm.add(crate) }
      try realm.write {
        crate.label = "new"
        crate.numbers.append(2)
        let frozen = realm.freeze()
        #expect(frozen.object(ofType: Crate.self, forPrimaryKey: 1)?.label == "")
        #expect(Array(crate.numbers.freeze()) == [1])
        #expect(frozen.isInWriteTransaction == false)
      }
    }
  }

  @Test func frozenRealmCannotWrite() async throws {
    try await withTemporaryRealm { realm, _ in
      let frozen = realm.freeze()
      expectError(.frozen) { try frozen.write {} }
      do {
        try await frozen.asyncWrite {}
        Issue.record("The realm is frozen.")
      } catch let error as Realm.Error {
        #expect(error.code == .frozen)
      }
      try await realm.write {
        let code = errorCode { try frozen.write {} }
        #expect(code == .frozen)
      }
    }
  }

  @Test func readOnlyStoreCannotWrite() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try await store.open().write { try store.open().add(Crate(1)) }
    try store.close()
    var configuration = store.configuration
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    expectError(.readOnly) { try realm.write {} }
    do {
      try await realm.asyncWrite {}
      Issue.record("The store is read-only.")
    } catch let error as Realm.Error {
      #expect(error.code == .readOnly)
      #expect(error.path == store.path)
    }
    #expect(realm.objects(Crate.self).count == 1)
    #expect(realm.freeze().objects(Crate.self).count == 1)
    try Realm.close(configuration)
  }

  @Test func closingInsideWriteThrows() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.add(Crate(1))
        expectError(.busy) { try Realm.close(store.configuration) }
        realm.add(Crate(2))
      }
      #expect(realm.objects(Crate.self).count == 2)
    }
  }

  @Test func writeAfterCloseThrows() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try store.close()
    expectError(.closed) { try realm.write {} }
    do {
      try await realm.asyncWrite {}
      Issue.record("The store is closed.")
    } catch let error as Realm.Error {
      #expect(error.code == .closed)
    }
  }
}

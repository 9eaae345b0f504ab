import Foundation
import Testing
import Varve
import VarveCore

@Suite struct AsyncWriteGroupTests {
  private func code(_ result: Result<Void, any Error>) -> Realm.Error.Code? {
    errorCode { try result.get() }
  }

  @Test func waitingWritesShareOneVersion() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let before = realm.version.number
      let results = try await grouped(
        realm, store, (1...10).map { id in { realm.add(Crate(id)) } })
      for result in results { try result.get() }
      #expect(realm.version.number == before + 1)
      #expect(realm.objects(Crate.self).count == 11)
    }
  }

  @Test func groupHasAtMostThirtyTwoMembers() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let before = realm.version.number
      _ = try await grouped(realm, store, (1...70).map { id in { realm.add(Crate(id)) } })
      #expect(realm.version.number == before + 3)
      #expect(realm.objects(Crate.self).count == 71)
    }
  }

  @Test func throwingMemberIsRolledBackAlone() async throws {
    try await withPatientStore { realm, store in
      let crate = Crate(0, numbers: [7])
      try await realm.write { realm.add(crate) }
      let before = realm.version.number
      let results = try await grouped(
        realm, store,
        [
          {
            realm.add(Crate(1)); crate.numbers.append(1)
          },
          {
            realm.add(Crate(2))
            crate.numbers.append(2)
            crate.label = "lost"
            crate.notes["lost"] = "lost"
            throw Cancelled()
          },
          {
            realm.add(Crate(3)); crate.numbers.append(3)
          },
          {
            crate.numbers.remove(at: 99); realm.add(Crate(4))
          },
          { realm.add(Crate(5)) },
        ])
      try results[0].get()
      expectCancelled { try results[1].get() }
      try results[2].get()
      #expect(code(results[3]) == .indexOutOfBounds)
      try results[4].get()
      #expect(realm.version.number == before + 1)
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 3, 5])
      #expect(Array(crate.numbers) == [7, 1, 3])
      #expect(crate.label == "")
      #expect(crate.notes.isEmpty)
    }
  }

  @Test func fullyRolledBackGroupCreatesNoVersion() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Stamp(1)) }
      // The first group creates tables for the classes of the process.
      for result in try await grouped(realm, store, [{}, {}]) { try result.get() }
      let before = realm.version
      let results = try await grouped(
        realm, store,
        [
          {},
          {
            realm.add(Stamp(2)); throw Cancelled()
          },
          {},
        ])
      expectCancelled { try results[1].get() }
      #expect(realm.version == before)
    }
  }

  @Test func firstMemberIsRolledBackAlone() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let results = try await grouped(
        realm, store,
        [
          {
            realm.add(Crate(1)); throw Cancelled()
          },
          { realm.add(Crate(2)) },
          { realm.add(Crate(3)) },
        ])
      expectCancelled { try results[0].get() }
      try results[1].get()
      try results[2].get()
      #expect(realm.objects(Crate.self).map(\.id) == [0, 2, 3])
    }
  }

  @Test func memberReadsChangesOfEarlierMembers() async throws {
    try await withPatientStore { realm, store in
      let crate = Crate(0)
      try await realm.write { realm.add(crate) }
      let results = try await grouped(
        realm, store,
        (0..<20).map { number in
          {
            #expect(Array(crate.numbers) == Array(0..<number))
            #expect(crate.weight == Double(number))
            crate.numbers.append(number)
            crate.weight += 1
          }
        })
      for result in results { try result.get() }
      #expect(Array(crate.numbers) == Array(0..<20))
    }
  }

  @Test func ungroupedWriteHasItsOwnVersion() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let before = realm.version.number
      let results = try await grouped(
        realm, store, grouping: [true, true, false, true, true, false],
        (1...6).map { id in { realm.add(Crate(id)) } })
      for result in results { try result.get() }
      // 1 and 2; 3; 4 and 5; 6.
      #expect(realm.version.number == before + 4)
    }
  }

  @Test func handlesOfRolledBackMemberStayInvalid() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let lost = Crate(1, numbers: [1])
      let lostStamp = Stamp(1)
      let kept = Crate(1, numbers: [2])
      let keptStamp = Stamp(2)
      let results = try await grouped(
        realm, store,
        [
          {},
          {
            realm.add(lost)
            realm.add(lostStamp)
            throw Cancelled()
          },
          {
            realm.add(kept)
            realm.add(keptStamp)
            #expect(lost.isInvalidated)
            #expect(lostStamp.isInvalidated)
            #expect(Array(kept.numbers) == [2])
          },
        ])
      try results[2].get()
      #expect(lost.isInvalidated)
      #expect(lost.numbers.isEmpty)
      #expect(lostStamp.isInvalidated)
      #expect(lostStamp.number == 0)
      #expect(kept.isInvalidated == false)
      #expect(keptStamp.number == 2)
      // The rollback did not decrease the ids.
      #expect(keptStamp.handle.id > lostStamp.handle.id)
    }
  }

  @Test func classOfRolledBackMemberDoesNotAffectLaterMembers() async throws {
    try await withPatientStore { realm, store in
      let results = try await grouped(
        realm, store,
        [
          { realm.add(Crate(0)) },
          {
            for number in 0..<10 { realm.create(FreshA.self, value: ["number": number]) }
            throw Cancelled()
          },
          { for name in ["x", "y"] { realm.create(FreshB.self, value: ["name": name]) } },
          { realm.create(FreshA.self, value: ["number": 100]) },
        ])
      expectCancelled { try results[1].get() }
      try results[2].get()
      try results[3].get()
      #expect(realm.objects(FreshA.self).map(\.number) == [100])
      #expect(realm.objects(FreshB.self).map(\.name) == ["x", "y"])
      try store.close()
      let again = try store.open()
      #expect(again.objects(FreshA.self).map(\.number) == [100])
      #expect(again.objects(FreshB.self).map(\.name) == ["x", "y"])
      #expect(again.objects(Crate.self).count == 1)
    }
  }

  @Test func propertyOfRolledBackMemberIsAddedByNextMember() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.create(GadgetOne.Gadget.self, value: ["name": "a"]) }
      let results = try await grouped(
        realm, store,
        [
          {},
          {
            realm.create(GadgetTwo.Gadget.self, value: ["name": "b", "size": 1])
            throw Cancelled()
          },
          { realm.create(GadgetOne.Gadget.self, value: ["name": "c"]) },
        ])
      try results[2].get()
      try await realm.write {
        realm.create(GadgetTwo.Gadget.self, value: ["name": "d", "size": 4])
      }
      #expect(realm.objects(GadgetTwo.Gadget.self).map(\.size) == [0, 0, 4])
      #expect(realm.objects(GadgetOne.Gadget.self).map(\.name) == ["a", "c", "d"])
    }
  }

  @Test func membersMayRegisterManyClasses() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let results = try await grouped(
        realm, store,
        [
          {},
          {
            realm.create(Fresh1.self)
            realm.create(Fresh2.self)
            realm.create(Fresh3.self)
            realm.create(Fresh4.self)
            realm.create(Fresh5.self)
          },
          {
            realm.create(Fresh6.self)
            realm.create(Fresh7.self)
            realm.create(Fresh8.self)
            realm.create(Fresh9.self)
            realm.create(Fresh10.self)
          },
        ])
      for result in results { try result.get() }
      #expect(realm.objects(Fresh5.self).count == 1)
      #expect(realm.objects(Fresh10.self).count == 1)
    }
  }

  @Test func endedWriteIsNotRetainedByWaitingWrites() async throws {
    try await withPatientStore { realm, store in
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      let isReleased = Flag()
      let first = Self.writing(Payload(isReleased), in: realm)
      while core.waitingWriteCount < 1 { await Task.yield() }
      let semaphore = DispatchSemaphore(value: 0)
      let second = Task { try await realm.asyncWrite(grouping: false) { semaphore.wait() } }
      while core.waitingWriteCount < 2 { await Task.yield() }
      let third = Task { try await realm.asyncWrite {} }
      while core.waitingWriteCount < 3 { await Task.yield() }
      held.end()
      try await first.value
      // The second write runs, the third waits.
      let deadline = ContinuousClock.now + .seconds(10)
      while !isReleased.isSet || core.waitingWriteCount > 1, ContinuousClock.now < deadline {
        await Task.yield()
      }
      #expect(isReleased.isSet)
      #expect(core.waitingWriteCount == 1)
      semaphore.signal()
      try await second.value
      try await third.value
    }
  }

  private static func writing(_ payload: Payload, in realm: Realm) -> Task<Void, any Error> {
    Task { try await realm.asyncWrite(grouping: false) { withExtendedLifetime(payload) {} } }
  }

  @Test func fullyCancelledGroupDoesNotBeginTransaction() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      let tasks = (0..<3).map { _ in Task { try await realm.asyncWrite { realm.add(Crate(1)) } } }
      while core.waitingWriteCount < 3 { await Task.yield() }
      for task in tasks { task.cancel() }
      for task in tasks {
        await expectCancellation(of: task)
      }
      held.end()
      try await realm.asyncWrite { realm.add(Crate(2)) }
      #expect(realm.objects(Crate.self).map(\.id) == [0, 2])
    }
  }
}

/// Captured by a closure; sets a flag when released.
private final class Payload: Sendable {
  private let isReleased: Flag
  init(_ isReleased: Flag) { self.isReleased = isReleased }
  deinit { isReleased.set() }
}

@Model final class FreshA: Object { @Persisted var number: Int }
@Model final class FreshB: Object { @Persisted var name: String }
@Model final class Fresh1: Object { @Persisted var number: Int }
@Model final class Fresh2: Object { @Persisted var number: Int }
@Model final class Fresh3: Object { @Persisted var number: Int }
@Model final class Fresh4: Object { @Persisted var number: Int }
@Model final class Fresh5: Object { @Persisted var number: Int }
@Model final class Fresh6: Object { @Persisted var number: Int }
@Model final class Fresh7: Object { @Persisted var number: Int }
@Model final class Fresh8: Object { @Persisted var number: Int }
@Model final class Fresh9: Object { @Persisted var number: Int }
@Model final class Fresh10: Object { @Persisted var number: Int }

// Two releases of one class.
enum GadgetOne {
  @Model final class Gadget: Object { @Persisted var name: String }
}
enum GadgetTwo {
  @Model final class Gadget: Object {
    @Persisted var name: String
    @Persisted var size: Int
  }
}

import Testing
import Varve
import VarveLocks

/// Keys generated in asynchronous writes that share transactions.
@Suite struct GeneratedKeyGroupTests {
  @Test func groupAssignsEachKeyOnce() async throws {
    try await withPatientStore { realm, store in
      try await realm.register(Ticket.self)
      let before = realm.version.number
      let results = try await grouped(
        realm, store,
        (0..<20).map { number in
          {
            realm.add(Ticket("\(number)"))
            realm.add(Ticket("\(number)"))
          }
        })
      for result in results { try result.get() }
      #expect(realm.version.number == before + 1)
      #expect(realm.objects(Ticket.self).map(\.id) == Array(1...40))
      let titles = (0..<40).map { "\($0 / 2)" }
      #expect(realm.objects(Ticket.self).map(\.title) == titles)
    }
  }

  /// The second and the last closure are rolled back individually; the following closures get their
  /// keys.
  @Test func failedClosureReturnsItsKeys() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add([Ticket("0"), Ticket("0")]) }
      let seen = Lock<[[Int]]>([])
      func closure(_ title: String, fails: Bool = false) -> @Sendable () throws -> Void {
        {
          let tickets = [Ticket(title), Ticket(title)]
          realm.add(tickets)
          seen.withLock { $0.append(tickets.map(\.id)) }
          guard fails else { return }
          realm.delete(realm.objects(Ticket.self))
          realm.add(Ticket(value: ["id": 1000]))
          throw Cancelled()
        }
      }
      let results = try await grouped(
        realm, store,
        [
          closure("a"), closure("b", fails: true), closure("c"), closure("d"),
          closure("e", fails: true),
        ])
      #expect(results.map { (try? $0.get()) != nil } == [true, false, true, true, false])
      #expect(seen.withLock { $0 } == [[3, 4], [5, 6], [5, 6], [7, 8], [9, 10]])
      #expect(realm.objects(Ticket.self).map(\.title) == ["0", "0", "a", "a", "c", "c", "d", "d"])
      #expect(realm.objects(Ticket.self).map(\.id) == Array(1...8))
      try await realm.write { #expect(realm.create(Ticket.self).id == 9) }
    }
  }

  @Test func deletingGreatestKeyConsumesIt() async throws {
    try await withPatientStore { realm, store in
      let results = try await grouped(
        realm, store,
        [
          { realm.add([Ticket("a"), Ticket("b")]) },
          { realm.delete(realm.objects(Ticket.self).where { $0.title == "b" }) },
          { realm.add(Ticket("c")) },
          {
            realm.cancelWrite(); realm.add(Ticket("d"))
          },
          { realm.delete(realm.objects(Ticket.self)) },
          { realm.add(Ticket("e")) },
        ])
      for result in results { try result.get() }
      #expect(realm.objects(Ticket.self).map(\.title) == ["e"])
      #expect(realm.objects(Ticket.self).map(\.id) == [4])
    }
  }

  @Test func tasksGetDifferentKeys() async throws {
    try await withTemporaryRealm { realm, _ in
      let ids = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<200 {
          group.addTask {
            try await realm.asyncWrite {
              realm.create(Ticket.self, value: ["title": "\(number)"]).id
            }
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(ids.sorted() == Array(1...200))
    }
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct SectionObservingTests {
  private let guests: [(String, Int?)] = [("Bo", 2), ("Ann", 1), ("Abe", 2), ("Bea", 1)]

  private func text<C>(_ change: SectionedResultsChange<C>) -> String {
    func text(_ paths: [IndexPath]) -> String {
      paths.map { "\($0.section).\($0.item)" }.joined(separator: " ")
    }
    switch change {
    case .initial: return "initial"
    case .update(_, let deletions, let insertions, let modifications, let added, let removed):
      return "-[\(text(deletions))] +[\(text(insertions))] ~[\(text(modifications))] "
        + "+\(Array(added)) -\(Array(removed))"
    }
  }

  @Test func changesAreReportedBySectionAndItem() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let events = EventRecorder<String>()
      let byTable = realm.objects(Guest.self).sectioned(by: \.table)
      let token = try byTable.observe { change in
        events.note(text(change))
        guard case .update(let sections, _, _, _, _, _) = change else { return }
        events.note("\(sections.isFrozen) \(sections.names)")
      }
      #expect(events.wait(for: 1) == ["initial"])
      try realm.write { try realm.guest(2).name = "Abby" }
      #expect(
        events.wait(for: 3).suffix(2)
          == ["-[] +[] ~[1.1] +[] -[]", #"true ["Optional(1): Ann Bea", "Optional(2): Bo Abby"]"#])
      try realm.write { try realm.guest(0).table = 1 }
      #expect(events.wait(for: 5)[3] == "-[1.0] +[0.0] ~[] +[] -[]")
      try realm.write { try realm.guest(2).table = 0 }
      #expect(events.wait(for: 7)[5] == "-[] +[0.0] ~[] +[0] -[1]")
      try realm.write { realm.delete(try realm.guest(1)) }
      #expect(events.wait(for: 9)[7] == "-[1.1] +[] ~[] +[] -[]")
      token.invalidate()
    }
  }

  @Test func sectionReportsOnlyItsOwnChanges() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let events = EventRecorder<String>()
      let two = realm.objects(Guest.self).sectioned(by: \.table)[1]
      let token = try two.observe { change in events.note(text(change)) }
      #expect(events.wait(for: 1) == ["initial"])
      try realm.write { try realm.guest(1).name = "Anna" }
      try realm.write { try realm.guest(2).name = "Abby" }
      #expect(events.wait(for: 2).last == "-[] +[] ~[1.1] +[] -[]")
      try realm.write { try realm.guest(1).table = 2 }
      #expect(events.wait(for: 3).last == "-[] +[1.1] ~[] +[] -[]")
      try realm.write { realm.delete(two) }
      #expect(events.wait(for: 4).last == "-[] +[] ~[] +[] -[1]")
      try realm.write { realm.create(Guest.self, value: ["id": 9, "table": 2]) }
      #expect(events.wait(for: 5).last == "-[] +[1.0] ~[] +[1] -[]")
      token.invalidate()
    }
  }

  @Test func keyChangesAreReportedWithoutKeyPath() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let events = EventRecorder<String>()
      let byTable = realm.objects(Guest.self).sectioned(by: \.table)
      let token = try byTable.observe(keyPaths: ["points"]) { events.note(text($0)) }
      #expect(events.wait(for: 1) == ["initial"])
      try realm.write { try realm.guest(0).name = "Bob" }
      try realm.write { try realm.guest(0).points = 1 }
      #expect(events.wait(for: 2).last == "-[] +[] ~[1.0] +[] -[]")
      try realm.write { try realm.guest(0).table = 1 }
      #expect(events.wait(for: 3).last == "-[1.0] +[0.0] ~[] +[] -[]")
      token.invalidate()
      expectError(.unknownProperty) { try byTable.observe(keyPaths: ["nothing"]) { _ in } }
      expectError(.frozen) { try byTable.freeze().observe { _ in } }
    }
  }

  /// The index paths reported after a skipped write refer to its result.
  @Test func skippedWriteIsReflectedInLaterChanges() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let events = EventRecorder<String>()
      let token = try realm.objects(Guest.self).sectioned(by: \.table).observe {
        events.note(text($0))
      }
      #expect(events.wait(for: 1) == ["initial"])
      try realm.write(withoutNotifying: [token]) {
        try realm.guest(0).table = 1
        try realm.guest(2).table = 0
      }
      try realm.write { try realm.guest(3).points = 1 }
      #expect(events.wait(for: 2).last == "-[] +[] ~[1.2] +[] -[]")
      token.invalidate()
    }
  }

  @Test func deletedListEndsItsSections() async throws {
    try await withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      try await realm.write {
        realm.create(Party.self, value: ["id": 1]).guests.append(
          objectsIn: realm.objects(Guest.self))
      }
      let party = try #require(realm.objects(Party.self).first)
      var changes = party.guests.sectioned(by: \.table).changes.makeAsyncIterator()
      _ = await changes.next()
      try await realm.write { realm.delete(party) }
      guard case .update(let sections, let change) = await changes.next() else {
        Issue.record("There is no last change.")
        return
      }
      #expect(sections.isEmpty && Array(change.sectionsToDelete) == [0, 1])
      #expect(await changes.next() == nil)
    }
  }

  private actor ObserverActor { var calls = 0 }

  @Test func actorObserversRunOnTheirActor() async throws {
    try await withTemporaryRealm { realm, _ in
      try realm.addGuests(guests)
      let (actor, events) = (ObserverActor(), EventRecorder<String>())
      let sections = realm.objects(Guest.self).sectioned(by: \.table)
      let tokens = [
        try await sections.observe(on: actor) { actor, change in
          actor.calls += 1
          events.note(text(change))
        },
        try await sections[0].observe(on: actor) { actor, change in
          actor.calls += 1
          events.note(text(change))
        },
      ]
      #expect(events.wait(for: 2) == ["initial", "initial"])
      #expect(await actor.calls == 2)
      for token in tokens { token.invalidate() }
    }
  }

  // MARK: Random writes

  private static func row(_ guest: Guest) -> String {
    "\(guest.id) \(guest.name) \(guest.table ?? -1) \(guest.points)"
  }

  private func step(_ realm: Realm, _ party: Party, _ random: inout SeededRandom) {
    let guest = random.element(realm.objects(Guest.self))
    switch random.below(8) {
    case 0, 1:
      realm.create(
        Guest.self,
        value: [
          "id": random.below(30), "name": "\(random.pick(["a", "b", "c", "d"]))\(random.below(3))",
        ],
        update: .modified)
    case 2: guest.map(realm.delete)
    case 3: guest?.table = random.oneIn(4) ? nil : random.below(4)
    case 4: guest?.name = "\(random.pick(["a", "b", "c", "d"]))"
    case 5: guest?.points += 1
    case 6: if let guest { party.guests.insert(guest, at: random.below(party.guests.count + 1)) }
    default: if !party.guests.isEmpty { party.guests.remove(at: random.below(party.guests.count)) }
    }
  }

  /// The sections of an observer that applies the reported changes.
  private struct Mirror {
    var sections: [[String]]

    mutating func apply(_ changes: SectionChanges, _ now: [[String]]) {
      for path in changes.modifications { sections[path.section][path.item] = "modified" }
      for path in changes.deletions.reversed() { sections[path.section].remove(at: path.item) }
      for section in changes.sectionsToDelete.reversed() { sections.remove(at: section) }
      for section in changes.sectionsToInsert { sections.insert([], at: section) }
      for path in changes.insertions {
        sections[path.section].insert(now[path.section][path.item], at: path.item)
      }
      for (section, rows) in sections.enumerated() {
        for (item, row) in rows.enumerated() where row == "modified" {
          sections[section][item] = now[section][item]
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: 0..<4)
  func reportedChangesTransformEachVersionIntoNext(run: Int) async throws {
    var random = SeededRandom()
    for _ in 0..<run { _ = random.next() }
    try await withTemporaryRealm { realm, _ in
      let party = try await realm.write { realm.create(Party.self, value: ["id": 1]) }
      let all = realm.objects(Guest.self)
      try await follow(all.sectioned(by: \.table), realm, party, &random)
      try await follow(all.sectioned(by: \.firstLetter, ascending: false), realm, party, &random)
      try await follow(
        all.where { $0.points < 2 }.sectioned(by: { $0.table ?? 9 }, sortDescriptors: ["name"]),
        realm, party, &random)
      try await follow(party.guests.sectioned(by: { $0.firstLetter }), realm, party, &random)
      try await follow(
        all.distinct(by: ["name"]).sectioned(by: { $0.firstLetter }), realm, party, &random)
    }
  }

  private func follow<Key>(
    _ sections: SectionedResults<Key, Guest>, _ realm: Realm, _ party: Party,
    _ random: inout SeededRandom
  ) async throws {
    var changes = sections.changes.makeAsyncIterator()
    var mirror = Mirror(sections: [])
    for _ in 0..<25 {
      guard let change = await changes.next() else {
        Issue.record("The changes end.")
        return
      }
      let now = change.collection.map { $0.map(Self.row) }
      switch change {
      case .initial: mirror.sections = now
      case .update(_, let reported):
        #expect(!reported.isEmpty)
        mirror.apply(reported, now)
      }
      #expect(mirror.sections == now, "\(random)")
      // The delivered sections agree with recomputed sections.
      let recomputed = change.collection.thaw()?.freeze()
      #expect(recomputed.map { $0.map { $0.map(Self.row) } } == now, "\(random)")
      #expect(change.collection.allKeys == recomputed?.allKeys)
      // Repeats until the sections differ.
      let before = sections.map { $0.map(Self.row) }
      repeat {
        try realm.writeSynchronously {
          for _ in 0...random.below(6) { step(realm, party, &random) }
        }
      } while sections.map { $0.map(Self.row) } == before
    }
  }
}

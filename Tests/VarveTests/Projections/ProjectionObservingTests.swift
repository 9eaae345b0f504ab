import Foundation
import Testing
import Varve

@Suite struct ProjectionObservingTests {
  /// The change as text: the property names with their old and new values, or the deletion.
  private func text(_ change: ObjectChange<some SailorView>) -> String {
    switch change {
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    case .change(let view, let properties):
      "\(view.isFrozen ? "" : "live ")\(properties.map(\.description))"
    }
  }

  private func text(_ change: RealmCollectionChange<Results<SailorView>>) -> String {
    switch change {
    case .initial(let sailors): "initial \(sailors.count)"
    case .error(let error): "\(error)"
    case .update(let sailors, let deletions, let insertions, let modifications):
      "\(sailors.count) \(deletions) \(insertions) \(modifications)"
    }
  }

  @Test func projectionReportsChangesUnderProjectedNames() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let ann = try realm.sailor(1)
      let events = EventRecorder<String>()
      let token = try SailorView(projecting: ann).observe { events.note(text($0)) }
      try realm.write {
        ann.name = "Anna"
        ann.age = 41
        ann.nickname = "Nan"
      }
      #expect(
        events.wait(for: 1) == [#"["name: Ann -> Anna", "years: 40 -> 41", "called: nil -> Nan"]"#])
      try realm.write { ann.isOnLeave = true }
      try realm.write { ann.berth?.deck = 3 }
      try realm.write { ann.berth?.label = "3B" }
      #expect(events.wait(for: 2).last == #"["berthLabel: 2A -> 3B"]"#)
      try realm.write { ann.friends[0].name = "Bob" }
      let names = try #require(events.wait(for: 3).last).split { "\\nt\" (),[]".contains($0) }
      #expect(
        names.filter { ["Bo", "Bob", "Cy", "->"].contains($0) } == ["Bo", "Cy", "->", "Bob", "Cy"])
      try realm.write { realm.delete(ann) }
      #expect(events.wait(for: 4).last == "deleted")
      token.invalidate()
    }
  }

  @Test func projectedKeyPathsLimitNotifications() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let bo = try realm.sailor(2)
      let events = EventRecorder<String>()
      let view = SailorView(projecting: bo)
      let token = try view.observe(keyPaths: [\.mentorName, \.years]) { events.note(text($0)) }
      try realm.write { bo.name = "Bob" }
      try realm.write { bo.mentor?.age = 50 }
      try realm.write { bo.mentor?.name = "Anna" }
      #expect(events.wait(for: 1) == [#"["mentorName: Ann -> Anna"]"#])
      try realm.write { bo.mentor = nil }
      #expect(events.wait(for: 2).last == #"["mentorName: Anna -> nil"]"#)
      token.invalidate()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func sequencesAndActorsReceiveSameChanges() async throws {
    try await withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let view = SailorView(projecting: try realm.sailor(1))
      var changes = view.changes.makeAsyncIterator()
      var ages = try view.changes(keyPaths: [\.years]).makeAsyncIterator()
      let events = EventRecorder<String>()
      let actor = ObserverActor()
      let token = try await view.observe(on: actor) { actor, change in
        actor.calls += 1
        if case .change(_, let properties) = change { events.note("\(properties)") }
      }
      try await realm.write { view.name = "Anna" }
      #expect(await changes.next().map(text) == #"["name: Ann -> Anna"]"#)
      #expect(events.wait(for: 1).count == 1)
      try await realm.write { view.years = 41 }
      #expect(await ages.next().map(text) == #"["years: 40 -> 41"]"#)
      #expect(events.wait(for: 2).count == 2)
      #expect(await actor.calls == 2)
      token.invalidate()
    }
  }

  private actor ObserverActor { var calls = 0 }

  @Test func resultsReportOnlyProjectedModifications() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let sailors = realm.objects(SailorView.self).sorted(by: \.name)
      let (all, some) = (EventRecorder<String>(), EventRecorder<String>())
      let tokens = [
        try sailors.observe { all.note(text($0)) },
        try sailors.observe(keyPaths: [\SailorView.berthLabel]) { some.note(text($0)) },
      ]
      #expect(all.wait(for: 1) == ["initial 3"] && some.wait(for: 1) == ["initial 3"])
      let ann = try realm.sailor(1)
      try realm.write { ann.isOnLeave = true }
      try realm.write { ann.age = 41 }
      #expect(all.wait(for: 2).last == "3 [] [] [0]")
      try realm.write { ann.berth?.label = "3B" }
      #expect(all.wait(for: 3).last == "3 [] [] [0]")
      #expect(some.wait(for: 2) == ["initial 3", "3 [] [] [0]"])
      try realm.write { realm.delete(ann) }
      #expect(some.wait(for: 3).last == "2 [0] [] []")
      for token in tokens { token.invalidate() }
    }
  }

  @Test func projectedAndModelKeyPathsAreObservable() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let events = EventRecorder<String>()
      let token = try realm.objects(SailorView.self).observe(keyPaths: ["years", "isOnLeave"]) {
        events.note(text($0))
      }
      #expect(events.wait(for: 1) == ["initial 3"])
      try realm.write { try realm.sailor(1).name = "Anna" }
      try realm.write { try realm.sailor(2).age = 21 }
      #expect(events.wait(for: 2).last == "3 [] [] [1]")
      try realm.write { try realm.sailor(3).isOnLeave = true }
      #expect(events.wait(for: 3).last == "3 [] [] [2]")
      token.invalidate()
    }
  }

  @Test func projectedValuesAreObserved() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let ann = try realm.sailor(1)
      let events = EventRecorder<String>()
      let token = try SailorView(projecting: ann).friendNames.observe { change in
        switch change {
        case .initial(let names): events.note("\(Array(names))")
        case .error(let error): events.note("\(error)")
        case .update(let names, let deletions, let insertions, let modifications):
          events.note("\(Array(names)) \(deletions) \(insertions) \(modifications)")
        }
      }
      #expect(events.wait(for: 1) == [#"["Bo", "Cy"]"#])
      try realm.write { ann.friends[0].age = 21 }
      try realm.write { ann.friends[1].name = "Cyd" }
      #expect(events.wait(for: 2).last == #"["Bo", "Cyd"] [] [] [1]"#)
      try realm.write { ann.friends.removeFirst() }
      #expect(events.wait(for: 3).last == #"["Cyd"] [0] [] []"#)
      token.invalidate()
    }
  }

  @Test func unobservableProjectionThrows() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let ann = try realm.sailor(1)
      let view = SailorView(projecting: ann)
      expectError(.frozen) { try view.freeze().observe { _ in } }
      expectError(.unmanaged) { try SailorView(projecting: Sailor()).observe { _ in } }
      let loud = LoudView(projecting: ann)
      let error = thrownError { try loud.observe { _ in } }
      #expect(error?.code == .unknownProperty && error?.propertyName == "nameAndAge")
      expectError(.unknownProperty) { try realm.objects(LoudView.self).observe { _ in } }
      expectError(.unknownProperty) {
        try view.observe(keyPaths: [\.rootObject.isOnLeave]) { _ in }
      }
      try realm.write { realm.delete(ann) }
      expectError(.invalidatedObject) { try view.observe { _ in } }
    }
  }
}

import Testing
import Varve

@Suite struct ProjectionTests {
  @Test func projectionReadsObjectProperties() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let ann = FullSailorView(projecting: try realm.sailor(1))
      #expect(ann.name == "Ann" && ann.years == 40 && ann.called == nil)
      #expect(ann.berthLabel == "2A" && ann.berth?.deck == 2)
      #expect(ann.mentorName == nil)
      #expect(SailorView(projecting: try realm.sailor(2)).mentorName == "Ann")
      #expect(Array(ann.friendNames) == ["Bo", "Cy"] && ann.friends.count == 2)
      #expect(ann.rootObject.id == 1 && ann.realm == realm)
      #expect(LoudView(projecting: try realm.sailor(1)).nameAndAge == "Ann 40")
    }
  }

  @Test func unmanagedObjectsAreProjected() {
    let sailor = Sailor(value: ["id": 4, "name": "Di", "friends": [["id": 5, "name": "Ed"]]])
    let view = SailorView(projecting: sailor)
    #expect(view.name == "Di" && Array(view.friendNames) == ["Ed"] && view.realm == nil)
    view.name = "Dee"
    #expect(sailor.name == "Dee")
    #expect(view.thaw() == nil && !view.isFrozen && !view.isInvalidated)
  }

  @Test func settingProjectedPropertyWritesObject() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let view = FullSailorView(projecting: try realm.sailor(1))
      try realm.write {
        view.name = "Anna"
        view.called = "Nan"
        view.berth = nil
      }
      #expect(try realm.sailor(1).name == "Anna" && view.called == "Nan")
      #expect(view.berthLabel == nil)
    }
  }

  @Test func frozenProjectionIsImmutableAndThawedIsLive() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let view = SailorView(projecting: try realm.sailor(1))
      let frozen = view.freeze()
      try realm.write { view.name = "Anna" }
      #expect(frozen.isFrozen && frozen.name == "Ann" && frozen.friendNames.isFrozen)
      #expect(try #require(frozen.thaw()).name == "Anna")
      try realm.write { realm.delete(view.rootObject) }
      #expect(view.isInvalidated && view.name == "" && frozen.thaw() == nil)
      #expect(frozen.name == "Ann" && Array(frozen.friendNames) == ["Bo", "Cy"])
    }
  }

  @Test func projectionsOfOneObjectAreEqual() throws {
    try withTemporaryRealm { realm, store in
      try realm.addSailors()
      let view = SailorView(projecting: try realm.sailor(1))
      #expect(view == SailorView(projecting: try realm.sailor(1)))
      #expect(Set([view, SailorView(projecting: try realm.sailor(1))]).count == 1)
      #expect(view != SailorView(projecting: try realm.sailor(2)))
      #expect(view != FullSailorView(projecting: try realm.sailor(1)))
      let other = try store.open()
      #expect(other.resolve(ThreadSafeReference(to: view))?.realm == other)
    }
  }

  @Test func descriptionContainsProjectedProperties() throws {
    let view = SailorView(projecting: Sailor(value: ["id": 1, "name": "Ann", "age": 40]))
    #expect(view.description.hasPrefix("SailorView<Sailor> {\n\tname = Ann;\n\tyears = 40;\n"))
  }

  @Test func projectionResultsAreQueriedByModelProperties() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let sailors = realm.objects(SailorView.self)
      #expect(sailors.count == 3 && sailors.map(\.name) == ["Ann", "Bo", "Cy"])
      #expect(sailors.where { $0.age >= 30 && $0.isOnLeave == false }.map(\.name) == ["Ann", "Cy"])
      #expect(sailors.where { $0.mentor.name == "Ann" }.first?.name == "Bo")
      #expect(sailors.filter("age < 30").map(\.years) == [20])
      #expect(sailors.sorted(by: \.years, ascending: false).map(\.name) == ["Ann", "Cy", "Bo"])
      #expect(sailors.sorted(by: \.mentorName).last?.name == "Bo")
      #expect(sailors.sorted(byKeyPath: "age").first?.name == "Bo")
      #expect(sailors.index(of: sailors[1]) == 1 && sailors.contains(sailors[2]))
      #expect(sailors.index(matching: { $0.name == "Cy" }) == 2)
      let frozen = sailors.freeze()
      try realm.write { sailors.where { $0.name == "Bo" }.first?.name = "Bob" }
      #expect(frozen[1].name == "Bo" && sailors[1].name == "Bob")
      #expect(sailors.contains { $0.friendNames.contains("Bob") })
    }
  }

  @Test func outOfBoundsReadsMatchObjectResults() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addSailors()
      let sailors = realm.objects(SailorView.self)
      #expect(sailors[7].isInvalidated && sailors[7].name == "")
      expectError(.indexOutOfBounds) { try realm.write { _ = sailors[7] } }
    }
  }

  @Test func projectedCollectionFollowsItsSource() throws {
    try withTemporaryRealm { realm, store in
      try realm.addSailors()
      let ann = try realm.sailor(1)
      let names = SailorView(projecting: ann).friendNames
      #expect(names.count == 2 && names.first == "Bo" && names.last == "Cy" && names[1] == "Cy")
      #expect(names.realm == realm && !names.isFrozen && !names.isInvalidated)
      let frozen = names.freeze()
      try realm.write {
        ann.friends.removeFirst()
        ann.friends[0].name = "Cyd"
      }
      #expect(Array(names) == ["Cyd"] && Array(frozen) == ["Bo", "Cy"])
      #expect(frozen.thaw().map { Array($0) } == ["Cyd"])
      #expect(try store.open().resolve(names).map { Array($0) } == ["Cyd"])
      #expect(names.description.contains("Cyd"))
      #expect(Array(realm.objects(Sailor.self).projectTo.age) == [40, 20, 30])
      try realm.write { realm.delete(ann) }
      #expect(names.isInvalidated && names.isEmpty && frozen.thaw() == nil)
    }
  }
}

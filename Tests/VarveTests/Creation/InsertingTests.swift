import Foundation
import Testing
import Varve

/// `insert`: its policies, refusals and defaults, and code of the program that runs during the
/// call.
@Suite struct InsertingTests {
  /// The refusals of `insert`, each with its code, class, property and index.
  @Test func refusedValuesFailTheWrite() throws {
    let cases: [((Realm) -> Int, Realm.Error.Code, String, String?, Int)] = [
      (
        { $0.insert([3, 4, 3, 5].map { Crate.New(id: $0, weight: 1) }) }, .duplicatePrimaryKey,
        "Crate", "id", 2
      ),
      (
        { $0.insert(["a", "b", "a"].map { Item.New(name: $0, code: "") }) }, .duplicatePrimaryKey,
        "Item", "name", 2
      ),
      (
        { realm in
          return realm.insert((0..<3).map { singles("\($0)", code: $0 / 2) })
        }, .duplicateValue, "IndexedSingles", nil, 1
      ),
      (
        { $0.insert([Crate.New(id: 1, weight: 1), Crate.New(id: 2, weight: 1, best: Item("x"))]) },
        .invalidInput, "Crate", "best", 1
      ),
      (
        { $0.insert([Crate.New(id: 1, weight: 1, items: [Item("x")])]) }, .invalidInput, "Crate",
        "items", 0
      ),
      (
        { $0.insert([Crate.New(id: 1, weight: 1, places: ["k": Item("x")])]) }, .invalidInput,
        "Crate", "places", 0
      ),
      (
        { $0.insert([Bookcase.New(mixed: .list(List([.object(Item("x"))])))]) }, .invalidInput,
        "Bookcase", "mixed", 0
      ),
      (
        { realm in
          let label = CaseLabel(text: "a", inner: CaseLabel(text: "b", shelf: Item("x")))
          return realm.insert([CaseBook.New(title: "a", label: label)])
        }, .invalidInput, "CaseBook", "label", 0
      ),
      (
        { $0.insert([Crate.New(id: 1, weight: 1, notes: ["a.b": ""])]) }, .invalidKey, "Crate",
        "notes", 0
      ),
      (
        { $0.insert([CaseBook.New(title: "a")], update: .modified) }, .noPrimaryKey, "CaseBook",
        nil, 0
      ),
    ]
    for (insert, code, className, property, index) in cases {
      try withTemporaryRealm { realm, _ in
        try realm.write { realm.add(Crate(100)) }
        let error = thrownError {
          try realm.write {
            #expect(insert(realm) == index)
            // Everything after the failure is ignored.
            #expect(realm.insert([Crate.New(id: 7, weight: 1)]) == 0)
          }
        }
        let text = String(describing: error)
        #expect(error?.code == code && error?.className == className, "\(text)")
        if let property { #expect(error?.propertyName == property) }
        #expect(error?.details.last == "index \(index)")
        #expect(realm.objects(Crate.self).map(\.id) == [100])
        #expect(realm.objects(Item.self).isEmpty && realm.objects(Bookcase.self).isEmpty)
      }
    }
  }

  private func singles(_ key: String, code: Int?) -> IndexedSingles.New {
    IndexedSingles.New(
      key: key, bool: true, int: 1, string: "", uuid: UUID(), color: .red, code: code)
  }

  @Test func objectsOfOtherStoresAreRefused() throws {
    try withTemporaryRealm { realm, _ in
      try withTemporaryRealm { other, _ in
        let item = Item("x")
        try other.write { other.add(item) }
        expectError(.foreignObject) {
          try realm.write { realm.insert([Crate.New(id: 1, weight: 1, best: item)]) }
        }
        try other.write { other.delete(item) }
        expectError(.foreignObject) {
          try realm.write { realm.insert([Crate.New(id: 1, weight: 1, items: [item])]) }
        }
        expectError(.invalidatedObject) {
          try other.write { other.insert([Crate.New(id: 1, weight: 1, best: item)]) }
        }
      }
    }
  }

  @Test func sequenceIsReadUpToTheFailure() throws {
    try withTemporaryRealm { realm, _ in
      var made: [Int] = []
      expectError(.duplicatePrimaryKey) {
        try realm.write {
          let count = realm.insert([1, 2, 2, 3].lazy) { id in
            made.append(id)
            return Crate.New(id: id, weight: 0)
          }
          #expect(count == 2)
        }
      }
      #expect(made == [1, 2, 2])
    }
  }

  @Test func errorOfClosureKeepsWhatWasInserted() throws {
    struct Stop: Error {}
    try withTemporaryRealm { realm, _ in
      func insert() throws(Stop) {
        try realm.insert(1...5) { id throws(Stop) in
          if id == 4 { throw Stop() }
          return Crate.New(id: id, weight: 0)
        }
      }
      #expect(throws: Stop.self) { try realm.write { try insert() } }
      #expect(realm.objects(Crate.self).isEmpty)
      try realm.write {
        #expect(throws: Stop.self) { try insert() }
      }
      #expect(realm.objects(Crate.self).count == 3)
    }
  }

  @Test func policiesUpdateExistingObjects() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      try withTemporaryRealm { realm, _ in
        let item = Item("i", count: 3)
        let old = Crate(2, numbers: [1])
        try realm.write {
          realm.add([old]); realm.add(item)
        }
        let count = try realm.write {
          realm.insert(1...3, update: policy) { id in
            Crate.New(id: id, label: "new", weight: 2, numbers: [id], items: [item])
          }
        }
        #expect(count == 3 && realm.objects(Crate.self).map(\.id) == [1, 2, 3])
        #expect(old.label == "new" && Array(old.numbers) == [2] && item.crates.count == 3)
        // Twice in one call, and a string key.
        try realm.write {
          realm.insert(["i", "j", "j"], update: policy) { Item.New(name: $0, code: $0) }
        }
        #expect(item.code == "i" && item.count == 0)
        #expect(realm.objects(Item.self).map(\.name).sorted() == ["i", "j"])
      }
    }
  }

  @Test func keysAreGenerated() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.insert([0, 0, 10, 0]) { Bookcase.New(id: $0, mixed: .none) }
        realm.add(Bookcase(mixed: .none))
        realm.insert([Bookcase.New(mixed: .none)], update: .all)
      }
      #expect(realm.objects(Bookcase.self).map(\.id) == [1, 2, 10, 11, 12, 13])
    }
  }

  @Test func defaultsAreEvaluatedOnceAndObserversDoNotRun() throws {
    try withTemporaryRealm { realm, _ in
      // Registering the class evaluates its defaults, too.
      try realm.write {
        realm.delete(realm.create(Stamped.self, value: ["name": "a"]))
      }
      (Stamped.stamps, Stamped.assignments) = (0, 0)
      try realm.write {
        realm.insert([
          Stamped.New(name: "a"), Stamped.New(name: "b", stamp: 50, size: 4, tags: ["t"]),
          Stamped.New(name: "c", tags: []),
        ])
      }
      let stored = realm.objects(Stamped.self).sorted(by: \.name)
      // Three defaults of the first object, and one or two of the others.
      #expect(Stamped.stamps == 6 && Stamped.assignments == 0)
      #expect(stored.map(\.stamp) == [1, 50, 5] && stored.map(\.other) == [2, 4, 6])
      #expect(stored.map(\.size) == [3, 4, 3])
      #expect(stored.map { Array($0.tags) } == [["3"], ["t"], []])
      // `primaryKey()` names the key.
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.insert([Stamped.New(name: "a")]) }
      }
    }
  }

  /// The elements of the sequence write rows of the same and of another class, read, and register a
  /// class.
  @Test func sequenceMayUseTheRealm() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let count = realm.insert(0..<100) { index in
          if index % 3 == 0 { realm.add(Item("\(index)")) }
          if index == 50 { realm.insert([CaseBook.New(title: "x")]) }
          if index % 10 == 0 { realm.add(Crate(1000 + index)) }
          #expect(realm.objects(Crate.self).count == index + index / 10 + 1)
          return Crate.New(
            id: index, weight: 1, best: realm.object(ofType: Item.self, forPrimaryKey: "0"))
        }
        #expect(count == 100)
      }
      #expect(realm.objects(Crate.self).count == 110 && realm.objects(Item.self).count == 34)
      #expect(realm.objects(Crate.self).where { $0.best.name == "0" }.count == 100)
    }
  }

  @Test func writeEndedByTheSequenceStopsTheCall() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let count = realm.insert(0..<5) { index in
          if index == 2 { realm.cancelWrite() }
          return Crate.New(id: index, weight: 1)
        }
        #expect(count == 2)
      }
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  /// The rows before are committed, and those after belong to the new write.
  @Test func sequenceMayBeginAnotherWrite() throws {
    try withTemporaryRealm { realm, _ in
      try realm.beginWrite()
      let count = try realm.insert(0..<6) { index throws(any Error) in
        if index == 3 {
          try realm.commitWrite()
          try realm.beginWrite()
        }
        return Crate.New(id: index, weight: 1, words: index == 3 ? ["w"] : [])
      }
      #expect(count == 6)
      realm.cancelWrite()
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 2])
      try realm.write { realm.insert([Crate.New(id: 3, weight: 1)]) }
      #expect(realm.objects(Crate.self).count == 4)
    }
  }

  @Test func frozenRealmsAndForeignWritesAreRefused() throws {
    try withTemporaryRealm { realm, _ in
      try withTemporaryRealm { other, _ in
        let frozen = realm.freeze()
        expectError(.frozen) {
          try realm.write { frozen.insert([Crate.New(id: 1, weight: 1)]) }
        }
        expectError(.notInWriteTransaction) {
          try realm.write { other.insert([Crate.New(id: 1, weight: 1)]) }
        }
      }
    }
  }

  @Test func insertedObjectsAreReportedAndFound() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Crate.self)
      let events = EventRecorder<ObservedChange>()
      let token = try all.observe { events.note(ObservedChange($0)) }
      defer { token.invalidate() }
      #expect(events.wait(for: 1) == [.initial(0)])
      try realm.write {
        #expect(realm.insert([Crate.New]()) == 0)
        realm.insert((0..<5_000).lazy.map { Crate.New(id: $0, weight: Double($0), words: ["w"]) })
        #expect(all.count == 5_000)
      }
      #expect(all.sum(of: \.weight) == 12_497_500)
      #expect(all.last?.words.first == "w")
      #expect(events.wait(for: 2).last == .update(5_000, [], Array(0..<5_000), []))
      // One row is changed and one is new.
      try realm.write {
        realm.insert([7, 5_000], update: .modified) { Crate.New(id: $0, weight: -1) }
      }
      #expect(events.wait(for: 3).last == .update(5_001, [], [5_000], [7]))
    }
  }
}

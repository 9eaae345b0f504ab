import Foundation
import Testing
import Varve
import VarveTestSupport

enum Grade: Int, PersistableEnum { case low = 1, middle, high }

struct Grams: CustomPersistable, Hashable {
  var value: Int
  init(persistedValue: Int) { value = persistedValue }
  var persistableValue: Int { value }
}

@Model final class Freight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var grade: Grade
  @Persisted var optionalGrade: Grade?
  @Persisted var weight: Grams?
  @Persisted var grades: List<Grade>
  @Persisted var weights: MutableSet<Grams>
  @Persisted var gradesByName: Map<String, Grade>
  @Persisted var numbers: List<Int>
  @Persisted var amounts: List<Decimal128>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var ids: List<AnyRealmValue>
  @Persisted var next: Freight?
  @Persisted var parts: List<Freight>
  @Persisted var places: Map<String, Freight?>
  @Persisted(originProperty: "parts") var wholes: LinkingObjects<Freight>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

final class FreightView: Projection<Freight>, @unchecked Sendable {
  @Projected(\Freight.name) var label
  @Projected(\Freight.parts.projectTo.name) var partNames: ProjectedCollection<String>
}

/// Code in the spelling of the reference SDK.
@Suite struct ReferenceSpellingTests {
  /// Freights 1 to 5; freight 1 has the others as its parts.
  private func withFreights(_ body: (Realm, Freight) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let freights = (1...5).map { Freight($0) }
      for freight in freights {
        freight.name = "p\(freight.id)"
        freight.grade = [Grade.low, .middle, .high][freight.id % 3]
        freight.optionalGrade = freight.id > 3 ? .high : nil
        freight.weight = freight.id == 2 ? nil : Grams(persistedValue: freight.id * 10)
        freight.numbers.append(objectsIn: 0..<freight.id)
        freight.grades.append(objectsIn: [.middle, freight.grade])
        freight.weights.insert(Grams(persistedValue: freight.id))
        freight.weights.insert(Grams(persistedValue: freight.id + 1))
        freight.gradesByName["a"] = freight.grade
      }
      freights[0].parts.append(objectsIn: freights[1...])
      try realm.write { realm.add(freights) }
      try body(realm, freights[0])
    }
  }

  @Test func sortDescriptorsTakeKeyPaths() throws {
    try withFreights { realm, _ in
      let descriptor = SortDescriptor(keyPath: \Freight.grade, ascending: false)
      #expect(descriptor.keyPath == "grade" && !descriptor.ascending)
      #expect("\(descriptor)" == "SortDescriptor(keyPath: grade, direction: descending)")
      #expect(SortDescriptor(keyPath: \Freight.next?.name).keyPath == "next.name")
      let sorted = realm.objects(Freight.self).sorted(by: [
        descriptor, SortDescriptor(keyPath: \Freight.id, ascending: false),
      ])
      #expect(sorted.map(\.id) == [5, 2, 4, 1, 3])
    }
  }

  @Test func collectionsAreEquatable() throws {
    try withFreights { realm, freight in
      let results = realm.objects(Freight.self)
      let copy = results
      #expect(results == copy && results != realm.objects(Freight.self))
      #expect(AnyRealmCollection(results) == AnyRealmCollection(copy))
      #expect(AnyRealmCollection(freight.parts) == AnyRealmCollection(freight.parts))
      #expect(AnyRealmCollection(freight.parts) != AnyRealmCollection(results))
      #expect(freight.parts[0].wholes == freight.parts[0].wholes)
      #expect(freight.parts[0].wholes != freight.parts[1].wholes)
      #expect(freight.parts[0].wholes != freight.parts[0].freeze().wholes)
      #expect(Freight().wholes == Freight().wholes)
      let sections = results.sectioned(by: \.grade)
      let same = sections
      #expect(sections == same && sections[0] == same[0] && sections[0] != sections[1])
      #expect(sections != results.sectioned(by: \.grade))
    }
  }

  @Test func sharedSchemaAndDynamicAccessorsWork() throws {
    try withFreights { realm, freight in
      #expect(Freight.sharedSchema() == freight.objectSchema)
      #expect(Freight.sharedSchema()?.objectClass == Freight.self && Object.sharedSchema() == nil)
      #expect(try freight.dynamicList("parts").map { $0["id"] as? Int } == [2, 3, 4, 5])
      #expect(try Array(freight.dynamicList("numbers", of: Int.self)) == [0])
      #expect(try freight.dynamicMap("places").isEmpty)
      expectError(.typeMismatch) { _ = try freight.dynamicMutableSet("parts") }
      expectError(.unknownProperty) { _ = try freight.dynamicList("none") }
      expectError(.unmanaged) { _ = try Freight(7).dynamicList("parts") }
      try realm.write { freight.any = .object(freight.parts[1]) }
      #expect(freight.any.dynamicObject?["name"] as? String == "p3")
      #expect(AnyRealmValue.int(3).dynamicObject == nil)
    }
  }

  @Test func enumAndCustomValuesAreAggregated() throws {
    try withFreights { realm, freight in
      let unmanaged = List<Grade>()
      unmanaged.append(objectsIn: [.high, .low])
      for grades in [unmanaged, freight.grades] {
        #expect(grades.min() == (grades.realm == nil ? .low : .middle))
        #expect(grades.max() == (grades.realm == nil ? .high : .middle))
        #expect(grades.average() == 2)
      }
      #expect(List<Grade>().min() == nil && List<Grade>().average() == nil)
      #expect(freight.weights.min() == Grams(persistedValue: 1))
      #expect(freight.weights.sum() == Grams(persistedValue: 3) && freight.weights.average() == 1.5)
      #expect(freight.gradesByName.max() == .middle && freight.gradesByName.average() == 2)
      try realm.write {
        freight.anys.append(objectsIn: [.int(1), .double(2.5)])
        freight.amounts.append(objectsIn: ["1.5", "2.5"])
        freight.numbers.append(objectsIn: [4, 5])
      }
      let mean: AnyRealmValue? = freight.anys.average()
      #expect(mean == .double(1.75))
      let optional = List<Grade?>()
      #expect(optional.min() == nil && optional.average() == nil)
      optional.append(objectsIn: [.high, nil, .low])
      #expect(optional.min() == .low && optional.max() == .high && optional.average() == 2)
      let number: Int? = freight.numbers.average()
      #expect(number == 3)
      let amount: Decimal128? = freight.amounts.average()
      #expect(amount == 2)
    }
  }

  @Test func sectionsAndProjectionsAreObservedByKeyPaths() throws {
    try withFreights { realm, freight in
      let events = EventRecorder<String>()
      let sections = realm.objects(Freight.self).sectioned(by: \.grade)
      let views = realm.objects(FreightView.self)
      let view = FreightView(projecting: freight)
      let tokens = [
        try sections.observe(keyPaths: [\Freight.name]) { _ in events.note("all") },
        try sections[0].observe(keyPaths: [\Freight.name]) { _ in events.note("one") },
        try views.sectioned(by: \.label).observe(keyPaths: [\FreightView.label]) { _ in
          events.note("views")
        },
        try view.partNames.observe(keyPaths: ["name"]) { _ in events.note("names") },
        try view.observe(keyPaths: ["label"]) { _ in events.note("view") },
      ]
      #expect(
        views.sectioned(by: \.label, ascending: false).allKeys == ["p5", "p4", "p3", "p2", "p1"])
      expectError(.unknownProperty) { _ = try view.observe(keyPaths: ["none"]) { _ in } }
      // The initial notifications.
      #expect(Set(events.wait(for: 4)) == ["all", "one", "views", "names"])
      try realm.write { freight.numbers.append(3) }
      try realm.write { view.partNames[1] = "third" }
      #expect(freight.parts[1].name == "third")
      #expect(Set(events.wait(for: 8).dropFirst(4)) == ["all", "one", "views", "names"])
      try realm.write { freight.name = "first" }
      #expect(Set(events.wait(for: 11).dropFirst(8)) == ["all", "views", "view"])
      for token in tokens {
        #expect(token.invalidate())
        #expect(!token.invalidate())
      }
    }
  }

  @Test func enumAndCustomValuesAreOrderedInQueries() throws {
    try withFreights { realm, _ in
      let freights = realm.objects(Freight.self)
      func ids(_ condition: (Query<Freight>) -> Query<Bool>) -> [Int] {
        freights.where(condition).map(\.id)
      }
      #expect(ids { $0.grade > .low } == [1, 2, 4, 5] && ids { $0.grade <= .middle } == [1, 3, 4])
      #expect(ids { $0.optionalGrade >= .middle } == [4, 5])
      #expect(ids { $0.weight < Grams(persistedValue: 40) } == [1, 3])
      #expect(ids { $0.numbers == 4 } == [5] && ids { $0.numbers > 2 } == [4, 5])
      #expect(ids { $0.numbers != 0 } == [2, 3, 4, 5])
      #expect(ids { $0.grades == .high } == [2, 5])
      #expect(ids { $0.grades.rawValue == 3 } == [2, 5])
      #expect(ids { $0.grades.rawValue.contains(1) } == [3])
      #expect(ids { $0.weights.persistableValue >= 6 } == [5])
      #expect(ids { $0.gradesByName["a"].rawValue == 1 } == [3])
      #expect(ids { $0.gradesByName.rawValue["a"] == 1 } == [3])
      #expect(ids { $0.gradesByName.rawValue.keys == "a" && $0.id < 3 } == [1, 2])
      #expect(ids { $0.gradesByName.persistableValue["a"] > 2 } == [2, 5])
      #expect(ids { $0.optionalGrade >= $0.optionalGrade } == [1, 2, 3, 4, 5])
      #expect(ids { $0.optionalGrade > $0.optionalGrade }.isEmpty)
    }
  }

  @Test func observedQueriesCompareNestedContents() throws {
    try withFreights { realm, freight in
      let list = AnyRealmValue.fromArray([1, .fromArray(["a"])])
      let events = EventRecorder<[Int]>()
      let token = try realm.objects(Freight.self).where { $0.any == list }.observe { change in
        switch change {
        case .initial(let freights), .update(let freights, _, _, _):
          events.note(freights.map(\.id))
        case .error: break
        }
      }
      #expect(events.wait(for: 1) == [[]])
      try realm.write { freight.any = .fromArray([1, .fromArray(["a"])]) }
      #expect(events.wait(for: 2).last == [1])
      try realm.write { freight.parts[1].any = list }
      #expect(events.wait(for: 3).last == [1, 3])
      // A change of an element in the nested list.
      try realm.write { freight.any.listValue?[1].listValue?[0] = "b" }
      #expect(events.wait(for: 4).last == [3])
      try realm.write { freight.any.listValue?[1].listValue?[0] = "a" }
      #expect(events.wait(for: 5).last == [1, 3])
      token.invalidate()
    }
  }

  @Test func nestedListsAndDictionariesAreCompared() throws {
    try withFreights { realm, freight in
      let freights = realm.objects(Freight.self)
      let values: [AnyRealmValue] = [
        .fromArray([1, "two", .none]), .fromArray([1, "two"]),
        .fromDictionary(["a": 1, "b": .fromArray([2, 3])]), .fromDictionary(["a": .none]), .int(7),
      ]
      try realm.write {
        for (freight, value) in zip(freights, values) {
          freight.any = value
          freight.anys.append(objectsIn: [.int(0), value])
        }
      }
      try realm.write { freight.ids.append(objectsIn: [.int(2), .int(3)]) }
      for inWrite in [false, true] {
        let check = { () throws in
          for (index, value) in values.enumerated() {
            #expect(freights.where { $0.any == value }.map(\.id) == [index + 1])
            #expect(freights.where { $0.any != value }.count == 4)
            #expect(freights.where { $0.anys == value }.map(\.id) == [index + 1])
            #expect(try freights.filter("any == %@", value).map(\.id) == [index + 1])
            #expect(try freights.filter("any != %@", value).count == 4)
            #expect(try freights.filter("ANY anys == %@", value).map(\.id) == [index + 1])
            #expect(try freights.filter("NONE anys == %@", value).count == 4)
          }
          #expect(freights.where { $0.any == .fromDictionary(["b": .none]) }.isEmpty)
          #expect(freights.where { $0.any.in([values[1], .int(7)]) }.map(\.id) == [2, 5])
          #expect(freights.where { $0.anys.containsAny(in: [values[2]]) }.map(\.id) == [3])
          #expect(try freights.filter("id IN %@", freight.ids).map(\.id) == [2, 3])
          #expect(
            try freights.filter("any == %@", ["a": 1, "b": [2, 3]] as [String: Any]).count == 1)
          #expect(try freights.filter("any == %@", [1, "two"]).map(\.id) == [2])
          #expect(freights.where { $0.any.any == 1 }.map(\.id) == [1, 2, 3])
          #expect(freights.where { $0.any == freights[0].any }.map(\.id) == [1])
        }
        if inWrite { try realm.write { try check() } } else { try check() }
      }
      try realm.write { freight.any = .object(freight.parts[0]) }
      #expect(try freights.filter("any == %@", AnyRealmValue.object(freight.parts[0])).count == 1)
    }
  }

  @Test func objectsAreObservedAsSuperclass() throws {
    try withFreights { realm, freight in
      let events = EventRecorder<String>()
      let token = try freight.observe { (change: ObjectChange<ObjectBase>) in
        switch change {
        case .change(let object, let properties):
          events.note("\((object as? Freight)?.name ?? "-") \(properties.map(\.name))")
        case .deleted: events.note("deleted")
        case .error: break
        }
      }
      expectError(.invalidInput) {
        _ = try freight.observe { (_: ObjectChange<EmbeddedObject>) in }
      }
      try realm.write { freight.name = "new" }
      #expect(events.wait(for: 1) == [#"new ["name"]"#])
      try realm.write { realm.delete(freight) }
      #expect(events.wait(for: 2).last == "deleted")
      token.invalidate()
    }
  }

  @Test func unmanagedListIsSearched() throws {
    let freight = Freight(1)
    freight.parts.append(objectsIn: [Freight(2), Freight(3)])
    freight.parts[1].name = "third"
    freight.parts[1].next = freight
    #expect(freight.parts.index(matching: { $0.name == "third" }) == 1)
    #expect(freight.parts.index(matching: { $0.next.id == 1 }) == 1)
    #expect(freight.parts.index(matching: "name == 'third'") == 1)
    #expect(try freight.parts.index(matching: "name == %@", "third") == 1)
    #expect(freight.parts.index(matching: { $0.name == "none" }) == nil)
    // Two unmanaged objects with the same key are distinct.
    let same = Freight(3)
    same.name = "also three"
    let twins = List<Freight>()
    twins.append(objectsIn: [Freight(3), same])
    #expect(twins.index(matching: { $0.name == "also three" }) == 1)
    #expect(twins.index(matching: { $0.name == "" }) == 0)
    freight.numbers.append(objectsIn: [4, 7, 9])
    #expect(freight.numbers.index(matching: { $0 > 5 }) == 1)
    #expect(try freight.numbers.index(matching: "SELF > %@", 8) == 2)
    expectError(.unknownProperty) {
      _ = try freight.parts.index(matching: "nothing == %@", 1)
    }
    #expect(freight.realm == nil && freight.parts[1].realm == nil)
    try withFreights { realm, managed in
      try realm.write {
        #expect(freight.parts.index(matching: { $0.name == "third" }) == 1)
        managed.name = "goes on"
      }
      #expect(managed.name == "goes on")
    }
  }

  @Test func referenceTypeNamesAndInitializersExist() throws {
    func holds(_ type: (some RealmEnum).Type) -> Int { type.allCases.count }
    #expect(holds(Grade.self) == 3)
    func count(_ map: some RealmKeyedCollection) -> Int { map.count }
    #expect(count(Map<String, Int>()) == 0)
    #expect(ObjectId().stringValue == String(repeating: "0", count: 24))
    let made = Date(timeIntervalSince1970: 1_000_000)
    let id = ObjectId(timestamp: made, machineId: 0x123456, processId: 0x789A)
    #expect(id.timestamp == made && id.stringValue.hasPrefix("000f4240123456789a"))
    #expect(id != ObjectId(timestamp: made, machineId: 0x123456, processId: 0x789A))
    #expect(try Decimal128(value: 3) == 3 && Decimal128(value: "1.5") == 1.5)
    expectError(.invalidInput) { _ = try Decimal128(value: "x") }
    #expect(Decimal128(2).distance(to: 5) == 3 && Decimal128(2).advanced(by: 1.5) == 3.5)
  }

  @Test func enumAndCustomPropertiesAreAggregated() throws {
    try withFreights { realm, managed in
      try realm.write {
        for (id, grade) in [(70, Grade.high), (71, .low)] {
          let freight = Freight(id)
          freight.grade = grade
          freight.optionalGrade = grade
          freight.weight = Grams(persistedValue: id)
          realm.add(freight)
          managed.parts.append(freight)
          managed.places["\(id)"] = freight
        }
        managed.places["none"] = .some(nil)
      }
      let places = managed.places
      #expect(places.max(of: \.grade) == .high && places.min(of: \.optionalGrade) == .low)
      #expect(places.average(of: \.grade) == 2)
      #expect(places.min(of: \.weight) == Grams(persistedValue: 70))
      let parts = managed.parts.where { $0.id >= 70 }
      #expect(parts.max(of: \.grade) == .high && parts.min(of: \.optionalGrade) == .low)
      #expect(parts.average(of: \.grade) == 2)
      #expect(parts.max(of: \.weight) == Grams(persistedValue: 71))
      let unmanaged = List<Freight>()
      unmanaged.append(objectsIn: [Freight(1), Freight(2)])
      unmanaged[1].grade = .middle
      #expect(unmanaged.max(of: \.grade) == .middle && unmanaged.min(of: \.weight) == nil)
    }
  }

  @Test func rawValuesOfMapsAreCompared() throws {
    try withFreights { realm, managed in
      try realm.write { managed.gradesByName = map(["a": .high, "b": .low]) }
      let all = realm.objects(Freight.self)
      func ids(_ results: Results<Freight>) -> [Int] { results.map(\.id) }
      func ids(with grade: Grade) -> [Int] {
        all.filter { $0.gradesByName.values.contains(grade) }.map(\.id)
      }
      #expect(ids(with: .high).contains(managed.id))
      #expect(ids(all.where { $0.gradesByName.rawValue == 3 }) == ids(with: .high))
      #expect(ids(all.where { $0.gradesByName.rawValue.contains(1) }) == ids(with: .low))
      #expect(ids(all.where { $0.gradesByName.rawValue["b"] == 1 }) == [managed.id])
      #expect(ids(all.where { $0.gradesByName.persistableValue == 2 }) == ids(with: .middle))
    }
  }

  private func map(_ entries: [String: Grade]) -> Map<String, Grade> {
    let map = Map<String, Grade>()
    for (key, grade) in entries { map[key] = grade }
    return map
  }

  @Test func createAcceptsDocuments() throws {
    try withFreights { realm, _ in
      let values: [String: AnyRealmValue] = [
        "id": 80, "name": "mixed", "grade": 3, "any": .string("x"),
      ]
      try realm.write {
        realm.create(Freight.self, value: values)
        // A document of another program contains the linking objects.
        realm.create(Freight.self, value: ["id": 81, "wholes": [[String: Any]]()])
      }
      let freight = try #require(realm.object(ofType: Freight.self, forPrimaryKey: 80))
      #expect(freight.name == "mixed" && freight.grade == .high && freight.any == .string("x"))
      #expect(realm.object(ofType: Freight.self, forPrimaryKey: 81) != nil)
    }
  }

  @Test func unmanagedObjectOfWrongClassThrowsAsArgument() throws {
    try withFreights { realm, _ in
      let all = realm.objects(Freight.self)
      for text in ["next == %@", "ANY parts == %@", "next IN {%@}", "%@ IN parts"] {
        expectError(.invalidInput) { _ = try all.filter(text as String, UnusedShipment()) }
        let same = try all.filter(text as String, Freight(1))
        #expect(same.isEmpty)
      }
      let mixed = try all.filter("any == %@" as String, UnusedShipment())
      #expect(mixed.isEmpty)
    }
  }

  @Test func unusedCompiledClassesAreInSchema() throws {
    try withTemporaryRealm { realm, _ in
      #expect(realm.schema["NeverUsedFreight"]?.properties.map(\.name) == ["id", "next"])
      #expect(try realm.dynamicObjects("NeverUsedFreight").isEmpty)
      #expect(try realm.dynamicObject(ofType: "NeverUsedFreight", forPrimaryKey: 1) == nil)
      let linked = try realm.objects(Freight.self)
        .filter("@links.UnusedShipment.freights.@count > 0" as String)
      #expect(linked.isEmpty)
      expectError(.unknownClass) { _ = try realm.dynamicObjects("NoFreight") }
      let results = try realm.dynamicObjects("NeverUsedFreight")
      try realm.write { realm.dynamicCreate("NeverUsedFreight", value: ["id": 1]) }
      #expect(results.map { $0["id"] as? Int } == [1])
      #expect(try realm.dynamicObjects("NeverUsedFreight").count == 1)
    }
    try withTemporaryRealm({ $0.objectTypes = [Freight.self] }) { realm, _ in
      #expect(realm.schema["NeverUsedFreight"] == nil)
      expectError(.unknownClass) { _ = try realm.dynamicObjects("NeverUsedFreight") }
    }
  }
}

@Model final class UnusedShipment: Object {
  @Persisted var freights: List<Freight>
}

@Model final class NeverUsedFreight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: NeverUsedFreight?
}

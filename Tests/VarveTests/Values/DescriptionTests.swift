import Foundation
import Testing
import Varve

@Suite struct DescriptionTests {
  @Test func datesOutsideCalendarArePrinted() throws {
    try withTemporaryRealm { realm, _ in
      for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e18, 1e12, -1e12] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let event = Event()
        event.when = date
        event.maybe = date
        event.dates.append(date)
        event.byName["a"] = date
        for _ in 0..<2 {
          let text = "\(event)"
          let shown = "Date(timeIntervalSinceReferenceDate: \(seconds))"
          #expect(text.contains("when = \(shown)") && text.contains("maybe = \(shown)"))
          #expect("\(event.dates)".contains(shown) && "\(event.byName)".contains(shown))
          #expect(event.debugDescriptionInAnArray.contains(shown))
          // The second iteration prints the managed object.
          if event.realm == nil { try realm.write { realm.add(event) } }
        }
        let error = thrownError { try Event(validating: ["name": date]) }
        #expect(error?.value?.contains(shown(seconds)) == true)
      }
      let event = Event()
      event.when = Date(timeIntervalSince1970: 0)
      #expect("\(event)".contains("when = 1970-01-01 00:00:00 +0000"))
    }
  }

  private func shown(_ seconds: Double) -> String {
    "Date(timeIntervalSinceReferenceDate: \(seconds))"
  }

  @Test func objectIdsArePrintedAsHexadecimal() throws {
    let id = try ObjectId(string: "000102030405060708090a0b")
    let event = Event()
    event.id = id
    event.ids.append(id)
    #expect("\(event)".contains("id = 000102030405060708090a0b"))
    #expect("\(event.ids)" == "List<ObjectId> (\n\t000102030405060708090a0b\n)")
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(event) }
      let error = thrownError {
        try realm.write { realm.create(Event.self, value: ["id": id]) }
      }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(error?.value == "000102030405060708090a0b")
      #expect("\(try #require(error))".contains("value: 000102030405060708090a0b"))
    }
  }

  @Test func literalObjectIdIsNotOptional() throws {
    let id = ObjectId("000102030405060708090a0b")
    #expect(id.stringValue == "000102030405060708090a0b")
    let text = "000102030405060708090A0B"
    let parsed: ObjectId? = ObjectId(text)
    #expect(parsed == id && ObjectId(String("none")) == nil)
  }

  @Test func linkingObjectsArePrintedWithTheirCount() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item("a")
      #expect("\(item)".contains("crates = LinkingObjects<Crate> (0)"))
      #expect("\(item.crates)" == "LinkingObjects<Crate> (0)")
      try realm.write {
        realm.add(item)
        for id in 0..<3 { realm.create(Crate.self, value: ["id": id, "items": [item]]) }
        #expect("\(item.crates)" == "LinkingObjects<Crate> (3)")
      }
      #expect("\(item)".contains("crates = LinkingObjects<Crate> (3)"))
      #expect("\(item.freeze().crates)" == "LinkingObjects<Crate> (3)")
    }
  }

  @Test func controlCharactersAreEscaped() throws {
    let text = "a\0b\nc\u{1B}[31m\"d\u{7F}é"
    let event = Event()
    event.name = text
    event.names.append(text)
    event.notes[text] = text
    let escaped = #""a\0b\nc\u{1B}[31m\"d\u{7F}é""#
    #expect("\(event)".contains("name = \(escaped)\n"))
    #expect("\(event.names)" == "List<String> (\n\t\(escaped)\n)")
    #expect("\(event.notes)" == "Map<String, String> (\n\t\(escaped): \(escaped)\n)")
    let error = try #require(thrownError { try Event(validating: ["when": text]) })
    #expect(error.value?.contains(#"a\0b\nc\u{1B}[31m"d\u{7F}é"#) == true)
    #expect("\(error)".contains("\u{1B}") == false)
  }

  @Test func emptyCollectionsArePrintedOnOneLine() throws {
    let event = Event()
    #expect("\(event.names)" == "List<String> []")
    #expect("\(event.notes)" == "Map<String, String> [:]")
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(event) }
      #expect("\(event.names)" == "List<String> []")
      #expect("\(event.notes.freeze())" == "Map<String, String> [:]")
      #expect("\(event)".contains("names = List<String> (0)"))
      let events = realm.objects(Event.self)
      #expect("\(events.where { $0.name == "x" })" == "Results<Event> []")
    }
  }

  @Test func longCollectionsAreTruncated() throws {
    let event = Event()
    event.numbers.append(objectsIn: 0..<150)
    for number in 0..<150 { event.notes["\(number)"] = "x" }
    #expect("\(event.numbers)".hasSuffix("\t99,\n\t… 50 more\n)"))
    #expect("\(event.notes)".hasSuffix(",\n\t… 50 more\n)"))
    event.items.append(Item("a"))
    let lines = "\(event.items)".split(separator: "\n")
    #expect(lines.first == "List<Item> (" && lines.dropFirst().first == "\tItem {")
    #expect(lines.contains("\t  name = \"a\""))
    try withTemporaryRealm { realm, _ in
      try realm.write { for number in 0..<102 { realm.add(Item("\(number)")) } }
      let items = "\(realm.objects(Item.self))"
      #expect(items.hasPrefix("Results<Item> (\n\tItem {\n\t  name = \"0\"\n"))
      #expect(items.contains("\n\t},\n\tItem {\n\t  name = \"99\"\n"))
      #expect(items.hasSuffix(",\n\t… 2 more\n)"))
    }
  }
}

@Model final class Event: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
  @Persisted var when: Date
  @Persisted var maybe: Date?
  @Persisted var dates: List<Date>
  @Persisted var byName: Map<String, Date>
  @Persisted var ids: List<ObjectId>
  @Persisted var names: List<String>
  @Persisted var numbers: List<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var items: List<Item>
}

extension Event {
  fileprivate var debugDescriptionInAnArray: String { "\([self])" }
}

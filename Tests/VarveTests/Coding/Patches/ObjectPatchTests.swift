import Foundation
import Testing
import Varve
import VarveTestSupport

@Model final class Errand: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var priority: Int?
  @Persisted var tags: List<String>
  @Persisted var fields: Map<String, Int>
  @Persisted var place: ErrandPlace?
  @Persisted var blockedBy: Errand?

  private enum CodingKeys: String, CodingKey {
    case id, title, tags, fields, place
    case priority = "prio"
    case blockedBy = "blocked_by"
  }
}

@Model final class ErrandPlace: EmbeddedObject, Codable {
  @Persisted var room: String
  @Persisted var floor: Int
}

@Model final class ReadByHand: Object, Codable {
  @Persisted(primaryKey: true) var id: Int

  convenience init(from decoder: any Decoder) throws {
    self.init()
    id = try decoder.singleValueContainer().decode(Int.self)
  }
}

/// A class whose decoder decodes another object first.
@Model final class NestedByHand: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var inner: ReadByMacro?

  convenience init(from decoder: any Decoder) throws {
    self.init()
    inner = try decoder.singleValueContainer().decode(ReadByMacro.self)
  }
}

@Model final class ReadByMacro: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var first: String?
  @Persisted var second: String?
  @Persisted var third: String?
}

@Suite struct ObjectPatchTests {
  private func patch(_ json: String, in realm: Realm? = nil) throws -> ObjectPatch<Errand> {
    let decoder = JSONDecoder()
    if let realm {
      decoder.userInfo[.varveLinks] = LinkCoding.keys
      decoder.userInfo[.varveRealm] = realm
    }
    return try decoder.decode(ObjectPatch<Errand>.self, from: Data(json.utf8))
  }

  private func expectDecodingError<R>(
    at location: SourceLocation = #_sourceLocation, _ call: () throws -> R
  ) {
    do {
      _ = try call()
      Issue.record("The document was decoded.", sourceLocation: location)
    } catch {
      #expect(error is DecodingError, sourceLocation: location)
    }
  }

  private func expectRefused(
    _ json: String, in realm: Realm? = nil, at location: SourceLocation = #_sourceLocation
  ) {
    expectDecodingError(at: location) { try patch(json, in: realm) }
  }

  private func withErrand(_ body: (Realm, Errand) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let ticket = try realm.write {
        realm.create(
          Errand.self,
          value: [
            "id": 1, "title": "Door", "priority": 3, "tags": ["a", "b"], "fields": ["x": 1],
            "place": ["room": "hall", "floor": 2],
          ])
      }
      try body(realm, ticket)
    }
  }

  @Test func patchSetsOnlyPropertiesOfDocument() throws {
    try withErrand { realm, ticket in
      let first = try patch(#"{"title": "Gate", "unknown": [1]}"#)
      #expect(first.propertyNames == ["title"])
      try realm.write { try first.apply(to: ticket) }
      #expect(ticket.title == "Gate" && ticket.priority == 3 && Array(ticket.tags) == ["a", "b"])
      let second = try patch(#"{"prio": null, "tags": ["c"], "fields": {"y": 2}}"#)
      #expect(Set(second.propertyNames) == ["priority", "tags", "fields"])
      try realm.write { try second.apply(to: ticket) }
      #expect(ticket.priority == nil && Array(ticket.tags) == ["c"] && ticket.title == "Gate")
      #expect(ticket.fields.count == 2 && ticket.fields["x"] == 1 && ticket.fields["y"] == 2)
      try realm.write { try patch(#"{"place": {"room": "attic", "floor": 5}}"#).apply(to: ticket) }
      #expect(ticket.place?.room == "attic" && ticket.place?.floor == 5)
      try realm.write { try patch(#"{"place": null, "id": 1}"#).apply(to: ticket) }
      #expect(ticket.place == nil && ticket.title == "Gate")
      try realm.write { try patch("{}").apply(to: ticket) }
      #expect(ticket.title == "Gate" && realm.objects(Errand.self).count == 1)
    }
  }

  @Test func patchNotifiesOnlySetProperties() throws {
    try withErrand { realm, ticket in
      let events = EventRecorder<[String]>()
      let token = try ticket.observe { (change: ObjectChange<Errand>) in
        if case .change(_, let properties) = change { events.note(properties.map(\.name)) }
      }
      try realm.write { try patch(#"{"prio": 9}"#).apply(to: ticket) }
      #expect(events.wait(for: 1) == [["priority"]])
      token.invalidate()
    }
  }

  @Test func patchLooksUpLinksInRealm() throws {
    try withErrand { realm, ticket in
      let other = try realm.write { realm.create(Errand.self, value: ["id": 2, "title": "Lock"]) }
      try realm.write { try patch(#"{"blocked_by": 2}"#, in: realm).apply(to: ticket) }
      #expect(ticket.blockedBy == other)
      expectRefused(#"{"blocked_by": 7}"#, in: realm)
      // A nested document of a new object requires all its properties.
      let incomplete = try patch(#"{"title": "Bar", "blocked_by": {"id": 3}}"#)
      try realm.write {
        let error = thrownError { try incomplete.apply(to: ticket) }
        #expect(error?.code == .missingValue && error?.details == ["Errand.title"])
      }
      #expect(ticket.title == "Door")
      let nested = try patch(#"{"blocked_by": {"id": 3, "title": "Key"}}"#)
      try realm.write { try nested.apply(to: ticket) }
      #expect(ticket.blockedBy?.title == "Key" && realm.objects(Errand.self).count == 3)
    }
  }

  @Test func invalidDocumentIsRejectedBeforeWrite() throws {
    expectRefused(#"{"title": 7}"#)
    expectRefused(#"{"title": null}"#)
    expectRefused("[1]")
    expectDecodingError {
      try JSONDecoder().decode(ObjectPatch<ReadByHand>.self, from: Data("7".utf8))
    }
    expectDecodingError {
      try JSONDecoder().decode(
        ObjectPatch<NestedByHand>.self, from: Data(#"{"id": 7, "third": "x"}"#.utf8))
    }
  }

  @Test func invalidPatchIsRejectedAndSetsNothing() throws {
    try withErrand { realm, ticket in
      let patch = try patch(#"{"title": "Gate", "id": 5}"#)
      try realm.write {
        let error = thrownError { try patch.apply(to: ticket) }
        #expect(error?.code == .primaryKeyChanged && error?.className == "Errand")
        #expect(error?.propertyName == "id" && error?.value == "5")
        #expect(ticket.title == "Door")
      }
      let title = try self.patch(#"{"title": "Gate"}"#)
      expectError(.notInWriteTransaction) { try title.apply(to: ticket) }
      let unmanaged = Errand(value: ["id": 8, "title": "x"])
      try title.apply(to: unmanaged)
      #expect(unmanaged.title == "Gate" && unmanaged.id == 8)
      try realm.write { realm.delete(ticket) }
      try realm.write { expectError(.invalidatedObject) { try title.apply(to: ticket) } }
    }
  }

  @Test func documentIsDecodedIntoObject() throws {
    try withErrand { realm, ticket in
      try realm.write {
        try JSONDecoder().decode(into: ticket, from: Data(#"{"title": "Hatch"}"#.utf8))
      }
      #expect(ticket.title == "Hatch" && ticket.priority == 3)
    }
  }
}

import Foundation
import Testing
import Varve

@Model final class Widths: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16?
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var int: Int?
  @Persisted var wide: List<Int64>
  @Persisted var narrow: Map<String, Int8>
  @Persisted var links: List<Widths>
}

/// The types of values that are read by name.
@Suite struct DeclaredWidthTests {
  private let value: [String: Any] = [
    "id": 1, "int8": -128, "int16": 7, "int32": 8, "int64": 9, "int": 10, "wide": [1, 2],
    "narrow": ["a": 3],
  ]

  private func check(_ object: Widths) throws {
    #expect(object["int8"] as? Int8 == -128 && object["int16"] as? Int16 == 7)
    #expect(object["int32"] as? Int32 == 8 && object["int64"] as? Int64 == 9)
    #expect(object["int"] as? Int == 10 && object["id"] as? Int == 1)
    #expect(try object.value(forKeyPath: "wide.@max.self") as? Int64 == 2)
    #expect(try object.wide.value(forKey: "self") as? [Int64] == [1, 2])
    #expect(try object.narrow.value(forKey: "a") as? Int8 == 3)
    #expect(try object.narrow.value(forKey: "@allValues") as? [Int8] == [3])
  }

  @Test func propertiesAndElementsHaveTheDeclaredWidth() throws {
    try check(Widths(value: value))
    try withTemporaryRealm { realm, _ in
      let object = try realm.write {
        let object = realm.create(Widths.self, value: value)
        object.links.append(object)
        try check(object)
        return object
      }
      try check(object)
      #expect(try object.links.value(forKey: "int8") as? [Int8] == [-128])
      #expect(try object.value(forKeyPath: "links.int16") as? [Int16] == [7])
    }
  }

  @Test func objectsOfUndeclaredClassesHaveTheStoredWidth() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { _ = realm.create(Widths.self, value: value) }
      let object = try #require(try realm.dynamicObject(ofType: "Widths", forPrimaryKey: 1))
      #expect(object["int8"] as? Int8 == -128 && object["int16"] as? Int16 == 7)
      #expect(object["int32"] as? Int32 == 8 && object["int64"] as? Int == 9)
    }
  }

  @Test func changesHaveTheDeclaredWidth() throws {
    try withTemporaryRealm { realm, _ in
      let object = try realm.write { realm.create(Widths.self, value: value) }
      let events = EventRecorder<[PropertyChange]>()
      let token = try object.observe { (change: ObjectChange<Widths>) in
        if case .change(_, let properties) = change { events.note(properties) }
      }
      try realm.write {
        object.int8 = 1
        object.int64 = 2
      }
      let properties = try #require(events.wait(for: 1).first)
      #expect(properties.map(\.name) == ["int8", "int64"])
      #expect(properties.map { $0.newValue as? Int8 } == [1, nil])
      #expect(properties.map { $0.oldValue as? Int64 } == [nil, 9])
      token.invalidate()
    }
  }
}

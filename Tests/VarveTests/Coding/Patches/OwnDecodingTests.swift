import Foundation
import Testing
import Varve

/// A class that decodes itself, with a default for what the document lacks.
@Model private final class OwnNote: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
  @Persisted var kept = 1

  private enum Keys: String, CodingKey { case id, label }

  convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Keys.self)
    id = try container.decode(Int.self, forKey: .id)
    if let text = try container.decodeIfPresent(String.self, forKey: .label) { label = text }
  }
}

/// A class that decodes itself and has no primary key.
@Model private final class OwnLog: Object, Codable {
  @Persisted var text: String

  convenience init(from decoder: any Decoder) throws {
    self.init()
    text = try decoder.singleValueContainer().decode(String.self)
  }
}

/// A class that is decoded from `"2x3"`, or from a document with defaults.
@Model private final class OwnSize: EmbeddedObject, Codable {
  @Persisted var width: Int
  @Persisted var height: Int
  @Persisted var unit = "cm"

  private enum Keys: String, CodingKey { case width, height }

  convenience init(from decoder: any Decoder) throws {
    self.init()
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      let numbers = text.split(separator: "x").compactMap { Int($0) }
      (width, height) = (numbers[0], numbers[1])
      return
    }
    let container = try decoder.container(keyedBy: Keys.self)
    width = try container.decodeIfPresent(Int.self, forKey: .width) ?? 0
    height = try container.decodeIfPresent(Int.self, forKey: .height) ?? 0
  }
}

/// A class that encodes itself, and decodes its properties.
@Model private final class OwnEncoding: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(label)
  }
}

@Model private final class OwnHolder: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: OwnNote?
  @Persisted var notes: List<OwnNote>
  @Persisted var log: OwnLog?
  @Persisted var logs: List<OwnLog>
  @Persisted var size: OwnSize?
  @Persisted var sizes: List<OwnSize>
  @Persisted var sizesByName: Map<String, OwnSize?>
  @Persisted var encoding: OwnEncoding?
}

@Model private class Decoded: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label = ""
  @Persisted var note: String?
}

/// A subclass that changes what its superclass decodes.
@Model private final class Changing: Decoded {
  required convenience init(from decoder: any Decoder) throws {
    self.init()
    try _$decode(from: decoder)
    label = label.uppercased()
  }
}

/// A subclass that only looks at what its superclass decodes.
private final class Validating: Decoded, @unchecked Sendable {
  struct NoLabel: Error {}

  required init() { super.init() }

  required init(from decoder: any Decoder) throws {
    super.init()
    try _$decode(from: decoder)
    if label.count > 5 { throw NoLabel() }
  }
}

/// Patches of classes that implement `init(from:)` or `encode(to:)` themselves.
struct OwnDecodingTests {
  private func withHolder(_ body: (Realm, OwnHolder) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let holder = try realm.write {
        realm.create(
          OwnHolder.self,
          value: [
            "id": 1, "note": ["id": 7, "label": "old", "kept": 9],
            "size": ["width": 1, "height": 2, "unit": "mm"],
            "sizesByName": ["k": ["width": 3, "height": 4, "unit": "mm"]],
          ] as [String: Any])
      }
      try body(realm, holder)
    }
  }

  private func upsert(_ document: String, in realm: Realm) throws {
    let patch: ObjectPatch<OwnHolder> = try decoded(document)
    try realm.write { try realm.upsert(patch) }
  }

  /// Expects that a document is refused, with the class and the path of the object.
  private func expectRefused<T: Object & Decodable>(
    _ document: String, as type: T.Type, _ name: String, at path: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try decoded(document, as: ObjectPatch<T>.self)
      Issue.record("The document was decoded.", sourceLocation: location)
    } catch DecodingError.dataCorrupted(let context) {
      let text = "\(name) implements init(from:) itself and cannot be patched."
      #expect(context.debugDescription.hasSuffix(text), sourceLocation: location)
      #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: location)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  @Test func patchedClassIsRefused() {
    expectRefused(#"{"id":7,"label":"l"}"#, as: OwnNote.self, "OwnNote")
    expectRefused(#"{"id":7}"#, as: OwnNote.self, "OwnNote")
  }

  @Test func subclassThatReadsOrChangesDecodedPropertiesIsRefused() throws {
    let changed: Changing = try decoded(#"{"id":1,"label":"a"}"#)
    #expect(changed.label == "A")
    expectRefused(#"{"id":1,"label":"a"}"#, as: Changing.self, "Changing")
    expectRefused(#"{"id":1,"label":"a"}"#, as: Validating.self, "Validating")
    let patch: ObjectPatch<Decoded> = try decoded(#"{"id":1,"label":"a"}"#)
    #expect(patch.propertyNames == ["id", "label"])
  }

  @Test func linkedObjectWithKeyIsOnlyReferredTo() throws {
    expectRefused(
      #"{"id":1,"note":{"id":7,"label":"new"}}"#, as: OwnHolder.self, "OwnNote", at: ["note"])
    expectRefused(
      #"{"id":1,"notes":[{"id":7},{"id":8,"label":"new"}]}"#, as: OwnHolder.self, "OwnNote",
      at: ["notes", "Index 1"])
    try withHolder { realm, holder in
      try upsert(#"{"id":1,"note":null,"notes":[{"id":7}]}"#, in: realm)
      #expect(holder.note == nil && holder.notes.map(\.label) == ["old"])
      #expect(holder.notes[0].kept == 9)
      let patch: ObjectPatch<OwnHolder> = try decoded(#"{"id":1,"note":7}"#) {
        $0.userInfo[.varveLinks] = LinkCoding.keys
      }
      try realm.write { try realm.upsert(patch) }
      #expect(holder.note?.label == "old")
    }
  }

  @Test func linkedObjectWithoutKeyIsInserted() throws {
    try withHolder { realm, holder in
      try upsert(#"{"id":1,"log":"a","logs":["b","c"]}"#, in: realm)
      #expect(holder.log?.text == "a" && holder.logs.map(\.text) == ["b", "c"])
      #expect(realm.objects(OwnLog.self).count == 3)
    }
  }

  /// A document with members would have to be merged.
  @Test func embeddedObjectIsReplaced() throws {
    expectRefused(#"{"id":1,"size":{"width":5}}"#, as: OwnHolder.self, "OwnSize", at: ["size"])
    expectRefused(
      #"{"id":1,"sizesByName":{"k":{"width":5}}}"#, as: OwnHolder.self, "OwnSize",
      at: ["sizesByName", "k"])
    try withHolder { realm, holder in
      let size = holder.size
      try upsert(#"{"id":1,"size":"5x6","sizesByName":{"k":"7x8","l":"9x9"}}"#, in: realm)
      #expect(holder.size?.width == 5 && holder.size?.height == 6 && holder.size?.unit == "cm")
      #expect(size?.isInvalidated == true)
      let named = holder.sizesByName["k"] ?? nil
      #expect(named?.width == 7 && named?.unit == "cm" && holder.sizesByName.count == 2)
      try upsert(#"{"id":1,"sizes":[{"width":3},"4x5"],"size":null}"#, in: realm)
      #expect(holder.sizes.map(\.width) == [3, 4] && holder.sizes.map(\.height) == [0, 5])
      #expect(holder.size == nil)
    }
  }

  @Test func classThatEncodesItselfIsPatched() throws {
    try withHolder { realm, holder in
      try upsert(#"{"id":1,"encoding":{"id":3,"label":"a"}}"#, in: realm)
      let patch: ObjectPatch<OwnEncoding> = try decoded(#"{"id":3,"label":"b"}"#)
      try realm.write { try realm.upsert(patch) }
      #expect(holder.encoding?.label == "b" && holder.encoding?.id == 3)
      #expect(try sortedJSON(holder.encoding) == #""b""#)
    }
  }
}

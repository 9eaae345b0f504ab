import Foundation
import Testing
import Varve

/// Searches in a text that nearly contains the part at each position, which would take hours if
/// each position were tried separately.
@Suite struct LongSearchTests {
  @Model final class Letter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var part: String
    @Persisted(indexed: true) var indexed: String
    @Persisted var data: Data
    @Persisted var value: AnyRealmValue
    @Persisted var texts: List<String>
    @Persisted var datas: List<Data>
    @Persisted var names: MutableSet<String>
    @Persisted var byKey: Map<String, String>
    @Persisted var next: Letter?
  }

  private static let text = String(repeating: "a", count: 1_000_000)
  private static let part = String(repeating: "a", count: 400_000) + "b"

  private func withLetter(_ body: (Realm, Results<Letter>) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      let text = Self.text
      try realm.write {
        realm.create(
          Letter.self,
          value: [
            "id": 1, "text": text, "part": Self.part, "indexed": text, "data": Data(text.utf8),
            "value": text, "texts": [text], "datas": [Data(text.utf8)], "names": [text],
            "byKey": ["a": text], "next": ["id": 2, "text": text, "value": Data(text.utf8)],
          ])
      }
      try body(realm, realm.objects(Letter.self).where { $0.id == 1 })
    }
  }

  @Test(arguments: [
    "text CONTAINS %@", "indexed CONTAINS %@", "value CONTAINS %@", "next.text CONTAINS %@",
    "ANY texts CONTAINS %@", "ANY names CONTAINS %@", "ANY byKey.@allValues CONTAINS %@",
    "byKey['a'] CONTAINS %@", "texts[0] CONTAINS %@", "text CONTAINS[c] %@", "text CONTAINS[d] %@",
    "NOT (text CONTAINS %@)", "text LIKE $1", "text LIKE[c] $1", "value LIKE $1",
    "SUBQUERY(texts, $t, $t CONTAINS %@).@count > 0",
  ])
  func stringSearchTakesLinearTime(predicate: String) throws {
    try withLetter { realm, letters in
      let isPattern = predicate.contains("$1")
      let predicate = predicate.replacing("$1", with: "%@")
      for (part, isFound) in [(Self.part, false), (String(Self.part.dropLast()), true)] {
        let glob = "*" + part + "*"
        let found = try letters.filter(predicate, isPattern ? glob : part)
        #expect(found.isEmpty != (isFound != predicate.hasPrefix("NOT")))
      }
    }
  }

  @Test func dataAndPropertySearchTakesLinearTime() throws {
    try withLetter { realm, letters in
      let (part, data) = (Self.part, Data(Self.part.utf8))
      #expect(letters.where { $0.text.contains(part) }.isEmpty)
      #expect(letters.where { $0.text.contains($0.part) }.isEmpty)
      #expect(letters.where { $0.part.contains($0.part) }.count == 1)
      #expect(letters.where { $0.data.contains(data) }.isEmpty)
      #expect(letters.where { $0.data.contains(data.dropLast()) }.count == 1)
      #expect(letters.where { $0.value.contains(part) }.isEmpty)
      #expect(letters.where { $0.next.value.contains(data) }.isEmpty)
      #expect(try letters.filter("ANY datas CONTAINS %@", data).isEmpty)
      let letter = try #require(letters.first)
      #expect(letter.texts.where { $0.contains(part) }.isEmpty)
      #expect(letter.datas.where { $0.contains(data) }.isEmpty)
      #expect(letter.names.where { $0.contains(part) }.isEmpty)
      try realm.write { #expect(letters.where { $0.text.contains(part) }.isEmpty) }
    }
  }

  @Test func longPatternsWithQuestionMarkAfterStarThrow() throws {
    try withLetter { realm, letters in
      let pattern = "*" + String(repeating: "a", count: 10_000) + "?b"
      expectError(.invalidInput) { try letters.filter("text LIKE %@", pattern) }
      let counts = try [pattern.dropFirst() + "*", "*aaa?b", "a*aaa?a"].map { (pattern) throws in
        try letters.filter("text LIKE %@", String(pattern)).count
      }
      #expect(counts == [0, 0, 1])
    }
  }
}

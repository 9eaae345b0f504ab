import Testing
import Varve

private enum Indexes {
  @Model(indexes: [["lastName", "firstName"]], unique: [["country", "number"]])
  final class Contact: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var country = ""
    @Persisted var number: Int?
    @Persisted(unique: true) var email: String?
    @Persisted(fullText: true) var notes = ""
  }
}

@Suite struct IndexesTests {
  private typealias Contact = Indexes.Contact

  @Test func duplicateIsRejected() async throws {
    try await withTemporaryRealm { realm, _ in
      var isRefused = false
      func print(_ text: String) { isRefused = true }
      do {
        try await realm.write {
          realm.add(Contact(email: "ada@example.org"))
          realm.add(Contact(email: "ada@example.org"))
        }
      } catch Realm.Error.Code.duplicateValue {
        print("somebody has this address")
      }
      #expect(isRefused)
      #expect(realm.objects(Contact.self).isEmpty)
    }
  }

  @Test func searchReturnsRankedObjects() async throws {
    try await withTemporaryRealm { realm, _ in
      try await realm.write {
        for notes in ["the sea", "a stormy sea", "two storms at sea, the sea"] {
          realm.add(Contact(notes: notes))
        }
      }
      var found: [String] = []
      func print(_ rank: Double, _ notes: String) { found.append(notes) }
      for hit in realm.objects(Contact.self).search("sea storm*", in: \.notes, limit: 10) {
        print(hit.rank, hit.object.notes)
      }
      #expect(found == ["two storms at sea, the sea", "a stormy sea"])
    }
  }
}

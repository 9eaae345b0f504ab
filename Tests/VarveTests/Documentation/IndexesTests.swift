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
}

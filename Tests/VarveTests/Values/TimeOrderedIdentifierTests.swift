import Foundation
import Testing

@testable import Varve

@Model final class TimeOrderedNote: Object {
  @Persisted(primaryKey: true) var id: UUID = .v7()
  @Persisted var number: Int
}

/// Identifiers that are ordered by time (RFC 9562, version 7).
@Suite struct TimeOrderedIdentifierTests {
  @Test func identifierHasTimeVersionAndVariant() throws {
    // The example of RFC 9562, appendix A.6: 2022-02-22T19:22:22.00Z.
    let time = Date(timeIntervalSince1970: 1_645_557_742)
    let id = TimeOrderedIdentifiers().next(at: time)
    #expect(id.uuidString.hasPrefix("017F22E2-79B0-7000-"))
    #expect("89AB".contains(try #require(id.uuidString.dropFirst(19).first)))
    // Half a millisecond is half of the 12 bits after the version.
    let later = TimeOrderedIdentifiers().next(at: time + 0.0005)
    #expect(later.uuidString.hasPrefix("017F22E2-79B0-7800-"))
  }

  @Test func identifiersAscendWhenTimeStandsStillOrGoesBack() {
    let identifiers = TimeOrderedIdentifiers()
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let all = (0..<10_000).map { identifiers.next(at: time - Double($0)) }
    #expect(all == all.sorted())
    #expect(Set(all).count == all.count)
  }

  @Test func threadsGenerateDistinctAscendingIdentifiers() async {
    let lists = await withTaskGroup(of: [UUID].self) { group in
      for _ in 0..<8 { group.addTask { (0..<2_000).map { _ in UUID.v7() } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(lists.allSatisfy { $0 == $0.sorted() })
    #expect(Set(lists.joined()).count == 16_000)
  }

  @Test func defaultIsEvaluatedForEachObjectAndKeepsOrderOfCreation() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for number in 0..<500 { realm.create(TimeOrderedNote.self, value: ["number": number]) }
      }
      let notes = realm.objects(TimeOrderedNote.self)
      #expect(notes.sorted(by: \.id).map(\.number) == Array(0..<500))
      #expect(realm.object(ofType: TimeOrderedNote.self, forPrimaryKey: notes[7].id)?.number == 7)
      try store.check("identifiers")
    }
  }
}

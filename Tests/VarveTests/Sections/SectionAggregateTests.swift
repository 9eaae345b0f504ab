import Foundation
import Testing
import Varve

@Suite struct SectionAggregateTests {
  enum Grade: Int, PersistableEnum { case good = 1, bad }

  @Model final class Sale: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var shop: String
    @Persisted var amount: Int
    @Persisted var rebate: Double?
    @Persisted var price: Decimal128
    @Persisted var date: Date
    @Persisted var warmth: Warmth
    @Persisted var grade: Grade
    @Persisted var previous: Sale?
  }

  private func addSales(to realm: Realm) throws {
    try realm.write {
      for id in 0..<20 {
        realm.create(
          Sale.self,
          value: [
            "id": id, "shop": "s\(id % 3)", "amount": id, "rebate": id % 2 == 0 ? nil : Double(id),
            "price": Decimal128(Double(id)),
            "date": Date(timeIntervalSince1970: Double(id)),
            "warmth": Double(id), "grade": id < 10 ? 2 : 1,
            "previous": realm.object(ofType: Sale.self, forPrimaryKey: id - 1) as Any,
          ] as [String: Any?])
      }
    }
  }

  @Test func aggregatesOfSectionsMatchThoseOfObjects() throws {
    try withTemporaryRealm { realm, _ in
      try addSales(to: realm)
      let sections = realm.objects(Sale.self).sectioned(by: \.shop)
      #expect(sections.count == 3)
      func check(_ sections: SectionedResults<String, Sale>) {
        for section in sections {
          let sales = realm.objects(Sale.self).where { $0.shop == section.key }
          #expect(section.sum(of: \.amount) == sales.sum(of: \.amount))
          #expect(section.sum(of: \.rebate) == sales.sum(of: \.rebate))
          #expect(section.sum(of: \.price) == sales.sum(of: \.price))
          #expect(section.sum(of: \.warmth) == sales.sum(of: \.warmth))
          #expect(section.average(of: \.amount) == sales.average(of: \.amount))
          #expect(section.average(of: \.rebate) == sales.average(of: \.rebate))
          #expect(
            (section.average(of: \.price) as Decimal128?) == sales.average(of: \.price))
          #expect(section.average(of: \.warmth) == sales.average(of: \.warmth))
          #expect(section.min(of: \.amount) == sales.min(of: \.amount))
          #expect(section.max(of: \.amount) == sales.max(of: \.amount))
          #expect(section.min(of: \.rebate) == sales.min(of: \.rebate))
          #expect(section.max(of: \.rebate) == sales.max(of: \.rebate))
          #expect(section.max(of: \.date) == sales.max(of: \.date))
          #expect(section.min(of: \.grade) == sales.min(of: \.grade))
          #expect(section.max(of: \.grade) == sales.max(of: \.grade))
          #expect(section.max(of: \.previous?.amount) == sales.max(of: \.previous?.amount))
        }
      }
      check(sections)
      check(sections.freeze())
      try realm.write {
        realm.objects(Sale.self).first?.amount = 1000
        check(sections)
        #expect(sections.map { $0.sum(of: \.amount) }.max() == 1063)
        realm.delete(realm.objects(Sale.self).where { $0.shop == "s1" })
        check(sections)
      }
      #expect(sections.map(\.key) == ["s0", "s2"])
    }
  }

  @Test func emptySectionHasNoExtremes() throws {
    try withTemporaryRealm { realm, _ in
      try addSales(to: realm)
      let section = realm.objects(Sale.self).sectioned(by: \.shop)[0]
      try realm.write { realm.deleteAll() }
      #expect(section.sum(of: \.amount) == 0 && section.average(of: \.amount) == nil)
      #expect(section.min(of: \.amount) == nil && section.max(of: \.rebate) == nil)
    }
  }

  @Test func sectionsOfValuesHaveAggregates() throws {
    try withTemporaryRealm { realm, _ in
      let party = try realm.write {
        realm.create(Party.self, value: ["id": 1, "numbers": [5, 2, 3, 8, 1]])
      }
      let sections = party.numbers.sectioned(by: { $0 % 2 }, ascending: true)
      #expect(sections.map(\.key) == [1, 0])
      #expect(sections.map { $0.sum() } == [9, 10] && sections.map { $0.average() } == [3, 5])
      #expect(sections.map { $0.min() } == [1, 2] && sections.map { $0.max() } == [5, 8])
    }
  }
}

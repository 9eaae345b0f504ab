import Foundation
import Testing
import Varve
import VarveTestSupport

@Model final class Paged: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var bool: Bool?
  @Persisted(indexed: true) var int: Int?
  @Persisted(indexed: true) var double: Double?
  @Persisted(indexed: true) var string: String?
  @Persisted(indexed: true) var data: Data?
  @Persisted(indexed: true) var date: Date?
  @Persisted(indexed: true) var uuid: UUID?
  @Persisted(indexed: true) var objectId: ObjectId?
  @Persisted(indexed: true) var decimal: Decimal128?
}

/// Pages in the order of an index of each type.
@Suite struct PageTests {
  private static let properties = [
    "id", "bool", "int", "double", "string", "data", "date", "uuid", "objectId", "decimal",
  ]
  /// Strings around the length at which keys are truncated, with a shared prefix.
  private static let strings = [3, 439, 440, 441, 500].flatMap { count in
    ["a", "b"].map { String(repeating: "s", count: count) + $0 }
  }

  private func add(_ count: Int, to realm: Realm, _ random: inout SeededRandom) {
    for _ in 0..<count {
      let object = Paged()
      object.id = UUID()
      object.bool = random.chance(20) ? nil : random.chance(50)
      object.int = random.chance(20) ? nil : random.below(40)
      object.double = random.chance(20) ? nil : random.element(ValueSample.doubles)
      object.string = random.chance(20) ? nil : random.element(Self.strings)
      object.data = random.chance(20) ? nil : Data((random.element(Self.strings) ?? "").utf8)
      object.date = random.chance(20) ? nil : random.element(ValueSample.dates)
      object.uuid = random.chance(20) ? nil : random.element(ValueSample.uuids)
      object.objectId = random.chance(20) ? nil : random.element(ValueSample.objectIds)
      object.decimal = random.chance(20) ? nil : random.element(ValueSample.decimals)
      realm.add(object)
    }
  }

  @Test(arguments: [true, false])
  func pagesOfEachTypeStartInIndex(isAscending: Bool) throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Paged.self)
      try realm.write { add(400, to: realm, &random) }
      try realm.write {
        // Before and after changes in the write.
        for _ in 0..<2 {
          for property in Self.properties {
            let sorted = try all.sorted(byKeyPath: property, ascending: isAscending)
            checkPages(sorted, property, "\(random)")
          }
          add(50, to: realm, &random)
        }
      }
    }
  }

  private func checkPages(
    _ sorted: Results<Paged>, _ property: String, _ comment: Comment
  ) {
    let expected = sorted.map(\.id)
    var found: [UUID] = []
    var page = sorted.page(after: nil, count: 9)
    while let last = page.last, found.count < expected.count {
      found += page.map(\.id)
      page = sorted.page(after: last, count: 9)
      // The other types contain NaN, which is in no range, or strings that keys truncate.
      guard ["id", "bool", "uuid"].contains(property) else { continue }
      // Among the objects with null, the objects after the last one in the class may be fewer.
      let isNull = property == "bool" && last.bool == nil || property == "uuid" && last.uuid == nil
      if isNull { continue }
      let step: QueryPlan.Step =
        property == "id" ? .primaryKey(property: "id") : .index(property: property)
      #expect(page.explain().steps.first == step, "\(page.explain())")
    }
    #expect(found == expected, comment)
    #expect(page.isEmpty)
  }

  /// Between keys, above all keys and below all keys.
  @Test func descendingKeyOrderRespectsRange() throws {
    try withTemporaryRealm { realm, _ in
      try realm.addPlanned(9)
      try realm.write {
        realm.delete(realm.objects(Planned.self).where { $0.id == 7 || $0.id == 0 })
      }
      let all = realm.objects(Planned.self)
      let empty = [
        all.where { $0.id == 7 }, all.where { $0.id > 100 }, all.where { $0.id < 1 },
        all.where { $0.id > 6 && $0.id < 8 }, all.where { $0.id == 7 && $0.plain < 50 },
      ]
      func check() {
        for results in empty {
          let sorted = results.sorted(by: \.id, ascending: false)
          #expect(sorted.isEmpty && sorted.first == nil && sorted.last == nil)
          #expect(Array(sorted).isEmpty && sorted.limit(1).map(\.id) == [])
        }
        #expect(
          all.where { $0.id >= 6 && $0.id < 100 }.sorted(by: \.id, ascending: false).map(\.id)
            == [8, 6])
      }
      check()
      try realm.write {
        all.first?.plain += 1
        check()
      }
    }
  }

  /// Sparse ids, of which few satisfy the condition.
  @Test func descendingKeyOrderHandlesGaps() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for number in 0..<2000 {
          let id = number < 1000 ? number : Int(truncatingIfNeeded: random.next())
          realm.create(Planned.self, value: ["id": id, "plain": number % 100], update: .modified)
        }
      }
      let all = realm.objects(Planned.self)
      for most in [1, 50, 100] {
        let some = all.where { $0.plain < most }
        let expected = Array(some.map(\.id).sorted().reversed())
        for limit in [1, 17, 300, 1500] {
          let last = some.sorted(by: \.id, ascending: false).limit(limit)
          #expect(last.map(\.id) == Array(expected.prefix(limit)), "\(random)")
        }
      }
    }
  }
}

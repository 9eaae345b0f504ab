import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Model final class IndexedValues: Object {
  @Persisted(indexed: true) var bool: Bool
  @Persisted(indexed: true) var int: Int?
  @Persisted(indexed: true) var int8: Int8
  @Persisted(indexed: true) var float: Float
  @Persisted(indexed: true) var double: Double?
  @Persisted(indexed: true) var string: String?
  @Persisted(indexed: true) var data: Data
  @Persisted(indexed: true) var date: Date?
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var objectId: ObjectId?
  @Persisted(indexed: true) var decimal: Decimal128?
  @Persisted(indexed: true) var level: Level
}

@Suite struct IndexedValueTests {
  /// For every value of a property, its index contains the entry of the value and no other.
  @Test func indexEntriesFollowValues() throws {
    var random = SeededRandom()
    let comment: Comment = "\(random)"
    let strings = ValueSample.strings.filter { $0.utf8.count < 1_000 } + Self.longStrings
    let datas = ValueSample.datas.filter { $0.count < 1_000 }
    try withTemporaryRealm { realm, store in
      let objects = try realm.write { (0..<6).map { _ in realm.create(IndexedValues.self) } }
      for _ in 0..<60 {
        try realm.write {
          for object in objects where random.chance(50) {
            object.bool = random.chance(50)
            object.int = random.chance(20) ? nil : [0, -1, .min, .max][random.below(4)]
            object.int8 = [0, -1, .min, .max][random.below(4)]
            object.float = random.element(ValueSample.floats) ?? 0
            object.double = random.chance(20) ? nil : random.element(ValueSample.doubles)
            object.string = random.chance(20) ? nil : random.element(strings)
            object.data = random.element(datas) ?? Data()
            object.date = random.chance(20) ? nil : random.element(ValueSample.dates)
            object.uuid = random.element(ValueSample.uuids) ?? UUID()
            object.objectId = random.chance(20) ? nil : random.element(ValueSample.objectIds)
            object.decimal = random.chance(20) ? nil : random.element(ValueSample.decimals)
            object.level = random.element(Level.allCases) ?? .low
          }
        }
        try store.check(comment)
      }
      #expect(try store.report().indexEntryCount == 72)
      try realm.write { realm.delete(objects.dropLast()) }
      #expect(try store.report().indexEntryCount == 12)
    }
  }

  /// Strings around the length at which keys are truncated, with a shared prefix.
  private static let longStrings = [436, 437, 438, 439, 440, 441, 500].flatMap { count in
    ["a", "b", "\u{0}"].map { String(repeating: "s", count: count) + $0 }
  }

  @Test func negativeZeroIsStoredAndKeepsItsEntry() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write {
        realm.create(IndexedValues.self, value: ["double": 0.0, "float": Float(0)])
      }
      try realm.write {
        object.date = Date(timeIntervalSinceReferenceDate: 0)
        object.double = -0.0
        object.float = -0.0
      }
      try realm.write { object.date = Date(timeIntervalSinceReferenceDate: -0.0) }
      #expect(object.double?.sign == .minus && object.float.sign == .minus)
      #expect(object.date?.timeIntervalSinceReferenceDate.sign == .minus)
      try store.check()
      let all = realm.objects(IndexedValues.self)
      #expect(all.where { $0.double == 0 }.count == 1 && all.where { $0.float == 0 }.count == 1)
    }
  }
}

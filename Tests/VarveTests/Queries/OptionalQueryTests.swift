import Foundation
import Testing
import Varve

@Model private final class Ranged: Object {
  @Persisted var number: Int
  @Persisted var level: Int?
  @Persisted var unit: Unit?
}

@Suite struct OptionalQueryTests {
  @Test func optionalPropertiesMatchRanges() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for number in 0..<6 {
          realm.create(
            Ranged.self,
            value: ["number": number, "level": number == 0 ? nil : number as Any?, "unit": "gram"])
        }
      }
      let all = realm.objects(Ranged.self)
      #expect(all.where { $0.level.contains(2...4) }.map(\.number) == [2, 3, 4])
      #expect(all.where { $0.level.contains(0..<3) }.map(\.number) == [1, 2])
      #expect(all.where { !$0.level.contains(0...9) }.map(\.number) == [0])
      #expect(all.where { $0.unit.rawValue == "gram" }.count == 6)
    }
  }
}

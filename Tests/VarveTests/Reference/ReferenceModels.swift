import Foundation
import Varve

@Model final class Spice: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var grams = 0
  @Persisted var heat: Double?
  @Persisted var picked: Date?
  @Persisted var price: Decimal128?
  @Persisted var photo: Data?
  @Persisted var blend: Spice?
  @Persisted var parts: List<Spice>
  @Persisted(originProperty: "row") var pantries: LinkingObjects<Pantry>
}

@Model final class Pantry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var spices: Map<String, Spice?>
  @Persisted var counts: Map<String, Int>
  @Persisted var notes: Map<String, String?>
  @Persisted var dates: Map<String, Date>
  @Persisted var prices: Map<String, Decimal128>
  @Persisted var heats: Map<String, Double?>
  @Persisted var row: List<Spice>
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String?>
}

/// Runs a test with a pantry.
///
/// Its spices 1, 2 and 3 are salt, mint and salt, of 30, 10 and 20 grams. The map has 1 under `a`
/// and `d`, 2 under `b`, 3 under `c`, and null under `e`; the list contains 3, 1, 2 and 3.
func withPantry(_ body: (Realm, Pantry, TemporaryRealm) throws -> Void) throws {
  try withTemporaryRealm { realm, store in
    let pantry = PantryFixture.make()
    try realm.write { realm.add(pantry) }
    try body(realm, pantry, store)
  }
}

enum PantryFixture {
  /// An unmanaged pantry.
  static func make() -> Pantry {
    let pantry = Pantry()
    pantry.id = 1
    let spices = [("salt", 30), ("mint", 10), ("salt", 20)].enumerated().map { index, spice in
      Spice(value: ["id": index + 1, "name": spice.0, "grams": spice.1])
    }
    spices[1].heat = 0.5
    spices[2].heat = 1.5
    spices[0].blend = spices[1]
    for (key, index) in [("a", 0), ("b", 1), ("c", 2), ("d", 0)] {
      pantry.spices[key] = spices[index]
    }
    pantry.spices["e"] = .some(nil)
    pantry.row.append(objectsIn: [2, 0, 1, 2].map { spices[$0] })
    for (key, count) in ["x": 3, "y": 1, "z": 3] { pantry.counts[key] = count }
    pantry.notes["a"] = "b"
    pantry.notes["none"] = .some(nil)
    pantry.numbers.append(objectsIn: [3, 1, 2, 3])
    pantry.words.append(objectsIn: ["b", nil, "a", "b"])
    return pantry
  }
}

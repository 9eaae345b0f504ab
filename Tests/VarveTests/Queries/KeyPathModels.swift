import Foundation
import Varve

protocol HasName { var name: String { get } }

/// A class with stored and computed properties.
@Model class Animal: Object, HasName {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var legs = 4
  @Persisted var age: Int?
  @Persisted var weight: Double
  @Persisted var born: Date?
  @Persisted var isWild: Bool
  @Persisted var level: Level
  @Persisted var mood: Level?
  @Persisted var chip: UUID
  @Persisted var friend: Animal?
  @Persisted var owner: Keeper?
  @Persisted var names: List<String>
  @Persisted var friends: List<Animal>
  @Persisted var byName: Map<String, Animal?>

  /// The same property under another name.
  var title: String { name }
  var upperName: String { name.uppercased() }
  var kneeCount: Int { legs * 2 }
  var legsAtLeastZero: Int { max(legs, 0) }
  var isTame: Bool { !isWild }
  var isSpecial: Bool { true }
  var isOldAndWild: Bool { isWild && (age ?? 0) > 10 }
  var knownAge: Int { age ?? 0 }
  var day: Date? { born.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded()) } }
  var mainLevel: Level { level == .low ? .high : level }
  var legLevel: Level { Level(rawValue: legs) ?? .low }
  var friendName: String { friend?.name ?? "nobody" }
  var friendAge: Int? { friend?.legs ?? 3 }
  var bestFriend: Animal? { friend ?? self }
  var firstName: String { names.first ?? "" }
}

@Model final class Puppy: Animal {
  @Persisted var trick: String
}

@Model final class Keeper: Object, HasName {
  @Persisted var name: String
  @Persisted var level: Level
  @Persisted var pet: Animal!
  @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
}

import Foundation
import Varve

/// A class with indexes, with links from and to other classes.
@Model final class Planned: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var age: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var score: Double?
  @Persisted var plain: Int
  @Persisted var city: PlannedCity?
  @Persisted var cities: List<PlannedCity>
}

@Model final class PlannedCity: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted(indexed: true) var country: String
  @Persisted var people: Int
}

extension Realm {
  /// Adds objects with ids from 0 up to a count: ages 0…99, names "n0" and so on, and scores of
  /// which every fifth is null.
  func addPlanned(_ count: Int) throws {
    try write {
      let cities = (0..<20).map { number in
        PlannedCity(value: ["code": "c\(number)", "country": "C\(number / 5)", "people": number])
      }
      add(cities)
      for id in 0..<count {
        let object = Planned()
        object.id = id
        object.age = id * 7 % 100
        object.name = "n\(id)"
        object.score = id % 5 == 0 ? nil : id % 11 == 0 ? .nan : Double(id % 37) / 2
        object.plain = id * 13 % 50
        object.city = id % 3 == 0 ? nil : cities[id % 20]
        if id % 50 == 0 { object.cities.append(cities[id % 7]) }
        add(object)
      }
    }
  }
}

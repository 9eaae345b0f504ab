import BenchmarkKit
import Foundation

/// A person, as it stands in its file.
struct StoredPerson: Codable {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var created: Date

  init(_ person: Person) {
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

extension Checksum {
  mutating func add(_ person: StoredPerson) {
    add(name: person.name, age: person.age, score: person.score)
  }
}

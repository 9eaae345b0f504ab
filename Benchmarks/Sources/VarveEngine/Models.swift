import BenchmarkKit
import Foundation
import Varve

/// ``BenchmarkKit/Person`` as a managed object.
@Model final class StoredPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var created: Date

  convenience init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

/// ``BenchmarkKit/Person`` as a managed object with indexes.
@Model final class IndexedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted(indexed: true) var score: Double
  @Persisted var created: Date

  convenience init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

/// Owns the list and the dictionary.
@Model final class Holder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var numbersByKey: Map<String, Int>
}

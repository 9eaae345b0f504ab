import Foundation
import Synchronization
import Varve

@Model final class Author: Object, Codable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var favorite: Book?
  @Persisted var books: List<Book>
  @Persisted var shelf: MutableSet<Book>
  @Persisted var byYear: Map<String, Book?>
  @Persisted var address: Address?
  @Persisted var anything: AnyRealmValue
  @Persisted var pile: List<AnyRealmValue>
}

/// Not `Codable`: it can only be linked to by its key.
@Model final class Book: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var title = "untitled"
}

@Model final class Address: EmbeddedObject, Codable {
  @Persisted var street: String
  @Persisted var neighbour: Author?
}

@Model final class Chain: Object, Codable {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var next: Chain?
  @Persisted(originProperty: "next") var previous: LinkingObjects<Chain>
}

@Model final class Note: Object, Codable {
  @Persisted var text: String
  @Persisted var about: Note?
}

/// A type without `Codable` conformance.
struct Warmth: CustomPersistable, Hashable, Sendable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

enum Season: String, PersistableEnum { case spring, autumn }

@Model final class Weather: Object, Codable {
  @Persisted var temperature: Warmth
  @Persisted var limit: Warmth?
  @Persisted var history: List<Warmth>
  @Persisted var byPlace: Map<String, Warmth>
  @Persisted var season: Season
  @Persisted var seasons: MutableSet<Season>
  @Persisted var id: ObjectId
  @Persisted var amount: Decimal128
  @Persisted var data: Data
  @Persisted var count: RealmProperty<Int?>
}

/// Counts the live instances.
@Model final class Counted: Object, Encodable {
  static let living = Atomic<Int>(0)
  static let most = Atomic<Int>(0)

  @Persisted var number: Int

  required init() {
    super.init()
    let now = Self.living.wrappingAdd(1, ordering: .relaxed).newValue
    _ = Self.most.max(now, ordering: .relaxed)
  }

  deinit { Self.living.wrappingSubtract(1, ordering: .relaxed) }
}

@Model final class CountedShelf: Object {
  @Persisted var items: List<Counted>
}

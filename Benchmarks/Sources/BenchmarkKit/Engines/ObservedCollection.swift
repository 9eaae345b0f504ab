/// The collection that is observed while commits are timed.
package enum ObservedCollection: String, Sendable {
  /// All persons.
  case all
  /// The persons aged 50 and over. All twelve persons of a commit are among them.
  case filtered
  /// All persons, sorted by score.
  case sorted
  /// The list.
  case list
  /// The dictionary.
  case map

  /// The amount that a commit adds to scores, which is more than any initial score.
  package static let raise = 1_048_576.0

  /// Whether the collection contains a person.
  package func contains(_ person: Person) -> Bool { self != .filtered || person.age >= 50 }
}

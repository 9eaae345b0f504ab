/// What is observed while commits are timed.
package enum ObservedCollection: String, Sendable {
  /// All persons.
  case all
  /// The persons of 50 and more years; all twelve of a commit are among them.
  case filtered
  /// All persons, sorted by their scores.
  case sorted
  /// The list.
  case list
  /// The dictionary.
  case map

  /// What a commit adds to scores: more than any score has.
  package static let raise = 1_048_576.0

  /// Whether a person is in it.
  package func contains(_ person: Person) -> Bool { self != .filtered || person.age >= 50 }
}

import VarveEncoding

/// What happened to one object between two versions, as `varve watch` tells it.
struct ObjectReport: Sendable {
  enum Kind: String, Sendable {
    case inserted
    case deleted
    case modified
    /// The object satisfies the predicate now, and did not.
    case enters
    /// The object does not satisfy the predicate any more.
    case leaves
  }

  /// A property with its values; nil for the one that a deleted or a new object does not have.
  struct Property: Sendable {
    var name: String
    var old: ReportedValue?
    var new: ReportedValue?
  }

  var className: String
  var kind: Kind
  /// The object's id in the file.
  var objectID: UInt64
  /// nil for a class without a primary key.
  var primaryKey: Value?
  /// Those that changed; of an inserted or deleted object all but its key.
  var properties: [Property]
}

/// What a property holds.
enum ReportedValue: Sendable {
  case value(Value)
  /// Another object: its class, its primary key if it has one, and its id.
  case object(className: String, primaryKey: Value?, objectID: UInt64)
  case collection(CollectionSummary)
}

/// A list or map.
struct CollectionSummary: Equatable, Sendable {
  /// How many elements there are.
  var count: Int
  /// How many were taken away, put in, and replaced or changed; zero where two versions are not compared.
  var deletions = 0
  var insertions = 0
  var modifications = 0
}

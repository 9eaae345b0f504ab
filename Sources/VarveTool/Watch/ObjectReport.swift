import VarveEncoding

/// The change of one object between two versions, as reported by `varve watch`.
struct ObjectReport: Sendable {
  enum Kind: String, Sendable {
    case inserted
    case deleted
    case modified
    /// The object matches the predicate now, and did not before.
    case enters
    /// The object no longer matches the predicate.
    case leaves
  }

  /// A property with its values. The missing value of an inserted or deleted object is nil.
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
  /// The changed properties; for an inserted or deleted object all but its key.
  var properties: [Property]
}

/// The value of a property.
enum ReportedValue: Sendable {
  case value(Value)
  /// Another object: its class, its primary key if it has one, and its id.
  case object(className: String, primaryKey: Value?, objectID: UInt64)
  case collection(CollectionSummary)
}

/// A list or map.
struct CollectionSummary: Equatable, Sendable {
  /// The number of elements.
  var count: Int
  /// The numbers of deleted, inserted, and replaced or modified elements; zero if two versions are
  /// not compared.
  var deletions = 0
  var insertions = 0
  var modifications = 0
}

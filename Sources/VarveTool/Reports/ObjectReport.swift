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

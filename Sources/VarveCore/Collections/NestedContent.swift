package import VarveEncoding

/// A mixed value with all that is nested in it, in memory.
///
/// Thread safety: a value.
package enum NestedContent: Sendable {
  case value(Value)
  case list([NestedContent])
  case dictionary([(key: String, value: NestedContent)])

  /// How many collections may stand in one another, that of a property not counted.
  package static let maximumDepth = 100

  /// What a write throws that nests deeper.
  package static func tooDeep(_ className: String?, _ propertyName: String?) -> Failure {
    Failure(
      .invalidInput, "Lists and dictionaries in mixed values are nested deeper than 100 levels.",
      className: className, propertyName: propertyName)
  }
}

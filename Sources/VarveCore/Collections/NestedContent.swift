package import VarveEncoding

/// A mixed value with all its nested collections, in memory.
package enum NestedContent: Sendable {
  case value(Value)
  case list([NestedContent])
  case dictionary([(key: String, value: NestedContent)])

  /// The maximum nesting depth of collections, not counting the property's own collection.
  package static let maximumDepth = 100

  /// Returns the error of a write that exceeds the depth.
  package static func tooDeep(_ className: String?, _ propertyName: String?) -> Failure {
    Failure(
      .invalidInput, "Lists and dictionaries in mixed values are nested deeper than 100 levels.",
      className: className, propertyName: propertyName)
  }
}

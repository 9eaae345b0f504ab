/// The limit on the nesting depth of embedded objects.
package enum EmbeddedTree {
  /// Exports, imports and encoders recurse once per level, and a thread has a small stack.
  package static let maximumDepth = 100

  package static func tooDeep(_ className: String) -> Failure {
    Failure(
      .invalidInput, "Embedded objects are nested deeper than \(maximumDepth) levels.",
      className: className)
  }
}

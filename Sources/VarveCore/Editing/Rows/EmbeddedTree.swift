/// How deep embedded objects may stand in one another.
package enum EmbeddedTree {
  /// Exports, imports and encoders call themselves for each level, and a thread has a small stack.
  package static let maximumDepth = 100

  package static func tooDeep(_ className: String) -> Failure {
    Failure(
      .invalidInput, "Embedded objects are nested deeper than \(maximumDepth) levels.",
      className: className)
  }
}

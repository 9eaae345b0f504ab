/// Names with dots between them, as key paths are written.
package enum DottedPath {
  /// The names of a path; empty ones among them.
  ///
  /// Of a path with more than ``QueryPath/maximumCount`` names the last one is all that is left, so that a text of any length
  /// takes no more names than ``check(_:of:)`` needs to refuse it.
  package static func names(_ text: String) -> [String] {
    text.split(
      separator: ".", maxSplits: QueryPath.maximumCount, omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Refuses a path of more than ``QueryPath/maximumCount`` names.
  ///
  /// - Throws: `.invalidInput`.
  package static func check(_ names: some Collection<String>, of className: String) throws(Failure)
  {
    guard names.count > QueryPath.maximumCount else { return }
    throw Failure(
      .invalidInput, "A key path has more than \(QueryPath.maximumCount) steps.",
      className: className, propertyName: names.joined(separator: "."))
  }
}

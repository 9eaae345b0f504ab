/// Dotted names, as in key paths.
package enum DottedPath {
  /// The names of a path, including empty ones.
  ///
  /// If the path has more than ``QueryPath/maximumCount`` names, the last element contains the rest
  /// of the text, so the result never has more names than ``check(_:of:)`` needs to reject it.
  package static func names(_ text: String) -> [String] {
    text.split(
      separator: ".", maxSplits: QueryPath.maximumCount, omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Rejects a path of more than ``QueryPath/maximumCount`` names.
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

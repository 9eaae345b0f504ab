/// An error of an engine that does not support a workload. It is reported, and is not a failure.
package struct NotOffered: Error, Sendable {
  /// The reason, in a few words.
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

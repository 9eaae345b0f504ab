/// Thrown by an engine that does not do a workload. It is told, and no failure.
package struct NotOffered: Error, Sendable {
  /// Why, in a few words.
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

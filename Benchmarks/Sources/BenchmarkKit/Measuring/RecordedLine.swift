/// A line of a file of results: a result or a refusal, and of which run it is.
package struct RecordedLine<Content: Encodable>: Encodable {
  package var content: Content
  package var run: RecordedRun

  package init(_ content: Content, of run: RecordedRun) {
    self.content = content
    self.run = run
  }

  /// The keys of both, side by side.
  package func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    try run.encode(to: encoder)
  }
}

/// What the lines of a run have in common.
package struct RecordedRun: Encodable, Sendable {
  /// What all sizes were multiplied with.
  package var scale: Double

  /// The day on which it began, as in 2026-01-31, in UTC.
  package var date: String

  /// The version of the sources, if it was given.
  package var commit: String?

  package init(scale: Double, date: String, commit: String?) {
    self.scale = scale
    self.date = date
    self.commit = commit
  }
}

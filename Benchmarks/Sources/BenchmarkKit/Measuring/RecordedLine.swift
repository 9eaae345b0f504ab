/// A line of a result file: a result or a refusal, and the run it belongs to.
package struct RecordedLine<Content: Encodable>: Encodable {
  package var content: Content
  package var run: RecordedRun

  package init(_ content: Content, of run: RecordedRun) {
    self.content = content
    self.run = run
  }

  /// Encodes the keys of both into one object.
  package func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    try run.encode(to: encoder)
  }
}

/// The values that all lines of a run share.
package struct RecordedRun: Encodable, Sendable {
  /// The factor of all sizes.
  package var scale: Double

  /// The UTC date on which the run began, such as 2026-01-31.
  package var date: String

  /// The version of the sources, if known.
  package var commit: String?

  package init(scale: Double, date: String, commit: String?) {
    self.scale = scale
    self.date = date
    self.commit = commit
  }
}

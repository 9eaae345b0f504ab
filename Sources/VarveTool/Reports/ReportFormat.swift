/// An output format of change sets.
///
/// A format may keep lines back, to align them, until it is flushed.
protocol ReportFormat {
  /// Writes the beginning of the output.
  mutating func start(_ path: String, at version: UInt64, _ classNames: [String])

  /// Adds one object of a change set.
  ///
  /// - Parameters:
  ///   - report: The change of the object.
  ///   - versions: The version before the first commit of the change set, and the version of the
  ///     last commit; nil for a comparison of two files.
  mutating func add(_ report: ObjectReport, _ versions: VersionPair?)

  /// Reports versions that were skipped because the output was not read.
  mutating func gap(_ versions: VersionPair)

  /// Removes and returns the lines that are ready.
  ///
  /// - Parameter isEnd: Whether the change set ends here.
  /// - Returns: The lines, each with its line feed.
  mutating func takeLines(isEnd: Bool) -> String
}

/// The numbers of two versions.
struct VersionPair: Equatable, Sendable {
  var old: UInt64
  var new: UInt64
}

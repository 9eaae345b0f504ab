/// How change sets are written.
///
/// A format may keep lines back, to align them, until it is told to flush.
protocol ReportFormat {
  /// What is written at the start.
  mutating func start(_ path: String, at version: UInt64, _ classNames: [String])

  /// One object of a change set.
  ///
  /// - Parameters:
  ///   - report: What happened to the object.
  ///   - versions: The version before the first commit of the change set, and that of the last.
  mutating func add(_ report: ObjectReport, _ versions: VersionPair)

  /// What is written where versions were passed over, because the output was not taken.
  mutating func gap(_ versions: VersionPair)

  /// Takes the lines that are ready.
  ///
  /// - Parameter isEnd: Whether the change set ends here.
  /// - Returns: The lines, each with its end.
  mutating func takeLines(isEnd: Bool) -> String
}

/// The numbers of two versions.
struct VersionPair: Equatable, Sendable {
  var old: UInt64
  var new: UInt64
}

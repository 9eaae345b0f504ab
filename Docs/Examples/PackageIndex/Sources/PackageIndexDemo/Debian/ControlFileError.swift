/// An error in the syntax of a control file.
struct ControlFileError: Error, Equatable, Sendable, CustomStringConvertible {
  enum Reason: String, Sendable {
    case fieldWithoutColon = "a line is neither a field nor the continuation of one"
    case continuationWithoutField = "a continuation line has no field before it"
  }

  var reason: Reason

  /// The line number, starting at 1.
  var line: Int

  var description: String { "line \(line): \(reason.rawValue)" }
}

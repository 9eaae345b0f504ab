/// What the tool tells a person when it cannot go on.
struct ToolError: Error, Equatable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

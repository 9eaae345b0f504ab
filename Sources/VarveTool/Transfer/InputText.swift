import Foundation

/// The text that a command reads.
enum InputText {
  /// Opens a file; “-” is the standard input.
  ///
  /// - Throws: ``ToolError``.
  static func open(_ path: String) throws(ToolError) -> FileHandle {
    if path == "-" { return .standardInput }
    do {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch {
      throw ToolError("The text cannot be opened\n  \(path)", because: error)
    }
  }

  /// Reads a whole file; “-” is the standard input.
  ///
  /// - Throws: ``ToolError``.
  static func readAll(_ path: String) throws(ToolError) -> Data {
    let file = try open(path)
    do {
      return try file.readToEnd() ?? Data()
    } catch {
      throw ToolError("The text could not be read\n  \(path)", because: error)
    }
  }
}

import Foundation

/// Traps for programming errors, which occur in every run of a program.
///
/// Release builds print no message for a failed precondition; these traps do.
package enum Misuse {
  /// Stops the program with a message.
  package static func trap(_ message: String) -> Never {
    #if !DEBUG
      FileHandle.standardError.write(Data("Fatal error: \(message)\n".utf8))
    #endif
    preconditionFailure(message)
  }

  /// Stops the program with a message unless a condition holds.
  @inline(__always)
  package static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if _slowPath(!condition) { trap(message()) }
  }
}

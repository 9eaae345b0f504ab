import Foundation
import VarveCore

/// Traps for programming errors in queries.
enum QueryMisuse {
  /// Stops the program with a message.
  static func trap(_ message: String) -> Never {
    #if !DEBUG
      // Release builds print no message for a failed precondition.
      FileHandle.standardError.write(Data("Fatal error: \(message)\n".utf8))
    #endif
    preconditionFailure(message)
  }

  /// Stops the program because objects cannot be sorted by a literal path.
  static func trap(_ failure: Failure, sorting className: String, by path: String) -> Never {
    let location =
      "class \(failure.className ?? className), property '\(failure.propertyName ?? path)'"
    trap("\(className) cannot be sorted by '\(path)': \(failure.message) (\(location))")
  }
}

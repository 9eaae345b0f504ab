import Foundation
import VarveCore

/// What is wrong with a query in every run: it ends the program.
enum QueryMisuse {
  /// Ends the program with a sentence.
  static func trap(_ message: String) -> Never {
    #if !DEBUG
      // Of a failed precondition, release builds print nothing.
      FileHandle.standardError.write(Data("Fatal error: \(message)\n".utf8))
    #endif
    preconditionFailure(message)
  }

  /// Ends the program because objects cannot be sorted by a path that stands in its text.
  static func trap(_ failure: Failure, sorting className: String, by path: String) -> Never {
    let place =
      "class \(failure.className ?? className), property '\(failure.propertyName ?? path)'"
    trap("\(className) cannot be sorted by '\(path)': \(failure.message) (\(place))")
  }
}

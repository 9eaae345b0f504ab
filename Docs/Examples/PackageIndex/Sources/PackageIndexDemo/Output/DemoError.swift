import Foundation

/// What a person is told when the demo cannot go on: a sentence.
struct DemoError: Error, Equatable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// What could not be done, with the system's reason.
  ///
  /// - Parameters:
  ///   - sentence: What could not be done, without a full stop.
  ///   - error: What Foundation reported.
  init(_ sentence: String, because error: any Error) {
    var reason = error as NSError
    while let cause = reason.userInfo[NSUnderlyingErrorKey] as? any Error {
      reason = cause as NSError
    }
    let text =
      reason.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(clamping: reason.code))) : reason.localizedDescription
    self.init("\(sentence): \(text)")
  }
}

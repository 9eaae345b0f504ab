import Foundation

/// An error that ends the demo, described by one sentence for its user.
struct DemoError: Error, Equatable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// Creates an error with the reason of an underlying error.
  ///
  /// - Parameters:
  ///   - sentence: The operation that failed, without a full stop.
  ///   - error: The underlying error.
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

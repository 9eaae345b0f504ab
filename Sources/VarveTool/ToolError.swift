import Foundation
import Varve
import VarveCore

/// What the tool tells a person when it cannot go on: a sentence, and lines with what it is about.
struct ToolError: Error, Equatable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ToolError {
  /// What could not be done, with the system's reason.
  ///
  /// - Parameters:
  ///   - sentence: What could not be done, without a full stop.
  ///   - error: What Foundation reported.
  init(_ sentence: String, because error: any Error) {
    let reason = Self.cause(of: error)
    let text =
      reason.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(clamping: reason.code))) : reason.localizedDescription
    self.init("\(sentence): \(text)")
  }

  /// The error of a store.
  init(_ error: Realm.Error) {
    var details = [error.path, error.className, error.propertyName, error.value]
      .compactMap(\.self)
    if let process = error.processID { details.append("process \(process)") }
    if let number = error.underlyingCode, number > 0 {
      details.append(String(cString: strerror(number)))
    }
    let all = [error.message] + (details + error.details).map { "  \($0)" }
    self.init(all.joined(separator: "\n"))
  }

  /// Runs a command's work, with errors of stores told as sentences.
  static func translating<R>(_ work: () throws -> R) throws -> R {
    do {
      return try work()
    } catch let error as Realm.Error {
      throw ToolError(error)
    } catch let error as Failure {
      throw ToolError(Realm.Error(error))
    }
  }

  /// Whether a write failed because nobody reads any more.
  static func isBrokenPipe(_ error: any Error) -> Bool {
    let reason = cause(of: error)
    return reason.domain == NSPOSIXErrorDomain && reason.code == Int(EPIPE)
  }

  /// The error that an error comes from in the end.
  static func cause(of error: any Error) -> NSError {
    var reason = error as NSError
    while let cause = reason.userInfo[NSUnderlyingErrorKey] as? any Error {
      reason = cause as NSError
    }
    return reason
  }
}

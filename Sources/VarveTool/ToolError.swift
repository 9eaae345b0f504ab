import ArgumentParser
import Foundation
import Varve
import VarveCore
import VarveStorage

/// The error that the tool prints before it exits: a sentence, and lines with details.
struct ToolError: Error, Equatable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ToolError {
  /// Creates an error with the system's reason.
  ///
  /// - Parameters:
  ///   - sentence: The failed operation, without a full stop.
  ///   - error: The error of Foundation.
  init(_ sentence: String, because error: any Error) {
    let reason = Self.cause(of: error)
    let text =
      reason.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(clamping: reason.code))) : reason.localizedDescription
    self.init("\(sentence): \(text)")
  }

  /// Creates an error from an error of a store.
  init(_ error: Realm.Error) {
    var details = [error.path, error.className, error.propertyName, error.value]
      .compactMap(\.self)
    if let process = error.processID { details.append("process \(process)") }
    if let number = error.underlyingCode, number > 0 {
      details.append(String(cString: strerror(number)))
    }
    let all = [error.message] + (details + error.details).map { "  \($0.printable)" }
    self.init(all.joined(separator: "\n"))
  }

  /// Runs a command's work, and converts errors of stores to tool errors.
  static func translating<R>(_ work: () throws -> R) throws -> R {
    do {
      return try work()
    } catch let error as Realm.Error {
      throw ToolError(error)
    } catch let error as Failure {
      throw ToolError(Realm.Error(error))
    } catch let error as StorageError {
      throw ToolError(Realm.Error(Failure(error)))
    }
  }

  /// Runs a command's work. An error is printed, and ends the command with a code of its own.
  static func exiting<R>(with code: Int32, _ work: () throws -> R) throws -> R {
    do {
      return try translating(work)
    } catch {
      Terminal.errors.show("Error: \(error)\n")
      throw ExitCode(code)
    }
  }

  /// Whether a write failed because the pipe is closed.
  static func isBrokenPipe(_ error: any Error) -> Bool {
    let reason = cause(of: error)
    return reason.domain == NSPOSIXErrorDomain && reason.code == Int(EPIPE)
  }

  /// Returns the root cause of an error.
  static func cause(of error: any Error) -> NSError {
    var reason = error as NSError
    while let cause = reason.userInfo[NSUnderlyingErrorKey] as? any Error {
      reason = cause as NSError
    }
    return reason
  }
}

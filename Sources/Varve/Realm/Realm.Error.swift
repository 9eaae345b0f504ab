public import Foundation
package import VarveCore

extension Realm {
  /// What went wrong: a code to match, one sentence, and where.
  ///
  /// ```swift
  /// do {
  ///   try await realm.write { realm.add(dog) }
  /// } catch let error as Realm.Error where error.code == .duplicatePrimaryKey {
  ///   …
  /// }
  /// ```
  ///
  /// Thread safety: an immutable value.
  public struct Error: Swift.Error, Equatable, Sendable {
    /// The kind of an error. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The code's name.
      public let description: String

      init(_ code: Failure.Code) { description = code.rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// One constant sentence.
    public let message: String
    /// The class concerned.
    public let className: String?
    /// The property concerned.
    public let propertyName: String?
    /// The value that was refused, as text, shortened.
    public let value: String?
    /// The file concerned.
    public let path: String?
    /// For ``Code/busy``: the process that holds the write lock.
    public let processID: Int32?
    /// For ``Code/busy``: when that process took the lock, in seconds since 1970.
    public let since: Double?
    /// For schema errors: every difference or fault, a sentence each.
    public let details: [String]
    /// The number that the storage engine or the system gave, when there was one.
    public let underlyingCode: Int32?

    /// The file concerned, as a URL.
    public var fileURL: URL? { path.map { URL(filePath: $0) } }

    package init(_ failure: Failure) {
      code = Code(failure.code)
      message = failure.message
      className = failure.className
      propertyName = failure.propertyName
      value = failure.value
      path = failure.path
      processID = failure.processID
      since = failure.since
      details = failure.details
      underlyingCode = failure.underlyingCode
    }

    init(_ code: Failure.Code, _ message: String, value: String? = nil) {
      self.init(Failure(code, message, value: value))
    }

    /// Translates failures of the core; other errors, such as the user's own, stay as they are.
    package static func translated(_ error: any Swift.Error) -> any Swift.Error {
      if let failure = error as? Failure {
        if failure.code == .cancelled { return CancellationError() }
        return Error(failure)
      }
      return error
    }

    /// Runs a call of the core with its failures translated.
    package static func translating<R>(_ call: () throws -> R) throws -> R {
      do {
        return try call()
      } catch {
        throw translated(error)
      }
    }
  }
}

/// Matches a code in a `catch` clause: `catch Realm.Error.Code.busy`.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}

extension Realm.Error: LocalizedError {
  /// The sentence with everything that is known, as ``description``.
  public var errorDescription: String? { description }

  /// The sentence alone.
  public var failureReason: String? { message }
}

extension Realm.Error: CustomStringConvertible {
  /// The sentence with everything that is known.
  public var description: String {
    var text = "\(code): \(message)"
    if let className {
      text += " [\(className)\(propertyName.map { ".\($0)" } ?? "")]"
    } else if let propertyName {
      text += " [\(propertyName)]"
    }
    if let value { text += " value: \(value)" }
    if let path { text += " path: \(path.printable)" }
    if let processID { text += " process: \(processID)" }
    if let since { text += " since: \(Date(timeIntervalSince1970: since).text)" }
    if let underlyingCode { text += " (\(Self.text(ofNumber: underlyingCode)))" }
    for detail in details { text += "\n- \(detail)" }
    return text
  }

  /// The system's numbers are positive and have a text; those of the storage engine are negative.
  private static func text(ofNumber number: Int32) -> String {
    guard number > 0 else { return "\(number)" }
    return "\(number), \(String(cString: strerror(number)))"
  }
}

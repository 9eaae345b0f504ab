public import Foundation
package import VarveCore

extension Realm {
  /// An error of the library: a code to match, a message, and the context of the failure.
  ///
  /// ```swift
  /// do {
  ///   try await realm.write { realm.add(dog) }
  /// } catch let error as Realm.Error where error.code == .duplicatePrimaryKey {
  ///   …
  /// }
  /// ```
  public struct Error: Swift.Error, Equatable, Sendable {
    /// The kind of an error. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The name of the code.
      public let description: String

      init(_ code: Failure.Code) { description = code.rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// A description in one sentence, the same for all errors of this cause.
    public let message: String
    /// The name of the class concerned.
    public let className: String?
    /// The name of the property concerned.
    public let propertyName: String?
    /// The rejected value as text, truncated.
    public let value: String?
    /// The path of the file concerned.
    public let path: String?
    /// The process that owns the write lock or is opening the file, for ``Code/busy``; the process
    /// with the same id, for ``Code/processIDInUse``.
    public let processID: Int32?
    /// For ``Code/busy``: the time at which that process acquired the write lock, in seconds since
    /// 1970.
    public let since: Double?
    /// Further facts, such as the differences or faults of a schema, further errors of a predicate,
    /// the holders of pinned versions, the line of an import, or the index of inserted values.
    public let details: [String]
    /// The error number of the storage engine or of the system, if there was one.
    public let underlyingCode: Int32?

    /// The URL of the file concerned.
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

    /// Creates an error, such as one that a program's own function or a test double throws.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: A description in one sentence.
    ///   - className: The name of the class concerned.
    ///   - propertyName: The name of the property concerned.
    ///   - value: The rejected value as text. A long one is truncated.
    public init(
      _ code: Code, _ message: String = "The program threw this error.", className: String? = nil,
      propertyName: String? = nil, value: String? = nil
    ) {
      self.code = code
      self.message = message
      self.className = className
      self.propertyName = propertyName
      self.value = Failure(.fail, "", value: value).value
      (path, processID, since, details, underlyingCode) = (nil, nil, nil, [], nil)
    }

    /// Translates failures of the core. Other errors, such as the user's own, are returned
    /// unchanged.
    package static func translated(_ error: any Swift.Error) -> any Swift.Error {
      if let failure = error as? Failure {
        if failure.code == .cancelled { return CancellationError() }
        return Error(failure)
      }
      return error
    }

    /// Runs a call of the core, and translates its failures.
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
  /// The message with its context; the same as ``description``.
  public var errorDescription: String? { description }

  /// The message alone.
  public var failureReason: String? { message }
}

extension Realm.Error: CustomStringConvertible {
  /// The message with its context: class, property, value, path, process, time, error number and
  /// details.
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

  /// Formats an error number. Numbers of the system are positive and have a text; numbers of the
  /// storage engine are negative.
  private static func text(ofNumber number: Int32) -> String {
    guard number > 0 else { return "\(number)" }
    return "\(number), \(String(cString: strerror(number)))"
  }
}

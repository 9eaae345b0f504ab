import VarveEncoding
import VarveStorage

/// An error below the public API: one code, with the context that a person needs to find its cause.
///
/// The message text is constant for a code. Variable parts are in the fields, so that logs group.
/// The public module translates a failure into `Realm.Error` field by field.
package struct Failure: Error, Sendable {
  /// The kinds of failure, the same as the public error codes.
  package enum Code: String, Sendable, CaseIterable {
    case fileAccess, filePermissionDenied, fileExists, fileNotFound, invalidDatabase, corrupted
    case unsupportedFileFormatVersion, addressSpaceExhausted, outOfDiskSpace, mapFull, readersFull
    case tooManyVersions, pinBudgetExceeded
    case busy, cancelled, forked, closed, alreadyOpen, processIDInUse, syncFailed, directoryUnsafe
    case unsupportedLibrary
    case schemaMismatch, invalidSchema, schemaVersionTooLow
    case readOnly, notInWriteTransaction, alreadyInWriteTransaction, frozen, unmanaged
    case invalidInput, typeMismatch, missingValue, unknownClass, unknownProperty
    case duplicatePrimaryKey, duplicateValue
    case noPrimaryKey, primaryKeyChanged, invalidKey, indexOutOfBounds, valueTooLarge
    case invalidCursor
    case invalidatedObject, foreignObject, alreadyEmbedded, damagedTransaction, fail
  }

  package var code: Code
  /// One constant sentence.
  package var message: String
  package var className: String?
  package var propertyName: String?
  /// A description of the rejected value, cut to a readable length.
  package var value: String?
  package var path: String?
  /// For `.busy`: the process that owns the write lock.
  package var processID: Int32?
  /// For `.busy`: the time at which it took the lock, in seconds since the epoch.
  package var since: Double?
  /// For schema errors: every difference found.
  package var details: [String]
  /// The error number of the engine or the system, if there is one.
  package var underlyingCode: Int32?

  package init(
    _ code: Code, _ message: String, className: String? = nil, propertyName: String? = nil,
    value: String? = nil, path: String? = nil, details: [String] = []
  ) {
    self.code = code
    self.message = message
    self.className = className
    self.propertyName = propertyName
    self.value = value.map(Failure.shortened)
    self.path = path
    self.details = details
  }

  /// Runs a closure that assigns a value to a property. Errors about the value are thrown with the
  /// names of class and property.
  package static func putting<R>(
    in propertyName: @autoclosure () -> String, of className: @autoclosure () -> String,
    _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.put(in: propertyName(), of: className())
    }
  }

  /// Returns the failure with the names of class and property. Failures that contain a property
  /// name, and failures of the engine, are not changed. A class name in the failure is the class of
  /// the object that was to be assigned, and becomes the value.
  func put(in propertyName: String, of className: String) -> Failure {
    switch code {
    case .foreignObject, .invalidatedObject, .unmanaged, .invalidInput, .typeMismatch: break
    default: return self
    }
    guard self.propertyName == nil else { return self }
    var failure = self
    if failure.value == nil { failure.value = self.className.map { "object of class \($0)" } }
    failure.className = className
    failure.propertyName = propertyName
    return failure
  }

  /// Cuts a described value, so that an error about a 1 GiB string stays readable and on one line.
  private static func shortened(_ text: String) -> String {
    let limit = 120
    guard text.utf8.count > limit else { return text.printable }
    return String(text.prefix(limit)).printable + "…"
  }
}

import VarveEncoding
import VarveStorage

/// What went wrong, below the public API: one code and the context that a person needs to find the place.
///
/// The message text is constant for a code; what varies stands in the fields, so that logs group.
/// The public module translates a failure into `Realm.Error` field by field.
package struct Failure: Error, Sendable {
  /// The kinds of failure, the same as the public error codes.
  package enum Code: String, Sendable, CaseIterable {
    case fileAccess, filePermissionDenied, fileExists, fileNotFound, invalidDatabase, corrupted
    case unsupportedFileFormatVersion, addressSpaceExhausted, outOfDiskSpace, mapFull, readersFull
    case tooManyVersions, pinBudgetExceeded
    case busy, cancelled, forked, closed, alreadyOpen, processIDInUse, directoryUnsafe
    case unsupportedLibrary
    case schemaMismatch, invalidSchema, schemaVersionTooLow
    case readOnly, notInWriteTransaction, alreadyInWriteTransaction, frozen, unmanaged
    case invalidInput, typeMismatch, missingValue, unknownClass, unknownProperty
    case duplicatePrimaryKey, duplicateValue
    case noPrimaryKey, primaryKeyChanged, invalidKey, indexOutOfBounds, valueTooLarge
    case invalidatedObject, foreignObject, alreadyEmbedded, damagedTransaction, fail
  }

  package var code: Code
  /// One constant sentence.
  package var message: String
  package var className: String?
  package var propertyName: String?
  /// The value that was refused, described, cut to a readable length.
  package var value: String?
  package var path: String?
  /// For `.busy`: the process that holds the write lock.
  package var processID: Int32?
  /// For `.busy`: seconds since the epoch when it took the lock.
  package var since: Double?
  /// For schema errors: every difference found.
  package var details: [String]
  /// The engine's or the system's own error number, when there is one.
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

  /// Runs what puts a value in a property; what is wrong with the value is thrown with the names of class and
  /// property.
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

  /// Failures that name a property, and those of the engine, stay as they are. The class that was named is that of
  /// the object which was to be put there: it becomes the value.
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

  /// Cuts a described value so that an error about a 1 GiB string stays readable, and on its line.
  private static func shortened(_ text: String) -> String {
    let limit = 120
    guard text.utf8.count > limit else { return text.printable }
    return String(text.prefix(limit)).printable + "…"
  }
}

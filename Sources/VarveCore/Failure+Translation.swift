package import VarveEncoding
package import VarveStorage

extension Failure {
  /// Creates the failure of a storage error, with the code of the public interface.
  package init(_ error: StorageError) {
    self.init(
      Failure.codes[error.code] ?? .fail,
      error.detail.isEmpty ? "The storage engine failed." : error.detail, path: error.path)
    processID = error.pid
    since = error.since
    underlyingCode = error.lmdbCode ?? error.errno
  }

  /// Returns the result of a call into storage.
  ///
  /// - Throws: The error of the call, translated by ``init(_:)``.
  @inline(__always)
  static func translating<R: ~Copyable>(
    _ call: @autoclosure () throws(StorageError) -> R
  ) throws(Failure) -> R {
    do throws(StorageError) {
      return try call()
    } catch {
      throw Failure(error)
    }
  }

  private static let codes: [StorageError.Code: Code] = [
    .notADatabase: .invalidDatabase, .corrupted: .corrupted,
    .newerFormat: .unsupportedFileFormatVersion, .fileNotFound: .fileNotFound,
    .fileExists: .fileExists, .permissionDenied: .filePermissionDenied, .invalidPath: .fileAccess,
    .directoryUnsafe: .directoryUnsafe, .unsupportedFileSystem: .fileAccess,
    .dataFileReplaced: .fileAccess, .lockFileReplaced: .fileAccess,
    .signalFileReplaced: .fileAccess, .mapFull: .mapFull, .diskFull: .outOfDiskSpace,
    .readersFull: .readersFull, .tablesFull: .invalidSchema,
    .addressSpaceExhausted: .addressSpaceExhausted, .io: .fileAccess, .busy: .busy,
    .cancelled: .cancelled, .alreadyOpen: .alreadyOpen, .closed: .closed, .forked: .forked,
    .readOnly: .readOnly, .badTransaction: .damagedTransaction, .keyTooLong: .valueTooLarge,
    .valueTooLong: .valueTooLarge, .tableNotOpen: .fail, .unsupportedLibrary: .unsupportedLibrary,
    .panicked: .closed, .processIDInUse: .processIDInUse, .syncFailed: .syncFailed,
  ]

  /// Creates the failure of damaged bytes of the file.
  package init(
    _ error: FormatError, message: String, className: String? = nil, propertyName: String? = nil
  ) {
    self.init(
      error.reason == .unsupported ? .unsupportedFileFormatVersion : .corrupted, message,
      className: className, propertyName: propertyName, details: [error.description])
  }

  /// Returns the result of decoding bytes of the file.
  ///
  /// - Throws: The error of the call, translated by ``init(_:message:className:propertyName:)``.
  @inline(__always)
  package static func decoding<R>(
    _ message: String, className: @autoclosure () -> String? = nil,
    propertyName: @autoclosure () -> String? = nil,
    _ call: @autoclosure () throws(FormatError) -> R
  ) throws(Failure) -> R {
    do throws(FormatError) {
      return try call()
    } catch {
      throw Failure(
        error, message: message, className: className(), propertyName: propertyName())
    }
  }
}

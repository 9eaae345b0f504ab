package import VarveEncoding
package import VarveStorage

extension Failure {
  /// What storage reported, under the codes of the public interface.
  package init(_ error: StorageError) {
    self.init(
      Failure.codes[error.code] ?? .fail,
      error.detail.isEmpty ? "The storage engine failed." : error.detail, path: error.path)
    processID = error.pid
    since = error.since
    underlyingCode = error.lmdbCode ?? error.errno
  }

  /// The result of a call into storage.
  ///
  /// - Throws: what the call throws, as ``init(_:)`` translates it.
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
    .panicked: .closed, .processIDInUse: .processIDInUse,
  ]

  /// Bytes of the file that are not what they must be.
  package init(
    _ error: FormatError, message: String, className: String? = nil, propertyName: String? = nil
  ) {
    self.init(
      error.reason == .unsupported ? .unsupportedFileFormatVersion : .corrupted, message,
      className: className, propertyName: propertyName, details: [error.description])
  }

  /// What is decoded of bytes of the file.
  ///
  /// - Throws: what the call throws, as ``init(_:message:className:propertyName:)`` translates it.
  @inline(__always)
  static func decoding<R>(
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

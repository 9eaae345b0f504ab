import Foundation
import VarveCore

/// A file opened for reading.
enum InputFile {
  /// Opens a file.
  ///
  /// - Throws: `.fileNotFound`, `.filePermissionDenied` or `.fileAccess`.
  static func open(_ path: String) throws(Failure) -> FileHandle {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Failure(filePath: path, EISDIR)
    }
    return try OutputFile.handle(path, O_RDONLY | O_CLOEXEC)
  }
}

import Foundation
import VarveCore

/// A file that is replaced atomically when its content is complete.
enum OutputFile {
  /// Writes a temporary file next to `path` and renames it.
  ///
  /// If `path` is not a regular file, such as a pipe, the content is written to it directly.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: `.fileNotFound`, `.filePermissionDenied`, `.outOfDiskSpace`, `.fileAccess`, or the
  ///   error thrown by `body`. The previous file is unchanged then.
  static func write<R>(_ path: String, _ body: (FileHandle) throws -> R) throws -> R {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try body(try handle(path, O_WRONLY | O_CLOEXEC))
    }
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var name = Array((target + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Failure(filePath: path, errno) }
    // Programs that this process starts must not inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let temporary = name.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let result = try body(file)
      guard fsync(descriptor) == 0, rename(temporary, target) == 0 else {
        throw Failure(filePath: path, errno)
      }
      return result
    } catch {
      unlink(temporary)
      throw error
    }
  }

  static func handle(_ path: String, _ flags: Int32) throws(Failure) -> FileHandle {
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw Failure(filePath: path, errno) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

extension Failure {
  /// Creates an error from a system error number of a text file.
  init(filePath path: String, _ number: Int32) {
    let code: Code =
      switch number {
      case ENOENT: .fileNotFound
      case EACCES, EPERM: .filePermissionDenied
      case ENOSPC, EDQUOT: .outOfDiskSpace
      default: .fileAccess
      }
    self.init(code, "The text file cannot be used.", path: path)
    underlyingCode = number
  }
}

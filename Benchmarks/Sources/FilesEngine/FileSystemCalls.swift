import BenchmarkKit
import Foundation

/// The system calls of the engine. Each throws ``BenchmarkError`` with the system's message.
enum FileSystemCalls {
  /// Opens a file. The descriptor is not inherited by other programs.
  ///
  /// - Parameters:
  ///   - path: A path relative to the directory, or an absolute path.
  ///   - directory: A descriptor. The default is `AT_FDCWD`.
  ///   - flags: The flags of `open`.
  /// - Returns: The file; nil when the path does not exist.
  /// - Throws: ``BenchmarkError``.
  static func openIfThere(
    _ path: UnsafePointer<CChar>, in directory: Int32 = AT_FDCWD, _ flags: Int32
  ) throws -> OpenFile? {
    let descriptor = openat(directory, path, flags | O_CLOEXEC, 0o644)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure("open", path)
    }
    return OpenFile(descriptor)
  }

  static func open(
    _ path: UnsafePointer<CChar>, in directory: Int32 = AT_FDCWD, _ flags: Int32
  ) throws -> OpenFile {
    guard let file = try openIfThere(path, in: directory, flags) else {
      throw failure("open", path)
    }
    return file
  }

  /// Writes all bytes at the current position of the file.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: borrowing OpenFile) throws {
    try write(bytes, to: file.descriptor)
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("write")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// The length of a file.
  static func length(of file: borrowing OpenFile) throws -> Int {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw failure("fstat") }
    return Int(status.st_size)
  }

  /// Reads from the current position of the file.
  ///
  /// - Returns: The number of bytes read, up to the size of the buffer.
  /// - Throws: ``BenchmarkError``.
  static func read(
    _ file: borrowing OpenFile, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      #if canImport(Darwin)
        let count = Darwin.read(file.descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.read(file.descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("read")
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Renames a file, and replaces an existing file with the new name.
  static func rename(_ old: String, to new: String, in directory: Int32) throws {
    guard renameat(directory, old, directory, new) == 0 else { throw failure("rename", new) }
  }

  /// Gives a file an additional name, which must be free.
  static func link(_ old: String, to new: String, in directory: Int32) throws {
    guard linkat(directory, old, directory, new, 0) == 0 else { throw failure("link", new) }
  }

  static func unlink(_ path: String, in directory: Int32) throws {
    guard unlinkat(directory, path, 0) == 0 else { throw failure("unlink", path) }
  }

  static func makeDirectory(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 else { throw failure("mkdir", path) }
  }

  private static func failure(_ call: String, _ path: UnsafePointer<CChar>) -> BenchmarkError {
    let code = errno
    return failure(call, String(cString: path), code)
  }

  static func failure(_ call: String, _ path: String = "", _ code: Int32 = errno) -> BenchmarkError
  {
    BenchmarkError("\(call) \(path): \(String(cString: strerror(code)))")
  }
}

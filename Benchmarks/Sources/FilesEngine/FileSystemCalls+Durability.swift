import BenchmarkKit
import Foundation

/// What waits for the disk.
extension FileSystemCalls {
  /// Waits until the disk has a file: its content and its length, not the time of its last change.
  static func synchronise(_ file: borrowing OpenFile) throws {
    try synchronise(file.descriptor)
  }

  static func synchronise(_ descriptor: Int32) throws {
    #if canImport(Darwin)
      guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw failure("fcntl") }
    #else
      guard fdatasync(descriptor) == 0 else { throw failure("fdatasync") }
    #endif
  }

  /// Waits until the disk has the names of a directory.
  static func synchroniseDirectory(_ path: String, in directory: Int32 = AT_FDCWD) throws {
    let file = try open(path, in: directory, O_RDONLY | O_DIRECTORY)
    guard fsync(file.descriptor) == 0 else { throw failure("fsync", path) }
  }

  /// Waits until the disk has everything of the file system that a file belongs to.
  static func synchroniseFileSystem(of file: borrowing OpenFile) throws {
    guard let syncfs else {
      sync()
      return
    }
    guard syncfs(file.descriptor) == 0 else { throw failure("syncfs") }
  }

  /// The C library has it, and its header tells it only to those who ask for extensions of GNU; nil elsewhere.
  private static let syncfs: (@convention(c) (Int32) -> Int32)? = dlsym(
    dlopen(nil, RTLD_NOW), "syncfs"
  ).map { unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self) }
}

import BenchmarkKit
import Foundation

/// The calls that wait for the disk.
extension FileSystemCalls {
  /// Waits until a file is on the disk: its content and its length, but not the time of its last
  /// change.
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

  /// Waits until the names of a directory are on the disk.
  static func synchroniseDirectory(_ path: String, in directory: Int32 = AT_FDCWD) throws {
    let file = try open(path, in: directory, O_RDONLY | O_DIRECTORY)
    guard fsync(file.descriptor) == 0 else { throw failure("fsync", path) }
  }

  /// Waits until the whole file system of a file is on the disk.
  static func synchroniseFileSystem(of file: borrowing OpenFile) throws {
    guard let syncfs else {
      sync()
      return
    }
    guard syncfs(file.descriptor) == 0 else { throw failure("syncfs") }
  }

  /// The C library has the function, but its header declares it only with the extensions of GNU;
  /// nil elsewhere.
  private static let syncfs: (@convention(c) (Int32) -> Int32)? = dlsym(
    dlopen(nil, RTLD_NOW), "syncfs"
  ).map { unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self) }
}

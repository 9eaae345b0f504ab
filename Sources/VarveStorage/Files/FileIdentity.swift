import CVarve
import Glibc

/// The identity of a file, independent of its name.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  init(_ file: stat) {
    device = UInt64(file.st_dev)
    inode = UInt64(file.st_ino)
  }

  /// The file at a path, or nil when there is none.
  package init?(path: String) {
    var file = stat()
    guard lstat(path, &file) == 0 else { return nil }
    self.init(file)
  }

  /// The file of a descriptor, or nil when the system call fails.
  init?(descriptor: Int32) {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return nil }
    self.init(file)
  }
}

/// An open file descriptor, closed when it is dropped.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// Opens a regular file, without following a symbolic link.
  ///
  /// - Throws: `directoryUnsafe` for a symbolic link or a second hard link of the file,
  ///   `invalidPath` if it is not a regular file, or a system error.
  init(path: String, flags: Int32, mode: UInt32 = 0) throws(StorageError) {
    descriptor = try Self.openPlainFile(path: path, flags: flags, mode: mode)
  }

  private static func openPlainFile(
    path: String, flags: Int32, mode: UInt32
  ) throws(StorageError) -> Int32 {
    let descriptor = varve_open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    guard descriptor >= 0 else {
      if descriptor == -ELOOP {
        throw StorageError(
          .directoryUnsafe, "The path of a file is a symbolic link.", path: path)
      }
      throw StorageError.system(
        -descriptor, path: path,
        flags & O_EXCL == 0 ? "The file could not be opened." : "The file could not be created.")
    }
    var file = stat()
    let result = fstat(descriptor, &file)
    if result == 0, file.st_mode & S_IFMT == S_IFREG, file.st_nlink <= 1 { return descriptor }
    close(descriptor)
    guard result == 0, file.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.invalidPath, "The path is not a regular file.", path: path)
    }
    throw StorageError(
      .directoryUnsafe, "The file has a second hard link; remove one of them.", path: path)
  }

  deinit { close(descriptor) }

  func status(path: String) throws(StorageError) -> stat {
    var file = stat()
    try StorageError.check(
      fstat(descriptor, &file) == 0, path: path, "The file could not be examined.")
    return file
  }

  /// Transfers ownership of the descriptor to the caller, which must close it.
  consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Writes all bytes at the current file offset.
  func write(_ bytes: UnsafeRawBufferPointer, path: String) throws(StorageError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = Glibc.write(descriptor, base, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw StorageError.system(errno, path: path, "The file could not be written.")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Reads at an offset, up to the end of the file.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, path: String)
    throws(StorageError) -> Int
  {
    var count = 0
    while count < bytes.count, let base = bytes.baseAddress {
      let result = pread(descriptor, base + count, bytes.count - count, off_t(offset + count))
      if result < 0 {
        if errno == EINTR { continue }
        throw StorageError.system(errno, path: path, "The file could not be read.")
      }
      if result == 0 { break }
      count += result
    }
    return count
  }

  func sync(path: String) throws(StorageError) {
    try StorageError.check(
      fsync(descriptor) == 0, path: path, "The file could not be synchronized.")
  }
}

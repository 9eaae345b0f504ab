import CVarve
import Glibc

/// A directory of one process, which contains the files of an in-memory store or of a private copy
/// until they are open.
///
/// Then they are removed: an open file needs no name, and an unlinked file is freed when the
/// process ends for any reason. While the directory exists, its owner holds a lock on a file in it,
/// so that other processes can distinguish the directory of a dead process from one in use, in any
/// PID namespace.
final class PrivateDirectory {
  let path: String
  private let descriptor: Int32

  private static let ownerName = "owner"

  /// Creates a directory that only this user can enter.
  ///
  /// - Parameter parent: The parent directory. The new directory gets a unique name.
  /// - Throws: A system error.
  private init(in parent: String) throws(StorageError) {
    let prefix = "varve-\(geteuid())-"
    Self.removeLeftovers(in: parent, prefix: prefix)
    var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StorageError.system(errno, path: parent, "A private directory could not be created.")
    }
    let path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    let descriptor = varve_open(
      path + "/" + Self.ownerName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      rmdir(path)
      throw StorageError.system(
        -descriptor, path: path, "A private directory could not be created.")
    }
    // Another process may be testing the lock.
    while varve_file_lock(descriptor, 0, 1) == EAGAIN { usleep(100) }
    // The byte records that the lock has been acquired: if the lock is free then, its owner is
    // dead.
    _ = write(descriptor, "1", 1)
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Runs `body` with a directory that is removed when it returns or throws.
  static func with<Result>(
    in parent: String, _ body: (String) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let directory = try PrivateDirectory(in: parent)
    defer { removeContents(directory.path) }
    return try body(directory.path)
  }

  private static func removeContents(_ path: String) {
    for file in files(in: path) { unlink(file) }
    rmdir(path)
  }

  /// Returns the paths of the entries of a directory whose names have a prefix; none when the
  /// directory cannot be read.
  static func files(in directory: String, prefix: String = "") -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != "..", name.hasPrefix(prefix) { files.append(directory + "/" + name) }
    }
    return files
  }

  /// Removes the directories of dead processes.
  private static func removeLeftovers(in parent: String, prefix: String) {
    for path in files(in: parent, prefix: prefix) {
      var file = stat()
      guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFDIR, file.st_uid == geteuid()
      else { continue }
      let owner = varve_open(path + "/" + ownerName, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0)
      guard owner >= 0 else {
        // It is being created now, or was abandoned between two system calls.
        if time(nil) - file.st_mtim.tv_sec > 60 { removeContents(path) }
        continue
      }
      defer { close(owner) }
      var ownerFile = stat()
      // Its creator may not have locked it yet.
      guard fstat(owner, &ownerFile) == 0, varve_file_lock(owner, 0, 1) == 0,
        ownerFile.st_size > 0 || time(nil) - ownerFile.st_mtim.tv_sec > 60
      else { continue }
      removeContents(path)
    }
  }
}

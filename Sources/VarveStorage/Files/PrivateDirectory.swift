import CVarve
import Glibc

/// A directory of one process, for a store in memory or for a private copy. It goes with its owner.
///
/// The owner holds a lock on a file in it, so that others can tell a directory left by a dead process
/// from one in use, in whatever pid namespace.
///
/// Thread safety: any thread.
final class PrivateDirectory: Sendable {
  let path: String
  private let descriptor: Int32

  private static let ownerName = "owner"
  private static let storeName = "memory.varve"
  /// Stores in memory by name: each lies in a directory of its own.
  private static let named = Lock<[String: PrivateDirectory]>([:])

  /// Makes a directory that only this user can enter.
  ///
  /// - Parameter parent: Where; the directory gets a name of its own in it.
  /// - Throws: What the system reports.
  private init(in parent: String) throws(StorageError) {
    let prefix = "varve-\(geteuid())-"
    Self.removeLeftovers(in: parent, prefix: prefix)
    var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StorageError.system(errno, path: parent, "A private directory could not be made.")
    }
    let path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    let descriptor = varve_open(
      path + "/" + Self.ownerName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      rmdir(path)
      throw StorageError.system(-descriptor, path: path, "A private directory could not be made.")
    }
    _ = varve_file_lock(descriptor, 0, 1)
    // A byte in it says that the lock has been taken: without the lock, its owner is then dead.
    _ = write(descriptor, "1", 1)
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The place of a store in memory: the same name gives the same file while it is open.
  static func inMemory(name: String) throws(StorageError) -> (PrivateDirectory, String) {
    try named.withLock { (all) throws(StorageError) -> (PrivateDirectory, String) in
      if let directory = all[name] { return (directory, directory.path + "/" + storeName) }
      let directory = try PrivateDirectory(in: "/dev/shm")
      all[name] = directory
      return (directory, directory.path + "/" + storeName)
    }
  }

  /// Copies a store that cannot be locked.
  static func copy(of paths: StorePaths) throws(StorageError) -> (PrivateDirectory, String) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let directory = try PrivateDirectory(in: parent)
    let target = directory.path + "/copy.varve"
    do throws(StorageError) {
      let copy = try OpenFile(path: target, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try StoreCopy.copyVersion(of: paths.data, to: copy, path: target)
      return (directory, target)
    } catch {
      directory.remove()
      throw error
    }
  }

  /// Whether the directory is gone.
  var isRemoved: Bool { access(path, F_OK) != 0 }

  /// Removes a directory in which no store came to be.
  func removeIfUnused() {
    if access(path + "/" + Self.storeName, F_OK) != 0 { remove() }
  }

  /// Removes the directory and what is in it.
  func remove() {
    Self.named.withLock { all in
      for (name, directory) in all where directory === self { all[name] = nil }
      Self.removeContents(path)
    }
  }

  private static func removeContents(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != ".", name != ".." { unlink(path + "/" + name) }
      }
      closedir(directory)
    }
    rmdir(path)
  }

  /// Removes the directories of dead processes.
  private static func removeLeftovers(in parent: String, prefix: String) {
    guard let directory = opendir(parent) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard name.hasPrefix(prefix) else { continue }
      let path = parent + "/" + name
      var file = stat()
      guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFDIR, file.st_uid == geteuid()
      else { continue }
      let owner = varve_open(path + "/" + ownerName, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0)
      guard owner >= 0 else {
        // Being made just now, or left between two steps.
        if time(nil) - file.st_mtim.tv_sec > 60 { removeContents(path) }
        continue
      }
      defer { close(owner) }
      var ownerFile = stat()
      // Its maker may be between making and locking it.
      guard fstat(owner, &ownerFile) == 0, varve_file_lock(owner, 0, 1) == 0,
        ownerFile.st_size > 0 || time(nil) - ownerFile.st_mtim.tv_sec > 60
      else { continue }
      removeContents(path)
    }
  }
}

import CVarve
import Glibc
import Synchronization

/// The files of one store, and the checks of their directory.
package struct StorePaths: Sendable, Hashable {
  /// The real directory, without symbolic links.
  let directory: String
  let name: String

  var data: String { (directory == "/" ? "" : directory) + "/" + name }
  /// LMDB appends this suffix itself.
  var lock: String { data + "-lock" }
  var signal: String { data + Self.signalSuffix }

  static let signalSuffix = "-signal"

  /// Resolves the directory of a path. The last component is not followed: a link there is rejected
  /// later.
  ///
  /// - Throws: `invalidPath`, `fileNotFound` when the directory does not exist, or a system error.
  init(path: String) throws(StorageError) {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.count < 4000 else {
      throw StorageError(.invalidPath, "The path is empty, too long, or has a NUL.", path: path)
    }
    var parent = "."
    var name = path
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      parent = slash == path.utf8.startIndex ? "/" : String(path[..<slash])
      name = String(path[path.utf8.index(after: slash)...])
    }
    guard !name.isEmpty, name != ".", name != ".." else {
      throw StorageError(.invalidPath, "The path names no file.", path: path)
    }
    // Leaves room for the longest suffix.
    guard name.utf8.count <= 200 else {
      throw StorageError(
        .invalidPath,
        "The file name is longer than 200 bytes; the limit is 255, and the companion files have longer names.",
        path: path)
    }
    guard let resolved = realpath(parent, nil) else {
      throw StorageError.system(
        errno, path: path, "The directory does not exist or cannot be searched.")
    }
    defer { free(resolved) }
    directory = String(cString: resolved)
    self.name = name
  }

  /// Rejects a directory in which other users could replace the files.
  ///
  /// “Any process that can write to the directory can make another's writes go astray”: a link
  /// planted at the path of the lock file makes LMDB overwrite its target.
  ///
  /// - Throws: `directoryUnsafe`.
  func checkDirectory(isReadOnly: Bool) throws(StorageError) {
    var file = stat()
    try StorageError.check(
      stat(directory, &file) == 0, path: directory,
      "The directory could not be examined.")
    guard file.st_mode & S_IFMT == S_IFDIR else {
      throw StorageError(.invalidPath, "The parent is not a directory.", path: directory)
    }
    // A reader of another user's store writes nothing into the directory.
    if isReadOnly { return }
    let isSticky = file.st_mode & S_ISVTX != 0
    if file.st_mode & S_IWOTH != 0, !isSticky {
      throw StorageError(
        .directoryUnsafe,
        "The directory is world-writable; remove that permission (chmod o-w) or set the sticky bit.",
        path: directory)
    }
    // A volume of a container belongs to root, and to its group by the setgid bit.
    guard file.st_uid == geteuid() || file.st_uid == 0 else {
      throw StorageError(
        .directoryUnsafe, "The directory belongs to another user.", path: directory)
    }
    if file.st_uid != geteuid(), file.st_mode & S_IWGRP != 0, file.st_mode & S_ISGID == 0, !isSticky
    {
      throw StorageError(
        .directoryUnsafe,
        "A directory of root is group-writable; remove that permission (chmod g-w) or set the setgid bit (chmod g+s).",
        path: directory)
    }
  }

  /// Rejects a file of another user in a world-writable directory: that user could truncate it, or
  /// write anything into it, while it is mapped.
  ///
  /// - Throws: `directoryUnsafe`.
  func checkOwner(_ file: stat, path: String) throws(StorageError) {
    guard file.st_uid != geteuid(), file.st_uid != 0 else { return }
    var status = stat()
    guard stat(directory, &status) == 0, status.st_mode & S_IWOTH != 0 else { return }
    throw StorageError(
      .directoryUnsafe, "The file belongs to another user, in a world-writable directory.",
      path: path)
  }

  /// Rejects file systems on which maps and locks of several hosts are not coherent.
  ///
  /// lmdb.h, “Caveats”: “Do not use LMDB databases on remote filesystems, even between processes on
  /// the same host. This breaks flock() on some OSes, possibly memory map sync, and certainly sync
  /// between programs on different hosts.”
  func checkFileSystem() throws(StorageError) {
    var type: UInt64 = 0
    let result = varve_file_system_type(directory, &type)
    try StorageError.check(result, path: directory, "The file system could not be examined.")
    // NFS, 9p, FUSE, SMB (three kinds), Ceph, AFS, Coda.
    let remote: Set<UInt32> = [
      0x6969, 0x0102_1997, 0x6573_5546, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400,
      0x5346_414F, 0x7375_7245,
    ]
    if remote.contains(UInt32(truncatingIfNeeded: type)) {
      throw StorageError(
        .unsupportedFileSystem, "The directory is on a remote or user-space file system.",
        path: directory)
    }
  }

  /// Renames a finished file to the path of the data file, unless a file exists there, and makes
  /// its name durable.
  ///
  /// - Parameters:
  ///   - file: A synchronized file on the same file system.
  ///   - path: The path of the data file as the caller knows it, for errors.
  /// - Throws: `fileExists`, or a system error; the file keeps its name then. A system error also
  ///   when the directory cannot be synchronized; the file is removed then. In no case is the file
  ///   left at the path of the data file.
  func publish(_ file: String, path: String) throws(StorageError) {
    let result = varve_rename_exclusively(file, data)
    if result == EEXIST {
      throw StorageError(.fileExists, "A file exists at the path of the new store.", path: path)
    }
    try StorageError.check(result, path: path, "The new store could not be renamed.")
    do throws(StorageError) {
      try syncDirectory()
    } catch {
      unlink(data)
      throw error
    }
  }

  /// The number of directory synchronizations. For tests.
  package static var directorySyncCount: Int { directorySyncs.load(ordering: .relaxed) }
  private static let directorySyncs = Atomic<Int>(0)

  /// Makes the names of new files durable.
  func syncDirectory() throws(StorageError) {
    Self.directorySyncs.add(1, ordering: .relaxed)
    let descriptor = varve_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw StorageError.system(-descriptor, path: directory, "The directory could not be opened.")
    }
    defer { close(descriptor) }
    // EINVAL: the file system does not support it, and has nothing to make durable.
    let isSynced = fsync(descriptor) == 0 || errno == EINVAL
    try StorageError.check(
      isSynced, path: directory, "The directory could not be synchronized.")
  }
}

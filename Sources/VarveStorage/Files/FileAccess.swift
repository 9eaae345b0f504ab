import Glibc

/// The owner and mode of the files next to the data file, which have the same users.
struct FileAccess {
  /// The permissions of a new file; its owner may always read and write it.
  let mode: UInt32
  private let group: gid_t?

  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - mode: The mode if there is no data file.
  init(ofDataFile path: String, otherwise mode: UInt32) {
    var file = stat()
    let exists = stat(path, &file) == 0
    self.mode = exists ? UInt32(file.st_mode) & 0o666 | 0o600 : mode
    group = exists ? file.st_gid : nil
  }

  /// Sets the permissions of a new file, regardless of the umask, and its group if this process
  /// may. If the group cannot be set, the group gets no permissions.
  ///
  /// - Throws: A system error when the permissions cannot be set.
  func apply(to descriptor: Int32, path: String) throws(StorageError) {
    let hasGroup = group.map { fchown(descriptor, .max, $0) == 0 } ?? true
    let isSet = fchmod(descriptor, mode_t(hasGroup ? mode : mode & ~0o060)) == 0
    try StorageError.check(isSet, path: path, "The permissions could not be set.")
  }
}

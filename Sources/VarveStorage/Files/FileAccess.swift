import Glibc

/// Which users may open a file of a store: those beside the data file are for the users of that.
///
/// Thread safety: an immutable value.
struct FileAccess {
  /// The permissions of a new file; its owner may always read and write it.
  let mode: UInt32
  private let group: gid_t?

  /// - Parameters:
  ///   - path: of the data file.
  ///   - mode: where there is none.
  init(ofDataFile path: String, otherwise mode: UInt32) {
    var file = stat()
    let exists = stat(path, &file) == 0
    self.mode = exists ? UInt32(file.st_mode) & 0o666 | 0o600 : mode
    group = exists ? file.st_gid : nil
  }

  /// Gives a new file the permissions, whatever the umask, and the group if this process may: to another group it gives
  /// none.
  ///
  /// - Throws: What the system reports when the permissions cannot be set.
  func apply(to descriptor: Int32, path: String) throws(StorageError) {
    let hasGroup = group.map { fchown(descriptor, .max, $0) == 0 } ?? true
    let isSet = fchmod(descriptor, mode_t(hasGroup ? mode : mode & ~0o060)) == 0
    try StorageError.check(isSet, path: path, "The permissions could not be set.")
  }
}

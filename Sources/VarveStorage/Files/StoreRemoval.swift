import CVarve
import Glibc

extension Environment {
  /// Removes the files of a store that nobody has open, in this process or another.
  ///
  /// The signal file stays: who waits for it finds out that the data file is another one.
  ///
  /// - Throws: `busy` while the store is open anywhere, `directoryUnsafe`, or what the system reports. The files then
  ///   stay, but for a lock file that goes first.
  package static func removeFiles(path: String) throws(StorageError) {
    let paths = try StorePaths(path: path)
    try paths.checkDirectory(isReadOnly: false)
    try EnvironmentRegistry.withOpening { () throws(StorageError) in
      if let identity = FileIdentity(path: paths.data),
        EnvironmentRegistry.slot(of: identity) != nil
      {
        throw StorageError(
          .busy, "This process has the store open.", path: paths.data, pid: getpid())
      }
      let signal = try OpenFile(path: paths.signal, flags: O_RDWR | O_CREAT, mode: 0o600)
      try SignalPage.lockAlone(signal.descriptor, path: paths.data)
      for name in [paths.lock, paths.data] {
        guard unlink(name) == 0 || errno == ENOENT else {
          throw StorageError.system(errno, path: name, "The file could not be removed.")
        }
      }
      try paths.syncDirectory()
    }
  }
}

public import Foundation
import VarveCore

extension Realm {
  /// Closes a file for this process; nothing happens when it is not open.
  ///
  /// Realms of it that are still around, and what was reached from them, go on reading the version
  /// that they read, and throw `.closed` when they are refreshed or written to. The files are let go
  /// with the last of them. `Realm(configuration:)` opens the file again.
  /// - Parameter configuration: the configuration of the file.
  /// - Throws: `Realm.Error` with `.busy` while a write runs.
  public static func close(_ configuration: Configuration) throws {
    try Error.translating {
      guard let store = configuration.openedStore else { return }
      try StoreRegistry.shared.close(store)
    }
  }

  /// Removes the files of a configuration.
  ///
  /// - Parameter configuration: the configuration of the file; one in memory has no files.
  /// - Returns: whether there was any file.
  /// - Throws: `Realm.Error` with `.alreadyOpen` when this or another process has the file open; nothing is then
  ///   removed. `.fileAccess`, `.filePermissionDenied`, `.directoryUnsafe`.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    try Error.translating { try StoreRegistry.shared.remove(try configuration.options()) }
  }

  /// Whether there is a file for a configuration: that it can be opened is not said. False for one in memory.
  ///
  /// - Parameter configuration: the configuration of the file.
  /// - Returns: whether there is a file at its path.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let path = try? configuration.fileURL?.pathOfLocalFile() else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Writes a copy of the newest version to a new file, without free pages. Writers go on meanwhile.
  ///
  /// The copy is made under a temporary name, checked, put on the disk, and then given its name: there is a whole copy
  /// or none. Its versions are another history than those of this file.
  ///
  /// - Parameters:
  ///   - fileURL: where; there must be nothing yet.
  ///   - encryptionKey: must be nil: files cannot be encrypted.
  /// - Throws: `Realm.Error`: `.fileExists`, `.invalidInput` for a key, `.damagedTransaction` inside a write,
  ///   `.outOfDiskSpace`, `.corrupted`, `.closed`, or why the path cannot be used. There is then no copy.
  /// - Complexity: O(pages).
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try Error.translating {
      try Configuration.refuse(encryptionKey: encryptionKey, path: fileURL.path)
      try store.copy(to: try fileURL.pathOfLocalFile())
    }
  }

  /// Writes a copy of the newest version to the file of a configuration; see ``writeCopy(toFile:encryptionKey:)``.
  ///
  /// - Parameter configuration: names the new file; what else it says concerns its opening.
  /// - Throws: as ``writeCopy(toFile:encryptionKey:)``; `.invalidInput` for a configuration in memory.
  public func writeCopy(configuration: Configuration) throws {
    guard let fileURL = configuration.fileURL else {
      throw Error(.invalidInput, "A copy is a file: the configuration names a store in memory.")
    }
    try writeCopy(toFile: fileURL, encryptionKey: configuration.encryptionKey)
  }
}

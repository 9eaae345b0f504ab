import Foundation
import VarveCore

extension Realm {
  /// Closes a file for this process. Does nothing when the file is not open.
  ///
  /// Remaining realms of the file, and everything reached from them, keep reading their version,
  /// and throw `.closed` when they are refreshed or written to. The file descriptors stay open
  /// until the last of these realms is released. When `Realm(configuration:)` opens the file again,
  /// the remaining live realms move to the newest version, so that they do not pin an old one.
  /// Later, only ``Configuration/idleLimit`` and ``Configuration/maximumLag`` move them.
  ///
  /// - Parameter configuration: The configuration of the file.
  /// - Throws: `Realm.Error` with `.busy` while a write runs.
  public static func close(_ configuration: Configuration) throws {
    try Error.translating {
      guard let store = configuration.openedStore else { return }
      try StoreRegistry.shared.close(store)
    }
  }

  /// Deletes the files of a configuration. A configuration in memory has no files.
  ///
  /// - Returns: Whether there was any file.
  /// - Throws: `Realm.Error` with `.alreadyOpen` when this or another process has the file open; no
  ///   file is then deleted. `.fileAccess`, `.filePermissionDenied`, `.directoryUnsafe`.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    try Error.translating { try StoreRegistry.shared.remove(try configuration.options()) }
  }

  /// Returns whether the file of a configuration exists.
  ///
  /// The method does not check that the file can be opened. It returns false for a configuration in
  /// memory.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let path = try? configuration.fileURL?.pathOfLocalFile() else { return false }
    return FileManager.default.fileExists(atPath: path)
  }
}

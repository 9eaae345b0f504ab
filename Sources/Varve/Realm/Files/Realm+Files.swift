import Foundation
import VarveCore

extension Realm {
  /// Closes a file for this process; nothing happens when it is not open.
  ///
  /// Realms of it that are still held, and everything reached from them, keep reading their version,
  /// and throw `.closed` when they are refreshed or written to. The files stay open until the last of
  /// them is released. `Realm(configuration:)` opens the file again; live realms of before, which
  /// would pin a version each, then move to the newest version, and later as other live realms
  /// that nobody refreshes.
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
}

import Foundation
import Varve

/// A store that a command opens by its path.
struct StoreFile {
  private let url: URL

  init(_ path: String) { url = URL(fileURLWithPath: path) }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  private var configuration: Realm.Configuration { Realm.Configuration(fileURL: url) }

  /// Opens the store as nobody is kept from writing.
  ///
  /// - Throws: `Realm.Error`, also for a file that is not there.
  func openForReading() throws -> Realm {
    try Realm(configuration: Realm.Configuration(fileURL: url, readOnly: true))
  }

  /// Opens the store, which is made when it is not there.
  ///
  /// - Throws: `Realm.Error`.
  func openForWriting() throws -> Realm { try Realm(configuration: configuration) }

  /// Closes the store.
  ///
  /// - Throws: `Realm.Error`.
  func close() throws { try Realm.close(configuration) }

  /// Closes a store that this command has made, and takes its files away.
  ///
  /// - Throws: `Realm.Error`; what Foundation throws.
  func remove() throws {
    try close()
    for suffix in ["", "-lock", "-signal"] {
      let path = url.path + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}

import Foundation
import Varve

/// A store that a command opens by its path.
struct StoreFile {
  private let url: URL

  init(_ path: String) { url = URL(fileURLWithPath: path) }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Accepts any schema version of the file.
  private var configuration: Realm.Configuration {
    Realm.Configuration(fileURL: url, isDynamic: true)
  }

  /// Opens the store without blocking writers.
  ///
  /// - Throws: `Realm.Error`, also for a file that does not exist.
  func openForReading() throws -> Realm {
    var reading = configuration
    reading.readOnly = true
    return try Realm(configuration: reading)
  }

  /// Opens the store, and creates it if it does not exist.
  ///
  /// - Throws: `Realm.Error`.
  func openForWriting() throws -> Realm { try Realm(configuration: configuration) }

  /// Closes the store.
  ///
  /// - Throws: `Realm.Error`.
  func close() throws { try Realm.close(configuration) }

  /// Removes the files of a store that this command has created, unless another process has it open
  /// or has stored something in it.
  func removeIfEmpty() {
    guard (try? openForWriting().isEmpty) == true, (try? close()) != nil else { return }
    _ = try? Realm.deleteFiles(for: configuration)
  }
}

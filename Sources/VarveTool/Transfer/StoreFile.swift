import Foundation
import Varve

/// A store that a command opens by its path.
struct StoreFile {
  private let url: URL

  init(_ path: String) { url = URL(fileURLWithPath: path) }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Whatever schema version the file has.
  private var configuration: Realm.Configuration {
    Realm.Configuration(fileURL: url, isDynamic: true)
  }

  /// Opens the store as nobody is kept from writing.
  ///
  /// - Throws: `Realm.Error`, also for a file that is not there.
  func openForReading() throws -> Realm {
    var reading = configuration
    reading.readOnly = true
    return try Realm(configuration: reading)
  }

  /// Opens the store, which is made when it is not there.
  ///
  /// - Throws: `Realm.Error`.
  func openForWriting() throws -> Realm { try Realm(configuration: configuration) }

  /// Closes the store.
  ///
  /// - Throws: `Realm.Error`.
  func close() throws { try Realm.close(configuration) }

  /// Takes away the files of a store that this command has made, unless another process has it or has stored something
  /// in it.
  func removeIfEmpty() {
    guard (try? openForWriting().isEmpty) == true, (try? close()) != nil else { return }
    _ = try? Realm.deleteFiles(for: configuration)
  }
}

import Foundation
import Varve

/// A store that a command opens by its path.
struct StoreLocation {
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

  /// Opens the store for reading, checks it as `varve check` does, and closes it.
  ///
  /// - Parameters:
  ///   - isShown: Whether a progress bar is shown on a terminal.
  ///   - proceed: A closure that is called meanwhile, and whose error stops the check.
  /// - Throws: `Realm.Error`, and any error thrown by `proceed`.
  func check(
    showingProgress isShown: Bool, _ proceed: @escaping @Sendable () throws -> Void = {}
  ) throws -> Realm.CheckReport {
    let realm = try openForReading()
    let bar = SharedProgressBar("Check", isShown: isShown)
    defer { bar.clear() }
    let report = try realm.check {
      try proceed()
      bar.update($0.completedUnits, $0.totalUnits)
    }
    try close()
    return report
  }

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

import Foundation
import Logging
import Varve

/// The file of the demo.
struct DemoStore: Sendable {
  var url: URL

  static let fileName = "packages.varve"

  /// The suffixes of the data file and its two companion files.
  private static let suffixes = ["", "-lock", "-signal"]

  var configuration: Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, objectTypes: [Package.self, Maintainer.self, Section.self])
    // Only the demo's output and errors are of interest to its user.
    var logger = Logger(label: "package-index")
    logger.logLevel = .warning
    configuration.logger = logger
    return configuration
  }

  /// Opens or creates the store.
  func open() throws -> Realm {
    try Realm(configuration: configuration)
  }

  /// Removes the files of an earlier run, and creates the directory if it is missing.
  ///
  /// - Throws: ``DemoError`` when a file operation fails.
  /// - Precondition: This process does not have the store open.
  func clear() throws(DemoError) {
    let directory = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DemoError("The directory \(directory.path) could not be created", because: error)
    }
    for suffix in Self.suffixes {
      let path = url.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw DemoError("The file \(path) of an earlier run could not be removed", because: error)
      }
    }
  }
}

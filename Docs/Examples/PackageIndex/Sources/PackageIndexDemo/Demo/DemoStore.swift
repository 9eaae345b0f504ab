import Foundation
import Logging
import Varve

/// The file of the demo.
struct DemoStore: Sendable {
  var url: URL

  static let fileName = "packages.varve"

  /// What the file and the two beside it end in.
  private static let suffixes = ["", "-lock", "-signal"]

  var configuration: Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, objectTypes: [Package.self, Maintainer.self, Section.self])
    // Who runs the demo wants its output, and what is wrong.
    var logger = Logger(label: "package-index")
    logger.logLevel = .warning
    configuration.logger = logger
    return configuration
  }

  /// Opens it, or makes it.
  func open() throws -> Realm {
    try Realm(configuration: configuration)
  }

  /// Removes what an earlier run has left, and makes sure that the directory is there.
  ///
  /// - Throws: ``DemoError`` when the system refuses one of them.
  /// - Precondition: This process does not have the store open.
  func clear() throws(DemoError) {
    let directory = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DemoError("The directory \(directory.path) could not be made", because: error)
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

import Foundation
import Varve

/// The file of the demo.
struct DemoStore: Sendable {
  var url: URL

  static let fileName = "packages.varve"

  /// What the file and the two beside it end in.
  private static let suffixes = ["", "-lock", "-signal"]

  var configuration: Realm.Configuration {
    Realm.Configuration(
      fileURL: url, objectTypes: [Package.self, Maintainer.self, Section.self])
  }

  /// Opens it, or makes it.
  func open() throws -> Realm {
    try Realm(configuration: configuration)
  }

  /// Removes what an earlier run has left, and makes sure that the directory is there.
  ///
  /// - Throws: ``ToolError`` when the system refuses one of them.
  /// - Precondition: This process does not have the store open.
  func clear() throws(ToolError) {
    let directory = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ToolError("The directory \(directory.path) could not be made", because: error)
    }
    for suffix in Self.suffixes {
      let path = url.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw ToolError("The file \(path) of an earlier run could not be removed", because: error)
      }
    }
  }

  /// The bytes that the file takes on the disk.
  var bytesOnDisk: Int { DiskUsage.bytes(of: url.path) }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines

/// A class with a text as its key.
@Model final class Maker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Place?
  @Persisted var friends: List<Maker>
}

/// A class without a key.
@Model final class Place: Object {
  @Persisted var name: String
}

/// A directory with stores and texts in it.
final class TransferDirectory {
  let url = ToolProgram.temporaryURL("varve-transfer-")
  private var opened: [Realm.Configuration] = []

  init() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Checks all stores that were opened, closes them, and removes the directory.
  func end() {
    for configuration in opened {
      do {
        let report = StoreCheck.run(try configuration.store().newestSnapshot())
        #expect(report.isSound, "\(report)")
        try Realm.close(configuration)
      } catch {
        Issue.record(error)
      }
    }
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func open(_ name: String, _ types: [ObjectBase.Type]? = nil) throws -> Realm {
    let configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent(name), objectTypes: types, durability: .relaxed,
      mapReservation: 1 << 30)
    opened.append(configuration)
    return try Realm(configuration: configuration)
  }

  /// The export of a store.
  func text(_ realm: Realm) throws -> String {
    let file = url.appendingPathComponent("\(UUID()).jsonl")
    try realm.exportJSONLines(to: file)
    return try String(contentsOf: file, encoding: .utf8)
  }

  static func with(_ body: (TransferDirectory) throws -> Void) throws {
    let directory = try TransferDirectory()
    defer { directory.end() }
    try body(directory)
  }
}

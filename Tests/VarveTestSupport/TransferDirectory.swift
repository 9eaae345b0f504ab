package import Foundation
package import Varve
import VarveCore
import VarveJSONLines

/// A directory with stores and texts.
package final class TransferDirectory {
  package let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("varve-transfer-\(UUID().uuidString)")
  private var opened: [Realm.Configuration] = []

  private init() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Checks all stores that were opened, closes them, and removes the directory.
  ///
  /// - Throws: The first error, or ``UnsoundStore``.
  private func end() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let checks = opened.map { configuration in
      Result {
        let report = try StoreCheck.run(try configuration.store().newestSnapshot())
        try Realm.close(configuration)
        guard report.isSound else { throw UnsoundStore(description: "\(report)") }
      }
    }
    for check in checks { try check.get() }
  }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  package func open(
    _ name: String, _ types: [ObjectBase.Type]? = nil, schemaVersion: UInt64 = 0
  ) throws -> Realm {
    let configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent(name), schemaVersion: schemaVersion, objectTypes: types,
      durability: .full, mapReservation: 1 << 30)
    opened.append(configuration)
    return try Realm(configuration: configuration)
  }

  /// The export of a store.
  package func text(_ realm: Realm, classes: [String]? = nil) throws -> String {
    let file = url.appendingPathComponent("\(UUID()).jsonl")
    try realm.exportJSONLines(to: file, classes: classes)
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Imports a text into a new store.
  package func importing(
    _ text: String, into name: String = "\(UUID()).varve", schemaVersion: UInt64 = 0
  ) throws -> Realm {
    let file = url.appendingPathComponent("\(UUID()).jsonl")
    try Data(text.utf8).write(to: file)
    let realm = try open(name, schemaVersion: schemaVersion)
    try realm.importJSONLines(from: file)
    return realm
  }

  package static func with(_ body: (TransferDirectory) throws -> Void) throws {
    let directory = try TransferDirectory()
    let result = Result { try body(directory) }
    try directory.end(after: result)
  }

  /// Runs an asynchronous test.
  package static func with(_ body: (TransferDirectory) async throws -> Void) async throws {
    let directory = try TransferDirectory()
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(directory))
    } catch {
      result = .failure(error)
    }
    try directory.end(after: result)
  }

  /// - Throws: The error of the body, or else the error of ``end()``.
  private func end(after body: Result<Void, any Error>) throws {
    let checks = Result { try self.end() }
    try body.get()
    try checks.get()
  }
}

/// The check of a store found problems.
package struct UnsoundStore: Error, CustomStringConvertible {
  package let description: String
}

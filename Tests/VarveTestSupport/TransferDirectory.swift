import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines

/// A directory with stores and texts in it.
final class TransferDirectory {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("varve-transfer-\(UUID().uuidString)")
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
  func text(_ realm: Realm, classes: [String]? = nil) throws -> String {
    let file = url.appendingPathComponent("\(UUID()).jsonl")
    try realm.exportJSONLines(to: file, classes: classes)
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Imports a text into a new store.
  func importing(_ text: String, into name: String = "\(UUID()).varve") throws -> Realm {
    let file = url.appendingPathComponent("\(UUID()).jsonl")
    try Data(text.utf8).write(to: file)
    let realm = try open(name)
    try realm.importJSONLines(from: file)
    return realm
  }

  static func with(_ body: (TransferDirectory) throws -> Void) throws {
    let directory = try TransferDirectory()
    defer { directory.end() }
    try body(directory)
  }

  /// For tests that wait.
  static func with(_ body: (TransferDirectory) async throws -> Void) async throws {
    let directory = try TransferDirectory()
    defer { directory.end() }
    try await body(directory)
  }
}

/// The error of the library that a call throws; nil when it throws nothing, or something else.
func thrownError<R>(_ call: () throws -> R) -> Realm.Error? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? Realm.Error
  }
}

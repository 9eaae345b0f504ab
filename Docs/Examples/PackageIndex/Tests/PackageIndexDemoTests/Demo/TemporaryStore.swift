import Foundation
import Varve

@testable import PackageIndexDemo

/// A store of the demo in a separate directory.
struct TemporaryStore {
  let store: DemoStore

  /// Runs the body with an empty store and removes it afterwards.
  static func with(_ body: (TemporaryStore, Realm) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-demo-\(UUID().uuidString)", isDirectory: true)
    let temporary = TemporaryStore(
      store: DemoStore(url: directory.appendingPathComponent(DemoStore.fileName)))
    try temporary.store.clear()
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(temporary, temporary.store.open())
    try Realm.close(temporary.store.configuration)
  }

  /// The packages that are included with the demo.
  static func sample() throws -> [PackageRecord] {
    var records: [PackageRecord] = []
    try PackageSource.sample().forEachPackage { records.append($0) }
    return records
  }

  /// A package with only the given properties.
  static func record(
    _ name: String, version: String = "1", needs dependencies: String = ""
  ) throws -> PackageRecord {
    try PackageRecord(
      ControlParagraph(fields: [
        .init(name: "Package", value: name), .init(name: "Version", value: version),
        .init(name: "Maintainer", value: "A Team <team@example.org>"),
        .init(name: "Section", value: "libs"), .init(name: "Depends", value: dependencies),
        .init(name: "SHA256", value: "00\(name)"),
      ]))
  }
}

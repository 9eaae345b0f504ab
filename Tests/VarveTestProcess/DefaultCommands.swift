import Foundation
import Varve

/// The release of a program before it declares properties with defaults.
private enum BeforeDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }
}

/// Commands for the tests of properties that only another release declares.
enum DefaultCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    guard command == "defaultsOlder" else { return false }
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    configuration.objectTypes = [BeforeDefaults.Voucher.self]
    do {
      try addObjects(configuration)
    } catch let error as Realm.Error {
      say("refused", name(of: error))
    }
    return true
  }

  private static func name(of error: Realm.Error) -> String {
    error.code == .schemaVersionTooLow ? "schemaVersionTooLow" : "\(error)"
  }

  /// Adds three objects, and changes all of them, whenever the test says so; with "hold", the write
  /// lasts until the next line. Ends at "end".
  private static func addObjects(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    say("ready")
    while let line = readLine(), line != "end" {
      do {
        try realm.refresh()
        try realm.write {
          let first = realm.objects(BeforeDefaults.Voucher.self).count
          for item in realm.objects(BeforeDefaults.Voucher.self) { item.name += "!" }
          for id in first..<first + 3 {
            realm.create(BeforeDefaults.Voucher.self, value: ["id": id, "name": "n"])
          }
          if line == "hold" {
            say("holds")
            _ = readLine()
          }
        }
        say("added")
      } catch let error as Realm.Error {
        say("failed", name(of: error))
      }
    }
    try Realm.close(configuration)
  }
}

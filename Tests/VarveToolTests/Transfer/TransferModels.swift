import Foundation
import Testing
import Varve
import VarveCore

/// A class with an integer key, and a property of each type.
@Model final class Ware: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var isNew: Bool
  @Persisted var small: Int8
  @Persisted var medium: Int16?
  @Persisted var large: Int32
  @Persisted(indexed: true) var huge: Int
  @Persisted var weight: Float
  @Persisted var price: Double?
  @Persisted(indexed: true) var title: String
  @Persisted var picture: Data?
  @Persisted var made: Date
  @Persisted var tag: UUID?
  @Persisted var mark: ObjectId
  @Persisted var cost: Decimal128
  @Persisted var anything: AnyRealmValue
  @Persisted var maker: Maker?
  @Persisted var next: Ware?
  @Persisted var box: Crate?
  @Persisted var boxes: List<Crate>
  @Persisted var boxesByName: Map<String, Crate?>
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var names: MutableSet<String>
  @Persisted var amounts: Map<String, Double?>
  @Persisted var mixture: List<AnyRealmValue>
  @Persisted var makers: List<Maker>
  @Persisted var places: MutableSet<Place>
  @Persisted var wares: Map<String, Ware?>
}

/// A class with a text as its key.
@Model final class Maker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Place?
  @Persisted var friends: List<Maker>
}

/// A class without a key.
@Model final class Place: Object {
  @Persisted var name: String
  @Persisted var neighbour: Place?
  @Persisted var known: Map<String, AnyRealmValue>
}

/// A class with a key that may be null.
@Model final class Label: Object {
  @Persisted(primaryKey: true) var id: UUID?
  @Persisted var text = "?"
}

@Model final class Crate: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var from: Place?
  @Persisted var lid: Lid?
}

@Model final class Lid: EmbeddedObject {
  @Persisted var colors: List<String>
  @Persisted var painter: Maker?
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

import Foundation
import Varve

/// The watched class of the tests. `Tests/VarveTestProcess/WatchCommands.swift` declares the same
/// class.
@Model final class Pup: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var tags: List<String>
  @Persisted var notes: Map<String, Int>
  @Persisted var friend: Pup?
}

/// A class without a primary key.
@Model final class Toy: Object {
  @Persisted var label: String
  @Persisted var bytes: Data
  @Persisted var bought: Date
}

/// A class with a set.
@Model final class Basket: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var fruits: MutableSet<String>
}

/// A class with a link to an object without a primary key.
@Model final class ToyBox: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var toy: Toy?
}

/// A class with links to pups.
@Model final class Keeper: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var pups: List<Pup>
}

/// A store of pups and toys in a separate directory.
struct PupStore {
  let path: String
  let realm: Realm

  /// Runs the body with an empty store and removes it afterwards. With the durability `.none`, no
  /// other process can write.
  static func with(
    _ types: [ObjectBase.Type] = [Pup.self, Toy.self],
    durability: Realm.Configuration.Durability = .none, _ body: (PupStore) throws -> Void
  ) throws {
    let directory = ToolProgram.temporaryURL("varve-watch-")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appendingPathComponent("pups.varve")
    let configuration = Realm.Configuration(
      fileURL: url, objectTypes: types, durability: durability, mapReservation: 1 << 30)
    let realm = try Realm(configuration: configuration)
    try body(PupStore(path: url.path, realm: realm))
    try Realm.close(configuration)
  }

  /// Starts watching, and waits until it has begun.
  func watch(_ arguments: String...) throws -> RunningTool {
    let tool = try RunningTool(["watch", path] + arguments)
    _ = tool.line()
    return tool
  }
}

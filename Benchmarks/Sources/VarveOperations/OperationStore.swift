import Foundation
import Varve

/// A filled store without durability.
struct OperationStore {
  let directory: URL
  let configuration: Realm.Configuration
  let realm: Realm

  let items = 2000
  let labels = 1000
  let elements = 10_000

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-operations-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    configuration = Realm.Configuration(
      fileURL: directory.appendingPathComponent("operations.varve"),
      objectTypes: [Item.self, Labelled.self, Collections.self, FixedSizes.self], durability: .none)
    realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<items { realm.add(Item(id: id)) }
      realm.add(FixedSizes(id: 0))
      for id in 0..<labels { realm.create(Labelled.self, value: ["label \(id)", id]) }
      let collections = realm.create(Collections.self, value: ["id": 0])
      for element in 0..<elements {
        collections.numbers.append(element)
        collections.numbersByKey["key \(element)"] = element
      }
    }
  }

  func item(_ id: Int) throws -> Item {
    guard let item = realm.object(ofType: Item.self, forPrimaryKey: id) else {
      throw MeasurementFailure("there is no item \(id)")
    }
    return item
  }

  func fixedSizes() throws -> FixedSizes {
    guard let found = realm.object(ofType: FixedSizes.self, forPrimaryKey: 0) else {
      throw MeasurementFailure("there are no values of fixed sizes")
    }
    return found
  }

  func collections() throws -> Collections {
    guard let found = realm.object(ofType: Collections.self, forPrimaryKey: 0) else {
      throw MeasurementFailure("there are no collections")
    }
    return found
  }

  /// Begins a write, changes the indexed property of one item before each call of the body, and
  /// rolls the write back.
  ///
  /// - Returns: The sum of the body's results for 0, 1, ….
  func changing(_ count: Int, _ body: (Int) -> Int) throws -> Int {
    try realm.write {
      var total = 0
      for index in 0..<count {
        try item(index * 7919 % items).rank += 1
        total &+= body(index)
      }
      realm.cancelWrite()
      return total
    }
  }

  func remove() throws {
    try Realm.close(configuration)
    try FileManager.default.removeItem(at: directory)
  }
}

/// The reason why a measurement failed.
struct MeasurementFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

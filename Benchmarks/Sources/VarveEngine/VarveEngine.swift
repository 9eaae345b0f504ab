package import BenchmarkKit
package import Foundation
import Varve

/// Varve with its defaults: every commit is synchronised to the disk.
package struct VarveEngine: Engine {
  package static let name = "varve"

  let configuration: Realm.Configuration

  package init(directory: URL) throws {
    configuration = Realm.Configuration(
      fileURL: directory.appendingPathComponent("bench.varve"),
      objectTypes: [StoredPerson.self, IndexedPerson.self, Holder.self])
    _ = try Realm(configuration: configuration)
  }

  package func insertPersons(count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.add(StoredPerson(Person(id: id))) }
    }
  }

  package func insertIndexedPersons(count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.add(IndexedPerson(Person(id: id))) }
    }
  }

  package func updatePersons(count: Int, onlyDifferences: Bool) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count {
        realm.add(StoredPerson(Person.updated(id: id)), update: onlyDifferences ? .modified : .all)
      }
    }
  }

  package func makeReader() throws -> any EngineReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }

  package func openViews(count: Int, persons: Int) throws -> Int {
    var seen = 0
    for _ in 0..<count {
      let realm = try Realm(configuration: configuration)
      if realm.objects(StoredPerson.self).count == persons { seen += 1 }
    }
    return seen
  }

  package func appendToList(count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbers = holder(in: realm).numbers
      for number in 0..<count { numbers.append(number) }
    }
  }

  package func insertIntoMap(keys: [String]) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbersByKey = holder(in: realm).numbersByKey
      for (number, key) in keys.enumerated() { numbersByKey[key] = number }
    }
  }

  package func close() throws {
    try Realm.close(configuration)
  }

  func holder(in realm: Realm) -> Holder {
    realm.object(ofType: Holder.self, forPrimaryKey: 0)
      ?? realm.create(Holder.self, value: ["id": 0])
  }
}

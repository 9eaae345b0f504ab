package import BenchmarkKit
import Varve

extension VarveEngine: ListEngine, MapEngine {
  package func appendToList(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbers = holder(in: realm).numbers
      for number in 0..<count { numbers.append(number) }
    }
  }

  package func insertIntoList(_ insertions: [(element: Int, index: Int)]) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbers = holder(in: realm).numbers
      for insertion in insertions { numbers.insert(insertion.element, at: insertion.index) }
    }
  }

  package func removeFromList(at indexes: [Int]) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbers = holder(in: realm).numbers
      for index in indexes { numbers.remove(at: index) }
    }
  }

  package func makeListReader() throws -> any ListReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }

  package func insertIntoMap(_ keys: [String]) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let numbersByKey = holder(in: realm).numbersByKey
      for (number, key) in keys.enumerated() { numbersByKey[key] = number }
    }
  }

  package func makeMapReader() throws -> any MapReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }
}

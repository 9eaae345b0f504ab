package import BenchmarkKit
import Foundation
import Varve
import VarveJSONLines

extension VarveEngine: TextEngine {
  private var directory: URL {
    (configuration.fileURL ?? URL(fileURLWithPath: ".")).deletingLastPathComponent()
  }

  private var textFile: URL { directory.appendingPathComponent("persons.jsonl") }

  private var other: Realm.Configuration {
    Realm.Configuration(
      fileURL: directory.appendingPathComponent("other.varve"),
      objectTypes: configuration.objectTypes)
  }

  package func exportText() throws {
    try Realm(configuration: configuration).exportJSONLines(to: textFile)
  }

  package func importText() throws {
    try Realm.close(other)
    _ = try Realm.deleteFiles(for: other)
    try Realm(configuration: other).importJSONLines(from: textFile)
  }

  package func readImportedAges() throws -> Checksum {
    var checksum = Checksum()
    for stored in try Realm(configuration: other).objects(StoredPerson.self) {
      let person = Person(id: stored.id)
      if stored.name == person.name, stored.score == person.score { checksum.add(stored.age) }
    }
    try Realm.close(other)
    return checksum
  }
}

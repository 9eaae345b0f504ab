package import BenchmarkKit
import Foundation
import Varve

/// The persons of a later schema version.
private enum Later {
  @Model final class StoredPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var years: Int
    @Persisted var score: String
    @Persisted var created: Date
  }
}

extension VarveEngine: MigratingEngine {
  package func migrate() throws {
    try Realm.close(configuration)
    var later = configuration
    later.objectTypes = [Later.StoredPerson.self]
    later.schemaVersion = 1
    later.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "StoredPerson", from: "age", to: "years")
      migration.enumerateObjects(ofType: "StoredPerson") { old, new in
        new?["score"] = "\(old?["score"] as? Double ?? 0)"
      }
    }
    _ = try Realm(configuration: later)
  }

  package func readMigratedAges() throws -> Checksum {
    var later = configuration
    later.objectTypes = [Later.StoredPerson.self]
    later.schemaVersion = 1
    var checksum = Checksum()
    for person in try Realm(configuration: later).objects(Later.StoredPerson.self)
    where person.score == "\(Person(id: person.id).score)" {
      checksum.add(person.years)
    }
    return checksum
  }
}

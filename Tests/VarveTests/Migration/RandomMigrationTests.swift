import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

/// Random schemas through several releases: the content of the file agrees with a plain model.
@Suite struct RandomMigrationTests {
  @Test(arguments: 0..<12)
  func rowsAgreeWithPlainModel(run: Int) throws {
    var random = SeededRandom()
    if run > 0 { random = SeededRandom(seed: random.seed &+ UInt64(run)) }
    try withMigratedFile { store in
      var schema = RandomSchema(&random)
      var nextTag = 0
      var realm = try store.open()
      let core = try store.configuration.store()
      try core.prepareSchema(.listed(schema.models), version: 0, migrate: nil)
      for version: UInt64 in 1...5 {
        try realm.write { try schema.write(realm, nextTag: &nextTag, &random) }
        try store.check("\(random), before \(version)")
        let rows = try schema.rows(in: realm)
        schema = schema.next(&random)
        let expected = try migrate(store, schema, rows, version, &random)
        try store.check("\(random), after \(version)")
        realm = try store.open()
        let found = try schema.rows(in: realm)
        #expect(found == expected, "\(random), version \(version)")
        try checkKeys(realm, schema, "\(random)")
      }
    }
  }

  /// Migrates the file, with the operations in random order.
  ///
  /// - Returns: the expected content of the file.
  private func migrate(
    _ store: TemporaryRealm, _ schema: RandomSchema, _ rows: [String: RandomRows],
    _ version: UInt64, _ random: inout SeededRandom
  ) throws -> [String: RandomRows] {
    var expected: [String: RandomRows] = [:]
    for random in schema.classes {
      let old = schema.renamedClasses.first { $0.to == random.name }?.from ?? random.name
      expected[random.name] = (rows[old] ?? [:]).mapValues { row in
        var new = ["code": row["code"] ?? .null]
        for property in random.properties { new[property.name] = property.migrated(row) }
        return new
      }
    }
    let setsBefore = random.oneIn(2)
    // A process supports one schema version at a time.
    try Realm.close(store.configuration)
    let core = try store.configuration.store()
    try core.prepareSchema(.listed(schema.models), version: version) { core, _ in
      let migration = Realm.Migration(core)
      for (old, new) in schema.renamedClasses { migration.renameClass(from: old, to: new) }
      if setsBefore { setIntegers(migration, schema, &expected) }
      for random in schema.classes {
        for property in random.properties {
          guard case .renamed(let old) = property.fate else { continue }
          migration.renameProperty(onType: random.name, from: old, to: property.name)
        }
      }
      if !setsBefore { setIntegers(migration, schema, &expected) }
    }
    return expected
  }

  /// Sets the integer properties that were added or whose type has changed.
  private func setIntegers(
    _ migration: Realm.Migration, _ schema: RandomSchema, _ expected: inout [String: RandomRows]
  ) {
    for random in schema.classes {
      let properties = random.properties.filter { property in
        guard property.kind.type == .int64, property.kind.collection == .none else { return false }
        return switch property.fate {
        case .added, .replaced: true
        case .kept, .renamed, .converted: false
        }
      }
      var seen: Set<Int> = []
      migration.enumerateObjects(ofType: random.name) { old, new in
        let tag = old?["tag"] as? Int ?? -1
        #expect(seen.insert(tag).inserted)
        #expect(new?["tag"] as? Int == tag)
        for property in properties where tag.isMultiple(of: 2) {
          new?[property.name] = tag + 1
          expected[random.name]?[tag]?[property.name] = RandomValue(tag + 1)
        }
      }
      #expect(seen.count == expected[random.name]?.count)
    }
  }

  private func checkKeys(_ realm: Realm, _ schema: RandomSchema, _ seed: String) throws {
    for random in schema.classes {
      guard let key = random.key else { continue }
      for object in try realm.dynamicObjects(random.name) {
        let found = try realm.dynamicObject(ofType: random.name, forPrimaryKey: object[key])
        #expect(found?["tag"] as? Int == object["tag"] as? Int, "\(seed)")
      }
    }
  }
}

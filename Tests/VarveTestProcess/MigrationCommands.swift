import Foundation
import Varve
import VarveLocks

/// The classes of the tests' second release, with the properties that these commands use.
private enum Shop2 {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var fullName: String
    @Persisted(indexed: true) var years: Int
    @Persisted var nickname: String
    @Persisted var weight: Double?
    @Persisted var photo: String
    @Persisted var token = UUID()
    @Persisted var level = 4
    @Persisted var home: Place?
    @Persisted var seen: List<Place>
    @Persisted var words: List<String?>
    @Persisted var friends: List<Person>
    @Persisted var best: Person?
    @Persisted var byCity: Map<String, Place?>
    @Persisted var counts: Map<String, Int?>
  }

  @Model final class Place: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var people: List<Person>
  }
}

/// Commands for the tests of migrations.
enum MigrationCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String) throws -> Bool {
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    switch command {
    case "migrationStart": start(&configuration)
    case "migrationHold": try hold(&configuration)
    case "migrationReplace": try replace(&configuration)
    case "migrationKilled": try halt(&configuration)
    default: return false
    }
    return true
  }

  /// Opens the file simultaneously with other processes, with a migration.
  private static func start(_ configuration: inout Realm.Configuration) {
    say("ready")
    waitForTest()
    let runs = Lock(0)
    configuration.objectTypes = [Shop2.Person.self, Shop2.Place.self]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      migration.renameProperty(onType: "Person", from: "age", to: "years")
      migration.renameProperty(onType: "Person", from: "visited", to: "seen")
      migration.enumerateObjects(ofType: "Person") { $1?["fullName"] = "migrated \(run)" }
    }
    do {
      let realm = try Realm(configuration: configuration)
      let people = realm.objects(Shop2.Person.self)
      let count = people.count { $0.fullName == "migrated 1" }
      let what = runs.withLock { $0 } == 1 ? "migrated" : "found it done"
      say("\(what), \(count) of \(people.count)")
      try Realm.close(configuration)
    } catch {
      say("failed \(error)")
    }
  }

  private static func hold(_ configuration: inout Realm.Configuration) throws {
    configuration.isDynamic = true
    let realm = try Realm(configuration: configuration)
    say("holds \(try realm.dynamicObjects("Person").count)")
    waitForTest()
    try realm.refresh()
    say("still \(try realm.dynamicObjects("Person").count)")
    try Realm.close(configuration)
  }

  private static func replace(_ configuration: inout Realm.Configuration) throws {
    configuration.deleteRealmIfMigrationNeeded = true
    do {
      let realm = try Realm(configuration: configuration)
      say(realm.isEmpty ? "replaced" : "kept")
      try Realm.close(configuration)
    } catch {
      say("failed \(error)")
    }
  }

  /// Stops in the middle of a migration, until the process is killed.
  private static func halt(_ configuration: inout Realm.Configuration) throws {
    configuration.objectTypes = [Shop2.Person.self, Shop2.Place.self]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      let count = Lock(0)
      migration.enumerateObjects(ofType: "Person") { _, new in
        new?["years"] = 1
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 200 {
          say("in the middle")
          waitForTest()
        }
      }
    }
    _ = try Realm(configuration: configuration)
  }
}

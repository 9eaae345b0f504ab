import Foundation
import Glibc
import Varve

/// The model of a program that is one release ahead of the tests: an indexed property, a property
/// with a computed default, an index on an old property, and an additional class that links to the
/// old one.
enum Newer {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age = 0
    @Persisted(indexed: true) var email = "none"
    @Persisted var token = UUID()
    @Persisted var photo: Data?
    @Persisted var nicknames: List<String>
    @Persisted var best: Pet?
    @Persisted(originProperty: "owner") var pets: LinkingObjects<Pet>
  }

  @Model final class Pet: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var owner: Person?
    @Persisted var friends: List<Person>
    @Persisted var byRole: Map<String, Person?>
  }
}

/// A class that the tests store with another type.
enum Stranger {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var size: String
  }
}

/// The versions that the second of two processes uses, turn by turn, of a class that both change.
enum SecondTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var two = "2"
    @Persisted var claimed = 0
  }
}
enum FourthTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var four = "4"
    @Persisted(indexed: true) var two = "two"
    @Persisted var three = 0
    @Persisted var one = "one"
  }
}
enum LastTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var late = 0
  }
}

/// Classes that several processes register simultaneously.
enum Race {
  @Model final class Shared: Object {
    @Persisted(primaryKey: true) var process: Int
    @Persisted var links: List<Shared>
  }
  @Model final class First: Object {
    @Persisted var process = 0
    @Persisted var shared: Shared?
  }
  @Model final class Second: Object { @Persisted(indexed: true) var process = 0 }
  @Model final class Third: Object { @Persisted var process = 0 }
  @Model final class Fourth: Object { @Persisted var process = 0 }
}

/// Commands for the tests of classes and their changes.
enum SchemaCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    switch command {
    case "schemaNewer": try runNewer(&configuration)
    case "schemaRace": try race(&configuration, numbers[0])
    case "schemaReadOnly": try readOnly(&configuration)
    case "schemaMismatch": try readMismatch(configuration)
    case "schemaTurns": try takeTurns(configuration)
    default: return false
    }
    return true
  }

  private static func runNewer(_ configuration: inout Realm.Configuration) throws {
    configuration.objectTypes = [Newer.Person.self, Newer.Pet.self]
    let realm = try Realm(configuration: configuration)
    let people = realm.objects(Newer.Person.self)
    say(
      "opened", people.map { "\($0.id):\($0.email):\($0.nicknames.count)" }.joined(separator: ","))
    say("tokens", "\(Set(people.map(\.token)).count)")
    waitForTest()
    try realm.write {
      let pet = realm.create(Newer.Pet.self, value: ["name": "Rex"])
      pet.owner = people[0]
      pet.friends.append(objectsIn: [people[0], people[1], people[0]])
      pet.byRole["vet"] = people[0]
      people[0].best = pet
      people[1].best = pet
      people[1].email = "second@example.org"
      people[1].photo = Data(repeating: 7, count: 2_000)
      people[1].nicknames.append(objectsIn: ["Sec", "Ond"])
    }
    say("linked")
    waitForTest()
    try realm.refresh()
    for person in people {
      say(
        "\(person.id) \(person.name) \(person.age) \(person.email) \(person.photo?.count ?? 0)",
        person.nicknames.joined(separator: "+"), person.best?.name ?? "-",
        "\(person.pets.count)")
    }
    let pet = realm.object(ofType: Newer.Pet.self, forPrimaryKey: "Rex")
    say(
      "pet", pet?.owner == nil ? "free" : "owned",
      pet?.friends.map { "\($0.id)" }.joined(separator: ",") ?? "none",
      pet?.byRole["vet"] == .some(nil) ? "null" : "other")
    try Realm.close(configuration)
  }

  /// Opens or creates the file simultaneously with other processes. Every second process registers
  /// its classes when it opens, and the others with the first write.
  private static func race(_ configuration: inout Realm.Configuration, _ number: Int) throws {
    let types: [Object.Type] = [
      Race.First.self, Race.Second.self, Race.Third.self, Race.Fourth.self,
    ]
    if number % 2 == 0 { configuration.objectTypes = [Race.Shared.self, types[number / 2 % 4]] }
    say("ready")
    waitForTest()
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let shared = realm.create(Race.Shared.self, value: ["process": number])
        shared.links.append(objectsIn: realm.objects(Race.Shared.self))
        switch number / 2 % 4 {
        case 0: realm.create(Race.First.self, value: ["process": number, "shared": shared])
        case 1: realm.create(Race.Second.self, value: ["process": number])
        case 2: realm.create(Race.Third.self, value: ["process": number])
        default: realm.create(Race.Fourth.self, value: ["process": number])
        }
      }
      say("committed \(realm.version.number)")
      try Realm.close(configuration)
    } catch {
      say("failed \(error)")
    }
  }

  /// Reads a class that the file stores with other types many times. The log is sent to the test.
  private static func readMismatch(_ configuration: Realm.Configuration) throws {
    dup2(1, 2)
    // The schema of the class is compared at its first use.
    var configuration = configuration
    configuration.objectTypes = []
    let realm = try Realm(configuration: configuration)
    var count = 0
    for _ in 0..<100 { count += realm.objects(Stranger.Gadget.self).count }
    let found = realm.object(ofType: Stranger.Gadget.self, forPrimaryKey: 1)
    say("read \(count) \(found.map { $0.size } ?? "nil")")
    // Another thread writes the log: the test waits for the expected line.
    waitForTest()
    try Realm.close(configuration)
  }

  /// Changes a class in turns with the test, which has written first.
  private static func takeTurns(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(SecondTurn.Turn.self, value: ["id": 2, "two": "b"]) }
    let second = realm.objects(SecondTurn.Turn.self)
    say("second", second.map { "\($0.id):\($0.two)" }.joined(separator: ","))
    waitForTest()
    try realm.write { realm.create(FourthTurn.Turn.self, value: ["id": 4, "four": "d"]) }
    // The previous model can still be used.
    try realm.write { realm.create(SecondTurn.Turn.self, value: ["id": 5, "two": "e"]) }
    let fourth = realm.objects(FourthTurn.Turn.self)
    say(
      "fourth",
      fourth.map { "\($0.id):\($0.one):\($0.two):\($0.three):\($0.four)" }.joined(separator: ","))
    waitForTest()
    try realm.refresh()
    say("last", fourth.where { $0.four == "4" && $0.one == "f" }.map { "\($0.id)" }.joined())
    do {
      try realm.write { realm.create(LastTurn.Turn.self, value: ["id": 7, "late": 1]) }
      say("written")
    } catch let error as Realm.Error {
      say(error.code == .schemaMismatch ? "mismatch" : "\(error)", error.details.joined())
    }
    try Realm.close(configuration)
  }

  private static func readOnly(_ configuration: inout Realm.Configuration) throws {
    configuration.readOnly = true
    configuration.objectTypes = [Newer.Person.self, Newer.Pet.self]
    do {
      let realm = try Realm(configuration: configuration)
      let people = realm.objects(Newer.Person.self)
      say("opened", people.map { "\($0.id):\($0.name):\($0.email)" }.joined(separator: ","))
      say("pets", "\(realm.objects(Newer.Pet.self).count)")
      let isRefused: Bool
      do {
        try realm.write {}
        isRefused = false
      } catch let error as Realm.Error {
        isRefused = error.code == .readOnly
      }
      say("write", isRefused ? "refused" : "allowed")
      try Realm.close(configuration)
    } catch {
      say("failed \(error)")
    }
  }
}

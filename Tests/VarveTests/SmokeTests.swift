import Foundation
import Testing
import Varve

@Model final class SmokeDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(indexed: true) var age = 0
  @Persisted var owner: SmokePerson?
  @Persisted var toys: List<String>
  @Persisted var scores: List<Int>
  @Persisted var notes: Map<String, String>
}

@Model final class SmokePerson: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var dogs: List<SmokeDog>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<SmokeDog>
}

@Suite struct SmokeTests {
  @Test func writesAndReads() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = Realm.Configuration(
      fileURL: directory.appending(path: "a.varve"), mapReservation: 1 << 30)
    let realm = try Realm(configuration: configuration)
    let dog = SmokeDog()
    dog.id = 7
    dog.name = "Rex"
    dog.toys.append("ball")
    dog.notes["a"] = "b"
    let person = SmokePerson(value: ["name": "Ann"])
    dog.owner = person
    person.dogs.append(dog)
    try realm.write {
      realm.add(dog)
      for i in 0..<1000 { dog.scores.append(i) }
    }
    #expect(dog.name == "Rex")
    #expect(dog.isInvalidated == false)
    #expect(dog.toys.count == 1)
    #expect(dog.toys[0] == "ball")
    #expect(dog.scores.count == 1000)
    #expect(dog.scores[999] == 999)
    #expect(dog.notes["a"] == "b")
    #expect(person.realm != nil)
    #expect(person.dogs[0].isSameObject(as: dog))
    #expect(person.owned.count == 1)
    #expect(person.owned.first?.name == "Rex")
    #expect(realm.objects(SmokeDog.self).where { $0.age < 5 && $0.owner.name == "Ann" }.count == 1)
    let frozen = realm.freeze()
    try realm.write {
      dog.age = 9
      realm.create(SmokeDog.self, value: ["id": 8, "name": "Ben", "age": 3])
    }
    #expect(dog.age == 9)
    #expect(frozen.objects(SmokeDog.self).first?.age == 0)
    #expect(realm.objects(SmokeDog.self).count == 2)
    #expect(frozen.objects(SmokeDog.self).count == 1)
    #expect(realm.objects(SmokeDog.self).sorted(by: \.age).map(\.name) == ["Ben", "Rex"])
    #expect(realm.objects(SmokeDog.self).sum(of: \.age) == 12)
    #expect(realm.object(ofType: SmokePerson.self, forPrimaryKey: "Ann") != nil)
    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated)
    #expect(person.dogs.count == 0)
    expectError(.duplicatePrimaryKey) {
      try realm.write { realm.create(SmokeDog.self, value: ["id": 8]) }
    }
    #expect(realm.objects(SmokeDog.self).count == 1)
    try Realm.close(configuration)
  }

  @Test func asyncWritesAreGrouped() async throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "smoke", mapReservation: 1 << 30)
    let realm = try Realm(configuration: configuration)
    await withThrowingTaskGroup(of: Void.self) { group in
      for i in 0..<50 {
        group.addTask {
          let realm = try Realm(configuration: configuration)
          try await realm.asyncWrite {
            let r = try Realm(configuration: configuration)
            r.create(SmokeDog.self, value: ["id": i])
            if i == 13 { throw CancellationError() }
          }
        }
      }
      while let r = await group.nextResult() { _ = r }
    }
    try realm.refresh()
    #expect(realm.objects(SmokeDog.self).count == 49)
    try Realm.close(configuration)
  }
}

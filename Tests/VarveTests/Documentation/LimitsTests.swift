import Testing
import Varve

enum Priority: Int, PersistableEnum { case low, middle, high }

/// The statements of the article “Limits” about sort orders and depths.
@Suite struct LimitsTests {
  enum Level: String, PersistableEnum { case low, high, middle }

  @Model final class Task: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var level = Level.low
    @Persisted var priority: Priority
    @Persisted var next: Task?
  }

  @Test func enumerationsAreOrderedByRawValue() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, name) in ["low", "middle", "high"].enumerated() {
          realm.create(Task.self, value: ["id": id, "level": name, "priority": id])
        }
      }
      let tasks = realm.objects(Task.self)
      #expect(tasks.sorted(by: \.level).map(\.level) == [.high, .low, .middle])
      #expect(tasks.sorted(by: \.priority).map(\.priority) == [.low, .middle, .high])
    }
  }

  @Test func stringsAreOrderedByBytes() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, name) in ["é", "a", "Z"].enumerated() {
          realm.create(Task.self, value: ["id": id, "name": name])
        }
      }
      #expect(realm.objects(Task.self).sorted(by: \.name).map(\.name) == ["Z", "a", "é"])
    }
  }

  @Test func nestedValuesCanBeOneHundredLevelsDeep() throws {
    var value: [String: Any] = ["id": 0]
    for id in 1..<100 { value = ["id": id, "next": value] }
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(Task.self, value: value) }
      #expect(realm.objects(Task.self).count == 100)
    }
  }

  @Test func conditionsCanBeOneThousandDeep() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(Task.self, value: ["id": 999]) }
      let found = realm.objects(Task.self).where { task in
        (0..<1000).reduce(task.id == -1) { condition, id in condition || task.id == id }
      }
      #expect(found.count == 1)
      #expect(realm.objects(Task.self).where { $0.id.in(0..<100_000) }.count == 1)
    }
  }

  @Test func chainOfAnyLengthIsAdded() throws {
    try withTemporaryRealm { realm, _ in
      let first = Task(value: ["id": 0])
      var last = first
      for id in 1..<50_000 {
        let task = Task()
        task.id = id
        last.next = task
        last = task
      }
      try realm.write { realm.add(first) }
      #expect(realm.objects(Task.self).count == 50_000)
      try realm.write { realm.delete(first) }
      #expect(realm.objects(Task.self).count == 49_999)
    }
  }
}

import Foundation
import Glibc
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// The model of this process; child processes use a later release.
private enum Older {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age = 0
  }
}

/// The classes that concurrent child processes register.
private enum Race {
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

/// Successive declarations, in this process, of a class that two processes change in turn.
private enum FirstTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var one = "1"
  }
}
private enum ThirdTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var three = 3
    @Persisted var one = "uno"
  }
}
private enum LateTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var late = "late"
    @Persisted(indexed: true) var one = "1"
  }
}
/// Has a property that the other process stores with another type.
private enum ClaimedTurn {
  @Model final class Turn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var claimed = "text"
  }
}

@Suite struct SchemaProcessesTests {
  @Test(arguments: [2, 8, 8])
  func concurrentProcessesCreateOneFile(count: Int) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let children = (0..<count).map { TestProcess(["schemaRace", store.path, "\($0)"]) }
    for child in children { #expect(child.line() == "ready") }
    for child in children { child.go() }
    let lines = children.map { $0.line() ?? "nothing" }
    #expect(lines.allSatisfy { $0.hasPrefix("committed") }, "\(lines)")
    #expect(Set(lines).count == count, "each commit has a version of its own: \(lines)")
    for child in children { child.wait() }
    let realm = try store.open()
    let shared = realm.objects(Race.Shared.self)
    #expect(shared.map(\.process) == Array(0..<count))
    // Each process linked to the objects that it found: the n-th commit to n objects.
    #expect(shared.map(\.links.count).sorted() == Array(1...count))
    let others =
      realm.objects(Race.First.self).map(\.process) + realm.objects(Race.Second.self).map(\.process)
      + realm.objects(Race.Third.self).map(\.process)
      + realm.objects(Race.Fourth.self).map(\.process)
    #expect(others.sorted() == Array(0..<count))
    for first in realm.objects(Race.First.self) { #expect(first.shared?.process == first.process) }
    try store.check()
  }

  @Test func newerProgramRunsConcurrently() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Older.Person.self] }
    defer { store.end() }
    let realm = try store.open()
    try realm.write {
      for id in 1...3 { realm.create(Older.Person.self, value: ["id": id, "name": "P\(id)"]) }
    }
    let second = try #require(realm.object(ofType: Older.Person.self, forPrimaryKey: 2))
    let newer = TestProcess(["schemaNewer", store.path])
    #expect(newer.line() == "opened 1:none:0,2:none:0,3:none:0")
    #expect(newer.line() == "tokens 3")
    newer.go()
    #expect(newer.line() == "linked")
    #expect(second.name == "P2")
    try realm.write {
      second.name = "Renamed"
      second.age = 40
      realm.create(Older.Person.self, value: ["id": 4, "name": "P4"])
      if let first = realm.object(ofType: Older.Person.self, forPrimaryKey: 1) {
        realm.delete(first)
      }
    }
    #expect(second.name == "Renamed" && second.age == 40)
    // Every link, and every entry of the indexes that only the newer program declares, is correct.
    try store.check("after the older program's write")
    let report = try store.report()
    #expect(report.indexEntryCount == 3 * 2 + 1, "name, email, and the pet's key")
    newer.go()
    #expect(newer.line() == "2 Renamed 40 second@example.org 2000 Sec+Ond Rex 0")
    #expect(newer.line() == "3 P3 0 none 0  - 0")
    #expect(newer.line() == "4 P4 0 none 0  - 0")
    #expect(newer.line() == "pet free 2 null")
    newer.wait()
  }

  @Test func twoProcessesChangeClassInTurn() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    try realm.write { realm.create(FirstTurn.Turn.self, value: ["id": 1, "one": "a"]) }
    let first = try #require(realm.object(ofType: FirstTurn.Turn.self, forPrimaryKey: 1))
    // Read before the other process stores the property with another type.
    #expect(realm.objects(ClaimedTurn.Turn.self).map(\.claimed) == ["text"])
    let other = TestProcess(["schemaTurns", store.path])
    #expect(other.line() == "second 1:2,2:b")
    // This process learns of the change only from the file.
    try realm.write { realm.create(ThirdTurn.Turn.self, value: ["id": 3, "three": 33]) }
    #expect(realm.objects(ThirdTurn.Turn.self).map(\.three) == [3, 3, 33])
    expectError(.schemaMismatch) {
      try realm.write { realm.create(ClaimedTurn.Turn.self, value: ["id": 9]) }
    }
    #expect(realm.objects(ClaimedTurn.Turn.self).isEmpty)
    try store.check("after the third turn")
    other.go()
    #expect(other.line() == "fourth 1:a:2:3:4,2:1:b:3:4,3:uno:2:33:4,4:one:two:0:d,5:1:e:3:4")
    // The earlier models, which were compared with an older schema, and a new one.
    try realm.write {
      first.one = "A"
      realm.create(FirstTurn.Turn.self, value: ["id": 6, "one": "f"])
      realm.create(LateTurn.Turn.self, value: ["id": 8])
    }
    #expect(realm.objects(LateTurn.Turn.self).where { $0.one == "A" }.map(\.id) == [1])
    #expect(realm.objects(ThirdTurn.Turn.self).map(\.three) == [3, 3, 33, 0, 3, 3, 3])
    other.go()
    #expect(other.line() == "last 6")
    #expect(
      other.line() == "mismatch Property 'Turn.late' has been changed from 'String' to 'Int'.")
    other.wait()
    try store.check("after the last turn")
    #expect(realm.objects(LateTurn.Turn.self).map(\.id) == [1, 2, 3, 4, 5, 6, 8])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
  func otherUserReadsReadOnlyFile() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    try realm.write { realm.create(Older.Person.self, value: ["id": 1, "name": "Ann"]) }
    chmod(store.directory.path, 0o755)
    chmod(store.path, 0o644)
    let reader = TestProcess(["asUser", "65534", "schemaReadOnly", store.path])
    #expect(reader.line() == "opened 1:Ann:none")
    #expect(reader.line() == "pets 0")
    #expect(reader.line() == "write refused")
    reader.wait()
  }
}

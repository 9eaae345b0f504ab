import Foundation
import Testing
import Varve
import VarveCore

/// The examples of the article “Errors”.
@Suite struct ErrorsTests {
  private typealias Person = DocumentationModels.Person

  /// Runs an example with Ada in the store.
  private func withAda(_ example: (Realm, Person) async throws -> Void) async throws {
    try await withTemporaryRealm { realm, _ in
      try DocumentationModels.addPeople(to: realm)
      try await example(realm, try #require(realm.object(ofType: Person.self, forPrimaryKey: 1)))
    }
  }

  @Test func articleListsEveryCode() throws {
    let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
    let article = try String(
      contentsOfFile: root + "/Sources/Varve/Documentation.docc/Articles/Errors.md",
      encoding: .utf8)
    let missing = Failure.Code.allCases.map(\.rawValue).filter { !article.contains("`\($0)`") }
    #expect(missing.isEmpty)
  }

  @Test func codeIsMatchedAsPattern() async throws {
    try await withAda { realm, _ in
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      do {
        try await realm.write { realm.add(Person(id: 1, name: "Ada")) }
      } catch Realm.Error.Code.duplicatePrimaryKey {
        print("There is a person with this number.")
      } catch let error as Realm.Error {
        print(error.message, error.className ?? "", error.path ?? "")
      }
      #expect(printed.lines == ["There is a person with this number."])
    }
  }

  @Test func failedOperationFailsWrite() async throws {
    try await withAda { realm, ada in
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      do {
        try await realm.write {
          ada.dogs.remove(at: 7)
          ada.age = 99
        }
      } catch Realm.Error.Code.indexOutOfBounds {
        print(ada.age)  // 36
      }
      #expect(printed.lines == ["36"])
    }
  }

  @Test func checkWriteStopsImportEarly() async throws {
    try await withAda { realm, _ in
      let records: [[String: Any]] = [["id": 3], ["id": "four"], ["id": 5]]
      var seen = 0
      expectError(.typeMismatch) {
        try realm.write {
          for record in records {
            realm.create(Person.self, value: record, update: .modified)
            try realm.checkWrite()
            seen += 1
          }
        }
      }
      #expect(seen == 1)
      #expect(realm.objects(Person.self).count == 2)
    }
  }

  @Test func writesOfBatchAreRolledBackAlone() async throws {
    try await withAda { realm, _ in
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }
      let rows = [(id: 11, name: "Cleo"), (id: 1, name: "Dan"), (id: 12, name: "Eve")]

      let rejected = await withTaskGroup(of: Int?.self) { group in
        for (index, row) in rows.enumerated() {
          group.addTask {
            do {
              try await realm.write { realm.add(Person(id: row.id, name: row.name)) }
              return nil
            } catch {
              return index
            }
          }
        }
        var rejected: [Int] = []
        for await case let index? in group { rejected.append(index) }
        return rejected.sorted()
      }
      print(rejected)  // [1]
      #expect(printed.lines == ["[1]"])
      #expect(realm.objects(Person.self).where { $0.id > 10 }.map(\.name) == ["Cleo", "Eve"])
      #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.name == "Ada")
    }
  }

  @Test func importExampleStoresRecords() async throws {
    try await withAda { realm, _ in
      let records: [[String: any Sendable]] = [["id": 3, "name": "Cleo"], ["id": 1, "age": 40]]
      try await realm.write {
        for record in records {
          realm.create(Person.self, value: record, update: .modified)
          try realm.checkWrite()
        }
      }
      #expect(realm.objects(Person.self).sorted(by: \.id).map(\.name) == ["Ada", "Ben", "Cleo"])
    }
  }

  @Test func mistypedValueThrowsImmediately() {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }

    do {
      _ = try Person(validating: ["id": "one"])
    } catch let error as Realm.Error {
      print(error.code, error.propertyName ?? "")  // typeMismatch id
    } catch {
      Issue.record(error)
    }
    #expect(printed.lines == ["typeMismatch id"])
  }
}

package import BenchmarkKit
package import Foundation
import Varve

/// Varve with its defaults: every commit is synchronized to the disk, unless configured otherwise.
package struct VarveEngine: PersonEngine {
  package static let name = "varve"

  let configuration: Realm.Configuration

  package init(directory: URL, durability: Durability) throws {
    configuration = Realm.Configuration(
      fileURL: directory.appendingPathComponent("bench.varve"),
      objectTypes: [
        StoredPerson.self, IndexedPerson.self, NamedPerson.self, Holder.self, StoredBlob.self,
        StoredPage.self, LogLine.self, StoredDocument.self, StoredIssue.self, StoredMember.self,
        SmallListHolder.self, SmallMapHolder.self, StoredNote.self,
      ],
      durability: durability == .full ? .full : .none)
    _ = try Realm(configuration: configuration)
  }

  package func close() throws {
    try Realm.close(configuration)
  }

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(ids, perTransaction, of: realm) { ids in
      for id in ids { realm.add(StoredPerson(Person(id: id))) }
    }
  }

  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try ConcurrentTasks.run(writers) { writer in
      let realm = try Realm(configuration: configuration)
      for id in stride(from: writer, to: count, by: writers) {
        try await realm.asyncWrite { realm.add(StoredPerson(Person(id: id))) }
      }
    }
  }

  package func setAge(ofPerson id: Int, to age: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.object(ofType: StoredPerson.self, forPrimaryKey: id)?.age = age
    }
  }

  package func makePersonReader() throws -> any PersonReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }

  /// Processes a range in parts, each in a transaction.
  static func inTransactions(
    _ ids: Range<Int>, _ perTransaction: Int, of realm: Realm, _ body: (Range<Int>) throws -> Void
  ) throws {
    var start = ids.lowerBound
    while start < ids.upperBound {
      let end = start + min(perTransaction, ids.upperBound - start)
      try realm.write { try body(start..<end) }
      start = end
    }
  }

  func holder(in realm: Realm) -> Holder {
    realm.object(ofType: Holder.self, forPrimaryKey: 0)
      ?? realm.create(Holder.self, value: ["id": 0])
  }
}

extension VarveEngine: ValueEngine {
  package func insertPersonValues(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.insert((0..<count).lazy.map { StoredPerson.New(Person(id: $0)) })
    }
  }
}

extension VarveEngine: NamedPersonEngine {
  package func insertNamedPersons(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.add(NamedPerson(Person(id: id))) }
    }
  }

  package func makeNamedPersonReader() throws -> any NamedPersonReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }
}

extension VarveEngine: PlanningEngine {
  package func insertIndexedPersons(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.add(IndexedPerson(Person(id: id))) }
    }
  }

  package func makeQueryReader(isIndexed: Bool) throws -> any QueryReader {
    VarveQueryReader(realm: try Realm(configuration: configuration), isIndexed: isIndexed)
  }

  package func plan(times: Int) throws -> Int {
    let persons = try Realm(configuration: configuration).objects(IndexedPerson.self)
    var planned = 0
    for _ in 0..<times {
      let plan = persons.filter("age > 50 AND name BEGINSWITH 'user12'").explain()
      if !plan.steps.isEmpty, !plan.scansClass { planned += 1 }
    }
    return planned
  }
}

extension VarveEngine: UpdatingEngine {
  package func updatePersons(_ count: Int, onlyDifferences: Bool) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count {
        realm.add(StoredPerson(Person.updated(id: id)), update: onlyDifferences ? .modified : .all)
      }
    }
  }
}

package import BenchmarkKit
import GRDB

extension GRDBEngine: FreezingEngine {
  /// GRDB's equivalent of a version is a snapshot: a separate connection.
  package func freezeAndReadAge(ofPerson id: Int) throws -> Int {
    try pool.makeSnapshot().read { try PersonRecord.fetchOne($0, key: id)?.age ?? -1 }
  }
}

extension GRDBEngine: ObservingEngine {
  package func observe(_ collection: ObservedCollection) throws -> any Observation {
    let persons: QueryInterfaceRequest<PersonRecord>
    switch collection {
    case .all: persons = PersonRecord.all()
    case .filtered: persons = PersonRecord.filter(PersonColumns.age >= 50)
    case .sorted: persons = PersonRecord.order(PersonColumns.score)
    case .list: throw NotOffered("the list does not support insertion")
    case .map:
      return try GRDBObservation(
        pool, .trackingConstantRegion { try MapRecord.fetchAll($0) },
        weight: { Double($0.value) }, apply: Self.apply)
    }
    return try GRDBObservation(
      pool, .trackingConstantRegion { try persons.fetchAll($0) },
      weight: { $0.score }, apply: Self.apply)
  }

  private static func apply(_ db: Database, _ change: CollectionChange) throws {
    switch change {
    case .persons(let raised, let deleted, let inserted):
      try PersonRecord.filter(keys: raised)
        .updateAll(db, PersonColumns.score += ObservedCollection.raise)
      try PersonRecord.deleteOne(db, key: deleted)
      try PersonRecord(inserted).insert(db)
    case .list: throw NotOffered("the list does not support insertion")
    case .map(let key, let value):
      try MapRecord(key: key, value: value).insert(db, onConflict: .replace)
      // SQLite does not report changes to a table without rowids; GRDB has this call for such
      // tables.
      try db.notifyChanges(in: Table("map"))
    }
  }
}

package import BenchmarkKit
import GRDB

extension GRDBEngine: QueryEngine {
  package func insertIndexedPersons(_ count: Int) throws {
    try pool.write { db in
      for id in 0..<count { try IndexedPersonRecord(Person(id: id)).insert(db) }
    }
  }

  package func makeQueryReader(isIndexed: Bool) throws -> any QueryReader {
    isIndexed
      ? GRDBQueryReader<IndexedPersonRecord>(pool: pool) : GRDBQueryReader<PersonRecord>(pool: pool)
  }
}

/// Requests of the query interface.
private struct GRDBQueryReader<PersonRecord: FetchableRecord & TableRecord>: QueryReader {
  let pool: DatabasePool

  func sumOfAges() throws -> Int {
    try pool.read { db in
      try PersonRecord.select(sum(PersonColumns.age), as: Int.self).fetchOne(db) ?? 0
    }
  }

  func countPersons(olderThan age: Int) throws -> Int {
    try pool.read { try PersonRecord.filter(PersonColumns.age > age).fetchCount($0) }
  }

  func countPersons(ofAge age: Int) throws -> Int {
    try pool.read { try PersonRecord.filter(PersonColumns.age == age).fetchCount($0) }
  }

  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    let ranges = prefixes.map { ($0..<GRDBStore.end(ofPrefix: $0)).contains(PersonColumns.name) }
    return try pool.read { try PersonRecord.filter(ranges.joined(operator: .or)).fetchCount($0) }
  }

  /// The names are split into parts that fit the variables of a statement. A name must not be in
  /// two parts.
  func countPersons(named names: [String]) throws -> Int {
    let different = Array(Set(names))
    return try pool.read { db in
      try stride(from: 0, to: different.count, by: GRDBStore.largestVariableCount).reduce(0) {
        let piece = different[$1...].prefix(GRDBStore.largestVariableCount)
        return try $0 + PersonRecord.filter(piece.contains(PersonColumns.name)).fetchCount(db)
      }
    }
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    try pool.read { db in
      try PersonRecord.order(PersonColumns.score, PersonColumns.id).limit(count)
        .select(PersonColumns.id, as: Int.self).fetchAll(db)
    }
  }
}

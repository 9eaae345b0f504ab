package import BenchmarkKit
import GRDB

extension GRDBRawEngine: QueryEngine {
  package func insertIndexedPersons(_ count: Int) throws {
    try pool.write { db in
      let insertion = try PersonInsertion(db, table: "indexedPerson")
      for id in 0..<count { try insertion.insert(Person(id: id)) }
    }
  }

  package func makeQueryReader(isIndexed: Bool) throws -> any QueryReader {
    GRDBRawQueryReader(pool: pool, table: isIndexed ? "indexedPerson" : "person")
  }
}

/// The same queries in SQL.
private struct GRDBRawQueryReader: QueryReader {
  let pool: DatabasePool
  let table: String

  func sumOfAges() throws -> Int { try number("SELECT SUM(age) FROM \(table)", []) }

  func countPersons(olderThan age: Int) throws -> Int {
    try number("SELECT COUNT(*) FROM \(table) WHERE age > ?", [age])
  }

  func countPersons(ofAge age: Int) throws -> Int {
    try number("SELECT COUNT(*) FROM \(table) WHERE age = ?", [age])
  }

  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    let ranges = prefixes.map { _ in "name >= ? AND name < ?" }.joined(separator: " OR ")
    return try number(
      "SELECT COUNT(*) FROM \(table) WHERE \(ranges)",
      StatementArguments(prefixes.flatMap { [$0, GRDBStore.end(ofPrefix: $0)] }))
  }

  /// The names are split into parts that fit the variables of a statement. A name must not be in
  /// two parts.
  func countPersons(named names: [String]) throws -> Int {
    let different = Array(Set(names))
    return try stride(from: 0, to: different.count, by: GRDBStore.largestVariableCount).reduce(0) {
      let piece = different[$1...].prefix(GRDBStore.largestVariableCount)
      let variables = databaseQuestionMarks(count: piece.count)
      return try $0
        + number(
          "SELECT COUNT(*) FROM \(table) WHERE name IN (\(variables))", StatementArguments(piece))
    }
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT id FROM \(table) ORDER BY score, id LIMIT ?")
      statement.setUncheckedArguments([count])
      return try Int.fetchAll(statement)
    }
  }

  private func number(_ sql: String, _ arguments: StatementArguments) throws -> Int {
    try pool.read { db in
      let statement = try db.cachedStatement(sql: sql)
      statement.setUncheckedArguments(arguments)
      return try Int.fetchOne(statement) ?? 0
    }
  }
}

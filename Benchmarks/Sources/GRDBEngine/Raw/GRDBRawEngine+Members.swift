package import BenchmarkKit
import GRDB

extension GRDBRawEngine: MemberEngine {
  package func insertMembers(_ count: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO member (code, name, plainName, age, plainAge, score, plainScore, words,
          mentor, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      for id in 0..<count {
        statement.setUncheckedArguments(GRDBRawMembers.values(of: Member(id: id, of: count)))
        try statement.execute()
      }
    }
  }

  /// Runs all queries in one transaction.
  package func readMembers(_ body: (any MemberReader) throws -> Void) throws {
    try pool.read { try body(GRDBRawMembers(db: $0)) }
  }

  package func writeMembers(_ body: (any MemberWriter) throws -> Void) throws {
    try pool.writeWithoutTransaction { db in
      try db.inTransaction {
        try body(GRDBRawMembers(db: db))
        return .rollback
      }
    }
  }
}

/// The queries in SQL.
private struct GRDBRawMembers: MemberWriter {
  let db: Database

  static func values(of member: Member) -> StatementArguments {
    [
      member.code, member.name, member.plainName, member.age, member.plainAge, member.score,
      member.plainScore, member.words, member.mentor, member.id,
    ]
  }

  func change(_ member: Member) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE member SET code = ?, name = ?, plainName = ?, age = ?, plainAge = ?, score = ?,
        plainScore = ?, words = ?, mentor = ? WHERE id = ?
        """)
    statement.setUncheckedArguments(Self.values(of: member))
    try statement.execute()
  }

  func answer(_ question: MemberQuestion) throws -> [Int] {
    switch question {
    case .readAges: return try readAges()
    case .sumOfAges: return try numbers("SELECT SUM(plainAge) FROM member")
    case .olderCount(let age, let isIndexed):
      return try numbers(
        "SELECT COUNT(*) FROM member WHERE \(isIndexed ? "age" : "plainAge") > ?", [age])
    case .agedCount(let age, let isIndexed):
      return try numbers(
        "SELECT COUNT(*) FROM member WHERE \(isIndexed ? "age" : "plainAge") = ?", [age])
    case .prefixedCount(let prefixes, let isIndexed):
      let name = isIndexed ? "name" : "plainName"
      let ranges = prefixes.map { _ in "\(name) >= ? AND \(name) < ?" }.joined(separator: " OR ")
      return try numbers(
        "SELECT COUNT(*) FROM member WHERE \(ranges)",
        StatementArguments(prefixes.flatMap { [$0, GRDBStore.end(ofPrefix: $0)] }))
    case .namedCount(let names):
      let variables = databaseQuestionMarks(count: names.count)
      return try numbers(
        "SELECT COUNT(*) FROM member WHERE name IN (\(variables))", StatementArguments(names))
    case .greatestScore(let isIndexed):
      return try numbers("SELECT MAX(\(isIndexed ? "score" : "plainScore")) FROM member")
    case .greatestID: return try numbers("SELECT MAX(id) FROM member")
    case .lowest(let limit, let isIndexed):
      return try numbers(
        "SELECT id FROM member ORDER BY \(isIndexed ? "score" : "plainScore") LIMIT ?", [limit])
    case .highest: return try numbers("SELECT id FROM member ORDER BY score DESC LIMIT 1")
    case .last: return try numbers("SELECT id FROM member ORDER BY id DESC LIMIT 1")
    case .rangeInOrder(let score):
      return try numbers("SELECT id FROM member WHERE score >= ? ORDER BY score LIMIT 20", [score])
    case .page(let id):
      return try numbers(
        """
        SELECT id FROM member WHERE score > (SELECT score FROM member WHERE id = ?)
        ORDER BY score LIMIT 20
        """, [id])
    case .filteredPage(let age):
      return try numbers(
        "SELECT id FROM member WHERE age = ? ORDER BY score DESC LIMIT 20", [age])
    case .member(let id): return try numbers("SELECT age FROM member WHERE id = ?", [id])
    case .coded(let code): return try numbers("SELECT id FROM member WHERE code = ?", [code])
    case .students(let id):
      return try numbers("SELECT id FROM member WHERE mentor = ? ORDER BY id", [id])
    case .withWords(let words):
      return try numbers(
        "SELECT COUNT(*) FROM memberText WHERE memberText MATCH ?", [words.joined(separator: " ")])
    case .plan: throw NotOffered("not implemented: GRDB plans when it prepares a query")
    }
  }

  private func readAges() throws -> [Int] {
    var (count, sum) = (0, 0)
    let ages = try Int.fetchCursor(db.cachedStatement(sql: "SELECT plainAge FROM member"))
    while let age = try ages.next() {
      count += 1
      sum += age
    }
    return [count, sum]
  }

  private func numbers(_ sql: String, _ arguments: StatementArguments = []) throws -> [Int] {
    let statement = try db.cachedStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    return try Int.fetchAll(statement)
  }
}

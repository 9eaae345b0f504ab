package import BenchmarkKit
import Foundation
import GRDB

extension GRDBRawEngine: DocumentEngine {
  package func insertDocuments(_ count: Int) throws {
    try pool.write { db in
      let json = JSONText()
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO document (id, title, body, tags, counters, revision) VALUES (?, ?, ?, ?, ?, ?)
          """)
      for id in 0..<count {
        let document = Document(id: id)
        statement.setUncheckedArguments([
          id, document.title, document.body, try json.text(document.tags),
          try json.text(document.counters), document.revision,
        ])
        try statement.execute()
      }
    }
  }

  /// Reads and writes only the changing columns.
  package func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    let json = JSONText()
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      let selection = try db.cachedStatement(
        sql: "SELECT tags, counters, revision FROM document WHERE id = ?")
      let update = try db.cachedStatement(
        sql: "UPDATE document SET tags = ?, counters = ?, revision = ? WHERE id = ?")
      for id in ids[indices] {
        selection.setUncheckedArguments([id])
        guard var revised = try Self.columns(selection, json) else { continue }
        revised.counters["views", default: 0] += 1
        revised.revision += 1
        if !revised.tags.isEmpty {
          revised.tags[revised.tags.count - 1] = "r\(revised.revision)"
        }
        update.setUncheckedArguments([
          try json.text(revised.tags), try json.text(revised.counters), revised.revision, id,
        ])
        try update.execute()
      }
    }
  }

  /// SQLite appends to the text of the array.
  package func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      let update = try db.cachedStatement(
        sql: "UPDATE document SET tags = json_insert(tags, '$[#]', ?) WHERE id = ?")
      for id in ids[indices] {
        update.setUncheckedArguments([Document.addedTag, id])
        try update.execute()
      }
    }
  }

  package func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    try pool.read { db in
      guard let prefix else {
        return try Int.fetchOne(
          db.cachedStatement(sql: "SELECT SUM(revision) FROM document")) ?? 0
      }
      let statement = try db.cachedStatement(
        sql: "SELECT SUM(revision) FROM document WHERE title >= ? AND title < ?")
      statement.setUncheckedArguments([prefix, GRDBStore.end(ofPrefix: prefix)])
      return try Int.fetchOne(statement) ?? 0
    }
  }

  package func readDocuments() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let json = JSONText()
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: "SELECT title, body, tags, counters, revision FROM document"))
      while let row = try rows.next() {
        let counters = try json.value([String: Int].self, row[3])
        checksum.add(
          Document.digest(
            title: row[0], body: row[1], tags: try json.value([String].self, row[2]),
            views: counters["views"] ?? 0, likes: counters["likes"] ?? 0, revision: row[4]))
      }
      return checksum
    }
  }

  /// The cursor must end before the row is changed, but not before its columns are read.
  private static func columns(
    _ selection: Statement, _ json: JSONText
  ) throws -> (tags: [String], counters: [String: Int], revision: Int)? {
    try Row.fetchCursor(selection).map { row in
      (
        tags: try json.value([String].self, row[0]),
        counters: try json.value([String: Int].self, row[1]), revision: row[2]
      )
    }.next()
  }
}

/// Values without a column type, as JSON: the only alternative is separate tables.
private struct JSONText {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  func value<Value: Decodable>(_: Value.Type, _ text: Data) throws -> Value {
    try decoder.decode(Value.self, from: text)
  }
}

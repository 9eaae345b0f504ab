package import BenchmarkKit
package import Foundation
import GRDB

// Blobs are passed to `execute(arguments:)`: SQLite then reads them in place, without copying them
// first.

extension GRDBRawEngine: BlobEngine {
  package func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    try pool.inTransactions(ids, perTransaction) { db, ids in
      let statement = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO blob (id, content) VALUES (?, ?)")
      for id in ids { try statement.execute(arguments: [id, Blob.content(id)]) }
    }
  }

  package func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      let select = try db.cachedStatement(sql: "SELECT content FROM blob WHERE id = ?")
      let update = try db.cachedStatement(sql: "UPDATE blob SET content = ? WHERE id = ?")
      for id in ids[indices] {
        select.setUncheckedArguments([id])
        guard var content = try Data.fetchOne(select) else { continue }
        content.append(Blob.addition(id))
        try update.execute(arguments: [content, id])
      }
    }
  }

  package func makeBlobReader() throws -> any BlobReader { GRDBRawReader(pool: pool) }
}

extension GRDBRawEngine: SpoolEngine {
  package func createMessage(_ id: Int, _ content: Data) throws {
    try pool.write { db in
      try db.cachedStatement(sql: "INSERT INTO message (id, content) VALUES (?, ?)")
        .execute(arguments: [id, content])
    }
  }

  /// SQL has no concatenation of blobs.
  package func appendToMessage(_ id: Int, _ content: Data) throws {
    try pool.write { db in
      guard var message = try Self.message(id, db) else { return }
      message.append(content)
      try db.cachedStatement(sql: "UPDATE message SET content = ? WHERE id = ?")
        .execute(arguments: [message, id])
    }
  }

  package func readMessage(_ id: Int) throws -> Data? {
    try pool.read { try Self.message(id, $0) }
  }

  package func deleteMessage(_ id: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "DELETE FROM message WHERE id = ?")
      statement.setUncheckedArguments([id])
      try statement.execute()
    }
  }

  private static func message(_ id: Int, _ db: Database) throws -> Data? {
    let statement = try db.cachedStatement(sql: "SELECT content FROM message WHERE id = ?")
    statement.setUncheckedArguments([id])
    return try Data.fetchOne(statement)
  }
}

extension GRDBRawEngine: WebEngine {
  package func storePages(_ ids: Range<Int>) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO page (path, content) VALUES (?, ?)")
      for id in ids {
        try statement.execute(arguments: [WebPage.path(id), WebPage.content(id)])
      }
    }
  }

  package func makePageReader() throws -> any PageReader { GRDBRawReader(pool: pool) }

  package func appendToLog(_ line: String) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO log (text) VALUES (?)")
      statement.setUncheckedArguments([line])
      try statement.execute()
    }
  }

  package func countLogLines() throws -> Int {
    try pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM log") ?? 0 }
  }
}

extension GRDBRawReader: BlobReader, PageReader {
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let statement = try db.cachedStatement(sql: "SELECT content FROM blob WHERE id = ?")
      for id in ids {
        statement.setUncheckedArguments([id])
        if let content = try Data.fetchOne(statement) { checksum.add(blob: content) }
      }
      return checksum
    }
  }

  /// Reads the bytes of each blob in SQLite's buffer.
  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let statement = try db.cachedStatement(sql: "SELECT content FROM blob WHERE id = ?")
      for id in ids {
        statement.setUncheckedArguments([id])
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
          try row.withUnsafeData(atIndex: 0) { content in
            content?.withUnsafeBytes { checksum.add(allOf: $0) }
          }
        }
      }
      return checksum
    }
  }

  func readBlob(_ id: Int) throws -> Data? {
    try pool.read {
      try Data.fetchOne($0, sql: "SELECT content FROM blob WHERE id = ?", arguments: [id])
    }
  }

  /// Reads in a separate transaction, like each request of a web server.
  func readPage(_ path: String) throws -> Data? {
    try pool.read { db in
      let statement = try db.cachedStatement(sql: "SELECT content FROM page WHERE path = ?")
      statement.setUncheckedArguments([path])
      return try Data.fetchOne(statement)
    }
  }
}

package import BenchmarkKit
package import Foundation
import GRDB

extension GRDBEngine: BlobEngine {
  package func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    try pool.inTransactions(ids, perTransaction) { db, ids in
      for id in ids {
        try BlobRecord(id: id, content: Blob.content(id)).insert(db, onConflict: .replace)
      }
    }
  }

  package func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      for id in ids[indices] {
        guard var blob = try BlobRecord.fetchOne(db, key: id) else { continue }
        blob.content.append(Blob.addition(id))
        try blob.update(db)
      }
    }
  }

  package func makeBlobReader() throws -> any BlobReader { GRDBReader(pool: pool) }
}

extension GRDBEngine: SpoolEngine {
  package func createMessage(_ id: Int, _ content: Data) throws {
    try pool.write { try MessageRecord(id: id, content: content).insert($0) }
  }

  package func appendToMessage(_ id: Int, _ content: Data) throws {
    try pool.write { db in
      guard var message = try MessageRecord.fetchOne(db, key: id) else { return }
      message.content.append(content)
      try message.update(db)
    }
  }

  package func readMessage(_ id: Int) throws -> Data? {
    try pool.read { try MessageRecord.fetchOne($0, key: id)?.content }
  }

  package func deleteMessage(_ id: Int) throws {
    _ = try pool.write { try MessageRecord.deleteOne($0, key: id) }
  }
}

extension GRDBEngine: WebEngine {
  package func storePages(_ ids: Range<Int>) throws {
    try pool.write { db in
      for id in ids {
        try PageRecord(path: WebPage.path(id), content: WebPage.content(id)).insert(db)
      }
    }
  }

  package func makePageReader() throws -> any PageReader { GRDBReader(pool: pool) }

  package func appendToLog(_ line: String) throws {
    try pool.write { try LogRecord(text: line).insert($0) }
  }

  package func countLogLines() throws -> Int {
    try pool.read { try LogRecord.fetchCount($0) }
  }
}

extension GRDBReader: BlobReader, PageReader {
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for id in ids {
        guard let blob = try BlobRecord.fetchOne(db, key: id) else { continue }
        checksum.add(blob: blob.content)
      }
      return checksum
    }
  }

  /// Reads a record of each blob, which copies its bytes.
  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for id in ids {
        guard let blob = try BlobRecord.fetchOne(db, key: id) else { continue }
        blob.content.withUnsafeBytes { checksum.add(allOf: $0) }
      }
      return checksum
    }
  }

  func readBlob(_ id: Int) throws -> Data? {
    try pool.read { try BlobRecord.fetchOne($0, key: id)?.content }
  }

  /// Reads in a separate transaction, like each request of a web server.
  func readPage(_ path: String) throws -> Data? {
    try pool.read { try PageRecord.fetchOne($0, key: path)?.content }
  }
}

extension GRDBEngine: DocumentEngine {
  package func insertDocuments(_ count: Int) throws {
    try pool.write { db in
      for id in 0..<count { try DocumentRecord(Document(id: id)).insert(db) }
    }
  }

  package func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      for id in ids[indices] {
        guard var document = try DocumentRecord.fetchOne(db, key: id) else { continue }
        document.counters["views", default: 0] += 1
        document.revision += 1
        if !document.tags.isEmpty {
          document.tags[document.tags.count - 1] = "r\(document.revision)"
        }
        try document.update(db)
      }
    }
  }

  package func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    try pool.inTransactions(ids.indices, perTransaction) { db, indices in
      for id in ids[indices] {
        guard var document = try DocumentRecord.fetchOne(db, key: id) else { continue }
        document.tags.append(Document.addedTag)
        try document.update(db)
      }
    }
  }

  package func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    var documents = DocumentRecord.all()
    if let prefix {
      let titles = prefix..<GRDBStore.end(ofPrefix: prefix)
      documents = documents.filter(titles.contains(Column("title")))
    }
    let revisions = documents.select(sum(Column("revision")), as: Int.self)
    return try pool.read { try revisions.fetchOne($0) ?? 0 }
  }

  package func readDocuments() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let documents = try DocumentRecord.fetchCursor(db)
      while let document = try documents.next() {
        checksum.add(
          Document.digest(
            title: document.title, body: document.body, tags: document.tags,
            views: document.counters["views"] ?? 0, likes: document.counters["likes"] ?? 0,
            revision: document.revision))
      }
      return checksum
    }
  }
}

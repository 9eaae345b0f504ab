package import BenchmarkKit
package import Foundation
import Varve

extension VarveEngine: BlobEngine {
  package func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(ids, perTransaction, of: realm) { ids in
      for id in ids {
        realm.add(StoredBlob(id: id, content: Blob.content(id)), update: .modified)
      }
    }
  }

  package func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(ids.indices, perTransaction, of: realm) { indices in
      for id in ids[indices] {
        realm.object(ofType: StoredBlob.self, forPrimaryKey: id)?
          .append(Blob.addition(id), to: \.content)
      }
    }
  }

  package func makeBlobReader() throws -> any BlobReader {
    VarveReader(realm: try Realm(configuration: configuration))
  }
}

extension VarveEngine: SpoolEngine {
  package func createMessage(_ id: Int, _ content: Data) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(StoredBlob(id: id, content: content)) }
  }

  package func appendToMessage(_ id: Int, _ content: Data) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.object(ofType: StoredBlob.self, forPrimaryKey: id)?.append(content, to: \.content)
    }
  }

  package func readMessage(_ id: Int) throws -> Data? {
    let realm = try Realm(configuration: configuration)
    return realm.object(ofType: StoredBlob.self, forPrimaryKey: id)?.content
  }

  package func deleteMessage(_ id: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      if let message = realm.object(ofType: StoredBlob.self, forPrimaryKey: id) {
        realm.delete(message)
      }
    }
  }
}

extension VarveEngine: WebEngine {
  package func storePages(_ ids: Range<Int>) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in ids {
        realm.add(StoredPage(path: WebPage.path(id), content: WebPage.content(id)))
      }
    }
  }

  package func makePageReader() throws -> any PageReader {
    VarvePageReader(configuration: configuration)
  }

  package func appendToLog(_ line: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(LogLine(line)) }
  }

  package func countLogLines() throws -> Int {
    try Realm(configuration: configuration).objects(LogLine.self).count
  }
}

extension VarveEngine: DocumentEngine {
  package func insertDocuments(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.add(StoredDocument(Document(id: id))) }
    }
  }

  package func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(ids.indices, perTransaction, of: realm) { indices in
      for id in ids[indices] {
        guard let document = realm.object(ofType: StoredDocument.self, forPrimaryKey: id) else {
          continue
        }
        document.counters["views"] = (document.counters["views"] ?? 0) + 1
        document.revision += 1
        if !document.tags.isEmpty {
          document.tags[document.tags.count - 1] = "r\(document.revision)"
        }
      }
    }
  }

  package func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(ids.indices, perTransaction, of: realm) { indices in
      for id in ids[indices] {
        realm.object(ofType: StoredDocument.self, forPrimaryKey: id)?.tags
          .append(Document.addedTag)
      }
    }
  }

  package func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    let documents = try Realm(configuration: configuration).objects(StoredDocument.self)
    guard let prefix else { return documents.sum(of: \.revision) }
    return documents.where { $0.title.starts(with: prefix) }.sum(of: \.revision)
  }

  package func readDocuments() throws -> Checksum {
    var checksum = Checksum()
    for document in try Realm(configuration: configuration).objects(StoredDocument.self) {
      checksum.add(
        Document.digest(
          title: document.title, body: document.body, tags: Array(document.tags),
          views: document.counters["views"] ?? 0, likes: document.counters["likes"] ?? 0,
          revision: document.revision))
    }
    return checksum
  }
}

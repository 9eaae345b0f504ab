package import BenchmarkKit
import CRawLMDB
package import Foundation

extension LMDBEngine: BlobEngine {
  /// The bytes are copied from the noise directly into the pages.
  package func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    try Blob.noise.withUnsafeBytes { noise in
      try store.write(ids, perTransaction: perTransaction) { writer, id in
        let content = UnsafeRawBufferPointer(rebasing: noise[Blob.range(id)])
        try check(rawlmdb_put_blob(writer, id, rawlmdb_bytes(content)))
      }
    }
  }

  package func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    try store.write(ids.indices, perTransaction: perTransaction) { writer, index in
      try Blob.addition(ids[index]).withUnsafeBytes {
        try check(rawlmdb_append_to_blob(writer, ids[index], rawlmdb_bytes($0)))
      }
    }
  }

  package func makeBlobReader() throws -> any BlobReader { try LMDBReader(store.handle) }
}

extension LMDBEngine: SpoolEngine {
  package func createMessage(_ id: Int, _ content: Data) throws {
    try store.write { writer in
      try check(
        content.withUnsafeBytes { rawlmdb_put_message(writer, id, rawlmdb_bytes($0)) })
    }
  }

  package func appendToMessage(_ id: Int, _ content: Data) throws {
    try store.write { writer in
      try check(
        content.withUnsafeBytes { rawlmdb_append_to_message(writer, id, rawlmdb_bytes($0)) })
    }
  }

  package func readMessage(_ id: Int) throws -> Data? {
    try store.resting.renewed {
      try store.resting.content { rawlmdb_message_content($0, id, $1) }
    }
  }

  package func deleteMessage(_ id: Int) throws {
    try store.write { try check(rawlmdb_delete_message($0, id)) }
  }
}

extension LMDBEngine: WebEngine {
  package func storePages(_ ids: Range<Int>) throws {
    try store.write { writer in
      for id in ids {
        try withBytes(of: WebPage.path(id)) { path in
          try check(
            WebPage.content(id).withUnsafeBytes {
              rawlmdb_put_page(writer, path, rawlmdb_bytes($0))
            })
        }
      }
    }
  }

  /// The reader is reset between reads, and each read renews it.
  package func makePageReader() throws -> any PageReader {
    let reader = try LMDBReader(store.handle)
    reader.rest()
    return reader
  }

  package func appendToLog(_ line: String) throws {
    try store.write { writer in
      try check(withBytes(of: line) { rawlmdb_append_to_log(writer, $0) })
    }
  }

  package func countLogLines() throws -> Int {
    var count = 0
    try store.resting.renewed { try check(rawlmdb_count_log_lines(store.resting.handle, &count)) }
    return count
  }
}

extension LMDBEngine: DocumentEngine {
  package func insertDocuments(_ count: Int) throws {
    try store.write { writer in
      for id in 0..<count { try put(Document(id: id), writer) }
    }
  }

  private func put(_ document: Document, _ writer: OpaquePointer) throws {
    let texts = ([document.title, document.body] + document.tags).map { Array($0.utf8) }
    let bytes = Array(texts.joined())
    try bytes.withUnsafeBytes { bytes in
      var start = 0
      let parts = texts.map { text in
        defer { start += text.count }
        return rawlmdb_bytes(
          UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count]))
      }
      try check(
        rawlmdb_put_document(
          writer, document.id, document.revision, document.counters["views"] ?? 0,
          document.counters["likes"] ?? 0, parts, parts.count))
    }
  }

  package func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    try check(rawlmdb_revise_documents(store.handle, ids, ids.count, perTransaction))
  }

  package func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    try withBytes(of: Document.addedTag) { tag in
      try check(rawlmdb_grow_documents(store.handle, ids, ids.count, perTransaction, tag))
    }
  }

  /// The prefix of all titles is empty.
  package func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    let reader = try LMDBReader(store.handle)
    var sum = 0
    try withBytes(of: prefix ?? "") { prefix in
      try check(rawlmdb_sum_revisions(reader.handle, prefix, &sum))
    }
    return sum
  }

  package func readDocuments() throws -> Checksum {
    let reader = try LMDBReader(store.handle)
    return try reader.sum { try check(rawlmdb_read_documents(reader.handle, &$0)) }
  }
}

extension rawlmdb_bytes {
  /// The bytes are valid as long as the buffer.
  init(_ buffer: UnsafeRawBufferPointer) {
    self.init(bytes: buffer.baseAddress, count: buffer.count)
  }
}

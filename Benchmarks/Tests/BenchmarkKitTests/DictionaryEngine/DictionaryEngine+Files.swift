import BenchmarkKit
import Foundation

extension DictionaryEngine: BlobEngine {
  func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    store.write { contents in
      for id in kept(ids) { contents.blobs[id] = Blob.content(id) }
    }
  }

  func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    if Kind.flaw == .losesHalf { return }
    store.write { contents in
      for id in ids { contents.blobs[id]?.append(Blob.addition(id)) }
    }
  }

  func makeBlobReader() throws -> any BlobReader { reader }
}

extension DictionaryEngine: SpoolEngine {
  func createMessage(_ id: Int, _ content: Data) throws {
    store.write { $0.messages[id] = content }
  }

  func appendToMessage(_ id: Int, _ content: Data) throws {
    if Kind.flaw == .losesHalf { return }
    store.write { $0.messages[id]?.append(content) }
  }

  func readMessage(_ id: Int) throws -> Data? {
    let message = store.read { $0.messages[id] }
    return Kind.flaw == .answersWrongly ? message?.dropFirst() : message
  }

  func deleteMessage(_ id: Int) throws { store.write { $0.messages[id] = nil } }
}

extension DictionaryEngine: WebEngine {
  func storePages(_ ids: Range<Int>) throws {
    store.write { contents in
      for id in kept(ids) { contents.pages[WebPage.path(id)] = WebPage.content(id) }
    }
  }

  func makePageReader() throws -> any PageReader {
    if Kind.flaw == .standsStill {
      let pages = store.read { $0.pages }
      return DictionaryPageReader { pages[$0] }
    }
    return DictionaryPageReader { [store] path in store.read { $0.pages[path] } }
  }

  func appendToLog(_ line: String) throws { store.write { $0.log.append(line) } }

  func countLogLines() throws -> Int { reader.answer(store.read { $0.log.count }) }
}

struct DictionaryPageReader: PageReader {
  let read: @Sendable (String) -> Data?

  func readPage(_ path: String) throws -> Data? { read(path) }
}

extension DictionaryReader: BufferedBlobReader {
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    answer(ids.compactMap { contents.blobs[$0] }.reduce(into: Checksum()) { $0.add(blob: $1) })
  }

  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    answer(
      ids.compactMap { contents.blobs[$0] }.reduce(into: Checksum()) { checksum, blob in
        blob.withUnsafeBytes { checksum.add(allOf: $0) }
      })
  }

  func readBlobsIntoBuffer(_ ids: [Int]) throws -> Checksum { try readBlobs(ids) }

  func readBlob(_ id: Int) throws -> Data? { contents.blobs[id] }
}

extension DictionaryEngine: DocumentEngine {
  func insertDocuments(_ count: Int) throws {
    store.write { contents in
      for id in kept(0..<count) { contents.documents[id] = Document(id: id) }
    }
  }

  func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    store.write { contents in
      for id in ids { contents.documents[id]?.revise() }
    }
  }

  func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    store.write { contents in
      for id in ids { contents.documents[id]?.grow() }
    }
  }

  func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    reader.answer(
      store.read { contents in
        contents.documents.values.reduce(0) {
          $0 + (prefix.map($1.title.hasPrefix) ?? true ? $1.revision : 0)
        }
      })
  }

  func readDocuments() throws -> Checksum {
    reader.answer(
      store.read { $0.documents.values.reduce(into: Checksum()) { $0.add($1.digest) } })
  }
}

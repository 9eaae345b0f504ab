package import BenchmarkKit
package import Foundation

extension FilesEngine: BlobEngine {
  package func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws {
    try blobs.write(ids, perTransaction: perTransaction) { id, write in
      try Blob.noise.withUnsafeBytes { noise in
        try write(UnsafeRawBufferPointer(rebasing: noise[Blob.range(id)]), FileLocation(id))
      }
    }
  }

  package func appendToBlobs(_ ids: [Int], perTransaction: Int) throws {
    try blobs.append(to: ids, perTransaction: perTransaction) {
      (FileLocation($0), Blob.addition($0))
    }
  }

  package func makeBlobReader() throws -> any BlobReader {
    FilesBlobReader(files: try FileReader(blobs), directory: blobs.path)
  }
}

extension FilesEngine: SpoolEngine {
  package func createMessage(_ id: Int, _ content: Data) throws {
    try content.withUnsafeBytes { try messages.create($0, at: FileLocation(id)) }
  }

  package func appendToMessage(_ id: Int, _ content: Data) throws {
    try content.withUnsafeBytes { try messages.append($0, to: FileLocation(id)) }
  }

  package func readMessage(_ id: Int) throws -> Data? {
    try messages.read(FileLocation(id))
  }

  package func deleteMessage(_ id: Int) throws { try messages.delete(FileLocation(id)) }
}

extension FilesEngine: WebEngine {
  package func storePages(_ ids: Range<Int>) throws {
    try pages.write(ids, perTransaction: .max) { id, write in
      try WebPage.content(id).withUnsafeBytes { try write($0, FileLocation(WebPage.path(id))) }
    }
  }

  package func makePageReader() throws -> any PageReader {
    FilesPageReader(files: try FileReader(pages))
  }

  package func appendToLog(_ line: String) throws { try log.append(line) }

  package func countLogLines() throws -> Int { try log.countLines() }
}

extension FilesEngine: DocumentEngine {
  package func insertDocuments(_ count: Int) throws {
    let encoder = JSONEncoder()
    try documents.write(0..<count, perTransaction: .max) { id, write in
      try encoder.encode(Document(id: id)).withUnsafeBytes { try write($0, FileLocation(id)) }
    }
  }

  package func reviseDocuments(_ ids: [Int], perTransaction: Int) throws {
    try changeDocuments(ids, perTransaction) { $0.revise() }
  }

  package func growDocuments(_ ids: [Int], perTransaction: Int) throws {
    try changeDocuments(ids, perTransaction) { $0.grow() }
  }

  private func changeDocuments(
    _ ids: [Int], _ perTransaction: Int, _ change: (inout Document) -> Void
  ) throws {
    let reader = try JSONFileReader<Document>(documents)
    let encoder = JSONEncoder()
    try documents.write(ids, perTransaction: perTransaction) { id, write in
      guard var document = try reader.read(FileLocation(id)) else { return }
      change(&document)
      try encoder.encode(document).withUnsafeBytes { try write($0, FileLocation(id)) }
    }
  }

  /// Decodes only two values of each document.
  package func sumOfRevisions(beginningWith prefix: String?) throws -> Int {
    var sum = 0
    try JSONFileReader<DocumentSummary>(documents).readAll { document in
      if prefix.map(document.title.hasPrefix) ?? true { sum += document.revision }
    }
    return sum
  }

  package func readDocuments() throws -> Checksum {
    var checksum = Checksum()
    try JSONFileReader<Document>(documents).readAll { checksum.add($0.digest) }
    return checksum
  }
}

/// The part of a document that is decoded for a sum.
private struct DocumentSummary: Decodable {
  let title: String
  let revision: Int
}

/// Reads blobs as Swift programs usually do, or with four system calls into one buffer.
private struct FilesBlobReader: BufferedBlobReader {
  let files: FileReader
  let directory: String

  /// Opens each file by its whole path, queries its length and reads it into newly allocated
  /// memory.
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids { checksum.add(blob: try Data(contentsOf: location(id))) }
    return checksum
  }

  func readBlob(_ id: Int) throws -> Data? { try Data(contentsOf: location(id)) }

  private func location(_ id: Int) -> URL {
    URL(fileURLWithPath: "\(directory)/\(FileLocation(id).path)", isDirectory: false)
  }

  /// Reads each file into the buffer, since it is not mapped.
  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      _ = try files.read(FileLocation(id)) { checksum.add(allOf: UnsafeRawBufferPointer($0)) }
    }
    return checksum
  }

  func readBlobsIntoBuffer(_ ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      _ = try files.read(FileLocation(id)) { checksum.add(blob: UnsafeRawBufferPointer($0)) }
    }
    return checksum
  }
}

private struct FilesPageReader: PageReader {
  let files: FileReader

  func readPage(_ path: String) throws -> Data? {
    try files.read(FileLocation(path)) { Data($0) }
  }
}

package import Foundation

/// Stores blobs by id.
package protocol BlobEngine: Engine {
  /// Stores ``Blob``s. The last transaction of a range may be smaller.
  ///
  /// - Parameters:
  ///   - ids: The blobs. Existing ones are replaced.
  ///   - perTransaction: The number of blobs in a transaction.
  func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws

  /// Appends a ``Blob/addition(_:)`` to each of the given blobs. A blob may occur more than once.
  ///
  /// - Parameter perTransaction: The number of appends in a transaction.
  func appendToBlobs(_ ids: [Int], perTransaction: Int) throws

  /// Creates a reader of the currently committed version.
  func makeBlobReader() throws -> any BlobReader
}

/// Reads blobs.
package protocol BlobReader {
  /// Reads each blob into a separate value, like a program that keeps it or sends it somewhere.
  ///
  /// - Parameter ids: The blobs, in the order of reading.
  /// - Returns: The checksum of ``Checksum/add(blob:)``.
  func readBlobs(_ ids: [Int]) throws -> Checksum

  /// Reads all bytes of each blob where they are, if the engine lends them; otherwise in the way of
  /// the engine that copies least.
  ///
  /// - Parameter ids: The blobs, in the order of reading.
  /// - Returns: The checksum of ``Checksum/add(allOf:)``.
  func sumBlobs(_ ids: [Int]) throws -> Checksum

  /// Reads a blob; nil when there is none. This is not part of any measured work.
  func readBlob(_ id: Int) throws -> Data?
}

/// Reads blobs into a reused buffer, for programs that process each blob and keep none.
package protocol BufferedBlobReader: BlobReader {
  /// Reads blobs like ``BlobReader/readBlobs(_:)``, but into one buffer.
  func readBlobsIntoBuffer(_ ids: [Int]) throws -> Checksum
}

/// A spool of messages.
package protocol SpoolEngine: Engine {
  /// Stores a new message.
  func createMessage(_ id: Int, _ content: Data) throws

  /// Appends to a message, in a separate transaction.
  func appendToMessage(_ id: Int, _ content: Data) throws

  /// Reads a whole message; nil when there is none.
  func readMessage(_ id: Int) throws -> Data?

  /// Removes a message.
  func deleteMessage(_ id: Int) throws
}

/// Stores the data of a web server.
package protocol WebEngine: Engine {
  /// Stores the pages of ``WebPage`` by path, in one transaction.
  func storePages(_ ids: Range<Int>) throws

  /// Creates a reader for one thread. It can be called from any thread. The reader sees everything
  /// committed before each read.
  func makePageReader() throws -> any PageReader

  /// Appends a line to the log, in a separate transaction. Called from one thread, while others
  /// read.
  func appendToLog(_ line: String) throws

  /// The number of lines in the log.
  func countLogLines() throws -> Int
}

/// Reads pages.
package protocol PageReader {
  /// Reads the bytes of a page into the reader's own memory. The read sees everything committed
  /// before; the result is nil when there is no such page.
  func readPage(_ path: String) throws -> Data?
}

/// A store of documents.
package protocol DocumentEngine: Engine {
  /// Stores the first `count` documents of ``Document`` in one transaction.
  func insertDocuments(_ count: Int) throws

  /// Reads documents, applies ``Document/revise()`` and writes them.
  ///
  /// - Parameter perTransaction: The number of documents in a transaction.
  func reviseDocuments(_ ids: [Int], perTransaction: Int) throws

  /// Reads documents, applies ``Document/grow()`` and writes them.
  ///
  /// - Parameter perTransaction: The number of documents in a transaction.
  func growDocuments(_ ids: [Int], perTransaction: Int) throws

  /// The sum of the revisions of documents, without reading their tags and counters. The sum is
  /// computed from scratch, by a query of the store if the engine has queries.
  ///
  /// - Parameter prefix: The prefix of the titles of the documents; nil for all documents.
  func sumOfRevisions(beginningWith prefix: String?) throws -> Int

  /// Iterates all documents.
  ///
  /// - Returns: The sum of the ``Document/digest`` of each.
  func readDocuments() throws -> Checksum
}

package import Foundation

/// Stores blobs by their ids.
package protocol BlobEngine: Engine {
  /// Stores ``Blob``s, the last of a range perhaps in a smaller transaction.
  ///
  /// - Parameters:
  ///   - ids: The blobs; those that are there are replaced.
  ///   - perTransaction: How many share a transaction.
  /// - Throws: What the engine throws.
  func writeBlobs(_ ids: Range<Int>, perTransaction: Int) throws

  /// A reader with a view of its own.
  ///
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makeBlobReader() throws -> any BlobReader
}

/// Reads blobs.
package protocol BlobReader {
  /// Has each blob as a value of its own, as a program gets it that keeps it or sends it somewhere.
  ///
  /// - Parameter ids: In this order.
  /// - Returns: The checksum of ``Checksum/add(blob:)``.
  /// - Throws: What the engine throws.
  func readBlobs(_ ids: [Int]) throws -> Checksum

  /// Reads a blob; not part of any measured work.
  ///
  /// - Parameter id: The blob.
  /// - Returns: Its bytes; nil when there is none.
  /// - Throws: What the engine throws.
  func readBlob(_ id: Int) throws -> Data?
}

/// Reads blobs into memory of its own, which the next one takes over: for programs that look at each and keep none.
package protocol BufferedBlobReader: BlobReader {
  /// As ``BlobReader/readBlobs(_:)``, with one buffer for all.
  func readBlobsIntoBuffer(_ ids: [Int]) throws -> Checksum
}

/// A spool of messages.
package protocol SpoolEngine: Engine {
  /// Stores a new message.
  func createMessage(_ id: Int, _ content: Data) throws

  /// Adds to a message, in a transaction of its own.
  func appendToMessage(_ id: Int, _ content: Data) throws

  /// The whole message; nil when there is none.
  func readMessage(_ id: Int) throws -> Data?

  /// Removes a message.
  func deleteMessage(_ id: Int) throws
}

/// What a web server reads and writes.
package protocol WebEngine: Engine {
  /// Stores pages of ``WebPage`` under their paths, in one transaction.
  func storePages(_ ids: Range<Int>) throws

  /// A reader for one thread; may be called from any. It sees what was committed before each read.
  func makePageReader() throws -> any PageReader

  /// Adds a line to the log, in a transaction of its own; from one thread, while others read.
  func appendToLog(_ line: String) throws

  /// How many lines the log has.
  func countLogLines() throws -> Int
}

/// Reads pages.
package protocol PageReader {
  /// Has the bytes of a page in memory that is the reader's own; sees what was committed before.
  ///
  /// - Parameter path: The page's path.
  /// - Returns: Its content; nil when there is none.
  /// - Throws: What the engine throws.
  func readPage(_ path: String) throws -> Data?
}

/// A store of documents.
package protocol DocumentEngine: Engine {
  /// Stores the documents 0, 1, … of ``Document`` in one transaction.
  func insertDocuments(_ count: Int) throws

  /// Reads documents, does what ``Document/revise()`` does and writes them.
  ///
  /// - Parameters:
  ///   - ids: The documents.
  ///   - perTransaction: How many share a transaction.
  /// - Throws: What the engine throws.
  func reviseDocuments(_ ids: [Int], perTransaction: Int) throws

  /// Goes through all documents.
  ///
  /// - Returns: Adds ``Document/digest`` of each.
  func readDocuments() throws -> Checksum
}

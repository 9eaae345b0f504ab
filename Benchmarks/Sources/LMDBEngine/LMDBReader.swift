import BenchmarkKit
import CRawLMDB
import Foundation

/// A separate read transaction, for one thread at a time.
final class LMDBReader {
  let handle: OpaquePointer
  private var isOpen = true

  /// Begins the transaction.
  init(_ store: OpaquePointer) throws {
    var opened: OpaquePointer?
    try check(rawlmdb_reader_open(store, &opened))
    guard let opened else { throw BenchmarkError("no reader") }
    handle = opened
  }

  deinit { close() }

  func close() {
    if isOpen { rawlmdb_reader_close(handle) }
    isOpen = false
  }

  /// Resets the transaction until ``renewed(_:)``.
  func rest() { rawlmdb_reader_rest(handle) }

  /// Runs a closure in a renewed transaction, which sees the current version. The reader must have
  /// been reset.
  func renewed<Result>(_ body: () throws -> Result) throws -> Result {
    try check(rawlmdb_reader_renew(handle))
    defer { rest() }
    return try body()
  }

  /// The checksum computed by a call of C.
  func sum(_ read: (inout rawlmdb_checksum) throws -> Void) rethrows -> Checksum {
    var found = rawlmdb_checksum()
    try read(&found)
    var checksum = Checksum()
    checksum.count = found.count
    checksum.integers = found.integers
    checksum.bytes = found.bytes
    checksum.scores = found.scores
    return checksum
  }

  /// Copies bytes out of the map; nil when there is no such key.
  func content(
    _ read: (OpaquePointer, UnsafeMutablePointer<rawlmdb_bytes>) -> Int32
  ) throws -> Data? {
    var content = rawlmdb_bytes(bytes: nil, count: 0)
    let status = read(handle, &content)
    if rawlmdb_is_missing(status) { return nil }
    try check(status)
    guard let bytes = content.bytes else { return Data() }
    return Data(bytes: bytes, count: content.count)
  }
}

extension LMDBReader: PersonReader, NamedPersonReader {
  func lookUp(ids: [Int]) throws -> Checksum {
    try sum { try check(rawlmdb_look_up(handle, ids, ids.count, &$0)) }
  }

  func readAges() throws -> Checksum {
    try sum { try check(rawlmdb_read_ages(handle, false, &$0)) }
  }

  func readPerson(_ id: Int) throws -> Person? {
    var name = [CChar](repeating: 0, count: 17)
    var (age, score, created) = (0, 0.0, 0.0)
    let status = rawlmdb_person(handle, id, &name, &age, &score, &created)
    if rawlmdb_is_missing(status) { return nil }
    try check(status)
    return Person(
      id: id,
      name: String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
      age: age, score: score, created: Date(timeIntervalSince1970: created))
  }

  /// The loop is in Swift, which has the keys as its own strings.
  func lookUp(names: [String]) throws -> Checksum {
    try sum { checksum in
      for name in names {
        try check(withBytes(of: name) { rawlmdb_look_up_name(handle, $0, &checksum) })
      }
    }
  }
}

extension LMDBReader: ListReader, MapReader {
  func readList(at indexes: [Int]) throws -> Checksum {
    try sum { try check(rawlmdb_read_list(handle, indexes, indexes.count, &$0)) }
  }

  func readMap(keys: [String]) throws -> Checksum {
    try sum { checksum in
      for key in keys {
        try check(withBytes(of: key) { rawlmdb_read_map(handle, $0, &checksum) })
      }
    }
  }

  func readWholeMap() throws -> Checksum {
    try sum { try check(rawlmdb_read_whole_map(handle, &$0)) }
  }
}

extension LMDBReader: BufferedBlobReader, PageReader {
  /// Copies each blob into newly allocated memory.
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    try sum { try check(rawlmdb_read_blobs(handle, ids, ids.count, &$0)) }
  }

  /// Copies each blob into the reader's buffer.
  func readBlobsIntoBuffer(_ ids: [Int]) throws -> Checksum {
    try sum { try check(rawlmdb_read_blobs_into_buffer(handle, ids, ids.count, &$0)) }
  }

  /// Reads the bytes of each blob in the map.
  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    try sum { try check(rawlmdb_sum_blobs(handle, ids, ids.count, &$0)) }
  }

  func readBlob(_ id: Int) throws -> Data? {
    try content { rawlmdb_blob_content($0, id, $1) }
  }

  /// The reader must have been reset.
  func readPage(_ path: String) throws -> Data? {
    try renewed {
      try withBytes(of: path) { path in
        try content { rawlmdb_page_content($0, path, $1) }
      }
    }
  }
}

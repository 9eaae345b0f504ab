import BenchmarkKit
import CRawLMDB

/// An open environment, and one reset reader.
///
/// Safe because LMDB's environment can be shared by threads, and the reader is used only by calls
/// from one thread, like those of an ``Engine``.
final class LMDBStore: @unchecked Sendable {
  let handle: OpaquePointer

  /// Renewed for one read and reset after it: so a version is pinned without acquiring a reader
  /// slot again.
  let resting: LMDBReader

  init(path: String, durability: Durability) throws {
    var opened: OpaquePointer?
    try check(rawlmdb_open(path, durability == .full, &opened))
    guard let opened else { throw BenchmarkError("no environment") }
    handle = opened
    do {
      resting = try LMDBReader(opened)
    } catch {
      rawlmdb_close(opened)
      throw error
    }
    resting.rest()
  }

  /// No other reader may exist.
  func close() {
    resting.close()
    rawlmdb_close(handle)
  }

  /// Runs a write transaction. It is committed when the body returns, and aborted when the body
  /// throws.
  func write(_ body: (_ writer: OpaquePointer) throws -> Void) throws {
    var begun: OpaquePointer?
    try check(rawlmdb_writer_begin(handle, &begun))
    guard let writer = begun else { throw BenchmarkError("no transaction") }
    do {
      try body(writer)
    } catch {
      // The status only means that the transaction is not to be committed.
      _ = rawlmdb_writer_end(writer, -1)
      throw error
    }
    try check(rawlmdb_writer_end(writer, 0))
  }

  /// Processes a range in several write transactions. The last one may be smaller.
  func write(
    _ ids: Range<Int>, perTransaction: Int,
    _ body: (_ writer: OpaquePointer, _ id: Int) throws -> Void
  ) throws {
    var start = ids.lowerBound
    while start < ids.upperBound {
      let end = start + min(perTransaction, ids.upperBound - start)
      try write { writer in
        for id in start..<end { try body(writer, id) }
      }
      start = end
    }
  }
}

/// Throws LMDB's message for a status that is not success.
func check(_ status: Int32) throws {
  if status != 0 { throw BenchmarkError(String(cString: rawlmdb_message(status))) }
}

/// Passes the bytes of a string to a call.
func withBytes<Result>(of text: String, _ body: (rawlmdb_bytes) throws -> Result) rethrows -> Result
{
  var text = text
  return try text.withUTF8 { try body(rawlmdb_bytes(bytes: $0.baseAddress, count: $0.count)) }
}

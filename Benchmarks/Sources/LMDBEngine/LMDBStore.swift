import BenchmarkKit
import CRawLMDB

/// An environment that is open, and one reader that rests.
///
/// Safe because LMDB has an environment shared by threads; the reader is used only by calls that come from one thread,
/// as those of an ``Engine`` do.
final class LMDBStore: @unchecked Sendable {
  let handle: OpaquePointer

  /// Renewed for one read and reset after it: so a version is held without taking a slot anew.
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

  /// No other reader may be left.
  func close() {
    resting.close()
    rawlmdb_close(handle)
  }

  /// Runs a write transaction: it is committed when the body returns, and aborted when it throws.
  func write(_ body: (_ writer: OpaquePointer) throws -> Void) throws {
    var begun: OpaquePointer?
    try check(rawlmdb_writer_begin(handle, &begun))
    guard let writer = begun else { throw BenchmarkError("no transaction") }
    do {
      try body(writer)
    } catch {
      // The status only says that the transaction is not to be committed.
      _ = rawlmdb_writer_end(writer, -1)
      throw error
    }
    try check(rawlmdb_writer_end(writer, 0))
  }

  /// Does something in many write transactions: the last one is perhaps smaller.
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

/// Throws what LMDB says of a status that is not success.
func check(_ status: Int32) throws {
  if status != 0 { throw BenchmarkError(String(cString: rawlmdb_message(status))) }
}

/// Lends the bytes of a text to a call.
func withBytes<Result>(of text: String, _ body: (rawlmdb_bytes) throws -> Result) rethrows -> Result
{
  var text = text
  return try text.withUTF8 { try body(rawlmdb_bytes(bytes: $0.baseAddress, count: $0.count)) }
}

import BenchmarkKit
import CRawLMDB

/// Answers queries as a program with hand-written plans would: without an index by iterating all
/// persons on one thread, with an index by walking the required part of it.
struct LMDBQueryReader: QueryReader {
  let reader: LMDBReader
  let isIndexed: Bool

  private typealias Count = UnsafeMutablePointer<Int>

  private func count(_ ask: (OpaquePointer, Count) -> Int32) throws -> Int {
    var found = 0
    try check(ask(reader.handle, &found))
    return found
  }

  func sumOfAges() throws -> Int {
    try reader.sum { try check(rawlmdb_read_ages(reader.handle, isIndexed, &$0)) }.integers
  }

  func countPersons(olderThan age: Int) throws -> Int {
    try count {
      isIndexed ? rawlmdb_count_older($0, age, $1) : rawlmdb_scan_older($0, age, $1)
    }
  }

  func countPersons(ofAge age: Int) throws -> Int {
    try count { isIndexed ? rawlmdb_count_age($0, age, $1) : rawlmdb_scan_age($0, age, $1) }
  }

  /// A prefix that begins with another one adds no matches.
  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    var distinct: [[UInt8]] = []
    for prefix in prefixes.map({ Array($0.utf8) }).sorted(by: { $0.lexicographicallyPrecedes($1) })
    where distinct.last.map({ !prefix.starts(with: $0) }) ?? true {
      distinct.append(prefix)
    }
    let ends = distinct.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return try distinct.joined().withContiguousBytes { bytes in
      let parts = zip(ends, ends.dropFirst()).map { start, end in
        rawlmdb_bytes(bytes: bytes.baseAddress.map { $0 + start }, count: end - start)
      }
      return try count {
        isIndexed
          ? rawlmdb_count_prefixes($0, parts, parts.count, $1)
          : rawlmdb_scan_prefixes($0, parts, parts.count, $1)
      }
    }
  }

  /// A name shorter than its field is padded with zeros. No stored name is longer.
  func countPersons(named names: [String]) throws -> Int {
    var fields: [UInt8] = []
    fields.reserveCapacity(names.count * 16)
    for name in names where name.utf8.count <= 16 {
      fields.append(contentsOf: name.utf8)
      fields.append(contentsOf: repeatElement(0, count: 16 - name.utf8.count))
    }
    return try count {
      isIndexed
        ? rawlmdb_count_names($0, &fields, fields.count / 16, $1)
        : rawlmdb_scan_names($0, &fields, fields.count / 16, $1)
    }
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    try [Int](unsafeUninitializedCapacity: max(0, count)) { ids, found in
      guard let start = ids.baseAddress, count > 0 else { return }
      start.initialize(repeating: 0, count: count)
      found = count
      try check(
        isIndexed
          ? rawlmdb_lowest_scores(reader.handle, start, &found)
          : rawlmdb_scan_lowest_scores(reader.handle, start, &found))
    }
  }
}

extension Sequence<UInt8> {
  /// Passes the bytes of the elements, one after another, to a closure.
  fileprivate func withContiguousBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try Array(self).withUnsafeBytes(body)
  }
}

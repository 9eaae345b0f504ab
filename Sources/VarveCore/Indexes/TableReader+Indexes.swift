import Foundation
package import VarveEncoding
package import VarveStorage

extension TableReader {
  /// The object with a value in a unique index, such as that of a primary key.
  ///
  /// - Complexity: One lookup. A truncated key is verified with the bytes in its entry.
  package func uniqueObject(
    indexID: UInt32, _ value: Value, fileKey: FileKey
  ) throws(Failure) -> UInt64? {
    if let key = IndexKey.short(indexID: indexID, value) {
      guard let entry = key.withUnsafeBytes({ find(.indexes, key: $0) }) else { return nil }
      return try indexedObject(entry)
    }
    if case .string(let string) = value, let entry = shortEntry(indexID: indexID, string) {
      return try entry.map { (entry) throws(Failure) in try indexedObject(entry) }
    }
    var key = OrderedKey(capacity: 64)
    let wasCut = IndexKey.encodeKey(
      value, propertyType: .string, indexID: indexID, objectID: nil, fileKey: fileKey, into: &key)
    guard let entry = key.withUnsafeBytes({ find(.indexes, key: $0) }) else { return nil }
    let id = try indexedObject(entry)
    if wasCut, !value.hasBytes(UnsafeRawBufferPointer(rebasing: entry[8...])) { return nil }
    return id
  }

  /// The entry of a unique index for a string that is short enough to be stored unchanged in its
  /// key.
  ///
  /// - Returns: nil for any other string, and an entry of nil if there is none.
  /// - Complexity: One lookup, without an allocation.
  private func shortEntry(indexID: UInt32, _ string: String) -> UnsafeRawBufferPointer?? {
    string.utf8.withContiguousStorageIfAvailable { utf8 -> UnsafeRawBufferPointer?? in
      let utf8 = UnsafeRawBufferPointer(utf8)
      guard IndexKey.isShort(utf8) else { return nil }
      return withUnsafeTemporaryAllocation(
        byteCount: utf8.count + IndexKey.shortOverhead, alignment: 8
      ) { buffer in
        IndexKey.encode(short: utf8, indexID: indexID, into: buffer)
        return .some(find(.indexes, key: UnsafeRawBufferPointer(buffer)))
      }
    } ?? nil
  }

  private func indexedObject(_ entry: UnsafeRawBufferPointer) throws(Failure) -> UInt64 {
    guard let id = IndexKey.objectID(inValue: entry) else {
      throw Failure(.corrupted, "An index entry is damaged.")
    }
    return id
  }
}

extension Value {
  /// Whether the value is the string or data with exactly these bytes.
  func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .string(let string): string.utf8.elementsEqual(bytes)
    case .data(let data): data.elementsEqual(bytes)
    default: false
    }
  }

  /// Calls `body` with the bytes of a string or data value, which an index entry stores completely
  /// if its key is truncated.
  func withWholeKey<R>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> R) throws(Failure) -> R {
    switch self {
    case .string(let string): return try Array(string.utf8).withFailingBytes(body)
    case .data(let data):
      let result: Result<R, Failure> = data.withUnsafeBytes { bytes in
        Result { () throws(Failure) in try body(bytes) }
      }
      return try result.get()
    default:
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}

extension Array where Element == UInt8 {
  /// Calls `withUnsafeBytes` with a typed error.
  func withFailingBytes<R>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    try withUnsafeBufferPointer { (bytes) throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

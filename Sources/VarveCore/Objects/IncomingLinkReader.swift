package import VarveEncoding
import VarveStorage

/// Iterates over the links that point to objects.
///
/// Thread safety: a value for one thread; it may be used for any number of objects.
struct IncomingLinkReader {
  private let reader: any TableReader
  private var prefix = OrderedKey()

  /// - Parameter reader: A version, or the running transaction of this thread.
  init(_ reader: any TableReader) { self.reader = reader }

  /// Calls `body` with each counted entry of links to an object, in the order of classes,
  /// properties and objects.
  ///
  /// - Parameters:
  ///   - target: The linked object.
  ///   - originClass: Limits the links to those from one class.
  ///   - property: Limits them to one property of that class.
  ///   - originID: Limits them to one object with that property.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(links to the object).
  mutating func forEach(
    to target: RowKey, from originClass: UInt32? = nil, property: UInt32? = nil,
    originID: UInt64? = nil, _ body: (IncomingLink) -> Void
  ) throws(Failure) {
    BacklinkKey.begin(&prefix, targetClass: target.classID, targetID: target.objectID)
    if let originClass { prefix.append(uint32: originClass) }
    if let property { prefix.append(uint32: property) }
    if let originID { prefix.append(uint64: originID) }
    try prefix.withUnsafeBytes { (prefix) throws(Failure) in
      var cursor = reader.cursor(.backlinks)
      var isPresent = cursor.seek(key: prefix)
      while isPresent, cursor.key.starts(with: prefix) {
        body(try IncomingLink(cursor.key, cursor.value))
        isPresent = cursor.next()
      }
    }
  }
}

/// One counted entry of links to an object.
package struct IncomingLink: Hashable, Sendable {
  package var key: BacklinkKey
  package var count: Int

  package var origin: RowKey { RowKey(classID: key.originClass, objectID: key.originID) }
}

extension IncomingLink {
  /// - Throws: `.corrupted` for bytes that are not such an entry.
  init(
    _ keyBytes: UnsafeRawBufferPointer, _ valueBytes: UnsafeRawBufferPointer
  ) throws(Failure) {
    do throws(FormatError) {
      key = try BacklinkKey(decoding: keyBytes)
      count = Int(try BacklinkKey.decodeCount(valueBytes))
    } catch {
      throw Failure(error, message: "A backlink is damaged.")
    }
  }
}

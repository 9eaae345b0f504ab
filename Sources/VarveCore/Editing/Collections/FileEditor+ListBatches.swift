import VarveEncoding
import VarveStorage

/// Inserting many elements into a list inside a write transaction, leaf by leaf.
extension FileEditor {
  /// The number of elements that are encoded at a time, which fill several leaves.
  private static let batchCount = 4096

  /// Inserts checked elements before a checked index, and counts their links.
  func insertTogether(
    _ elements: some Collection<Value>, _ list: ListEditor, _ collection: EditedCollection,
    at index: Int
  ) throws(Failure) {
    try insertElements(elements, list, collection.property, at: index)
    guard collection.property.kind.type.mayLink else { return }
    for element in elements { try changeBacklink(of: element, in: collection, by: 1) }
  }

  /// Inserts elements without counting their links, which is left to the caller. See
  /// ``insertTogether(_:_:_:at:)``.
  func insertElements(
    _ elements: some Collection<Value>, _ list: ListEditor, _ property: StoredProperty,
    at index: Int
  ) throws(Failure) {
    var position = index
    var rest = elements[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCount)
      if list.format.storesBits {
        try insertPacked(batch, list, at: position)
      } else if list.format.isPacked, list.format.isNullable {
        // Elements may be null, which has no bytes.
        for (offset, element) in batch.enumerated() {
          try insertElement(element, list, property, at: position + offset)
        }
      } else {
        try insertEncoded(batch, list, property, at: position)
      }
      position += batch.count
      rest = rest[batch.endIndex...]
    }
  }

  /// Inserts elements of at most eight bytes.
  private func insertPacked(
    _ elements: some Collection<Value>, _ list: ListEditor, at index: Int
  ) throws(Failure) {
    let bits = elements.map(\.elementBits)
    try engine { () throws(StorageError) in try list.insert(contentsOf: bits, at: index) }
  }

  /// Inserts elements encoded consecutively in one buffer.
  private func insertEncoded(
    _ elements: some Collection<Value>, _ list: ListEditor, _ property: StoredProperty,
    at index: Int
  ) throws(Failure) {
    var encoded: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(elements.count)
    for element in elements {
      try withElementBytes(element, property) { (bytes) throws(Failure) in
        if let bytes { encoded.append(contentsOf: bytes) }
      }
      ends.append(encoded.count)
    }
    try encoded.withFailingBytes { (bytes) throws(Failure) in
      try engine { () throws(StorageError) in
        try list.insert(contentsOf: bytes, ends: ends, at: index)
      }
    }
  }
}

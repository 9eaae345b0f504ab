import VarveEncoding
import VarveStorage

/// Inserting many elements into a list inside a write transaction, leaf by leaf.
extension FileEditor {
  /// The elements that are encoded at a time: some leaves full.
  private static let batchCount = 4096

  /// Inserts elements that were checked, before a place that was, and counts their links.
  func insertTogether(
    _ elements: some Collection<Value>, _ list: ListEditor, _ collection: EditedCollection,
    at index: Int
  ) throws(Failure) {
    try insertElements(elements, list, collection.property, at: index)
    guard collection.property.kind.type.mayLink else { return }
    for element in elements { try changeBacklink(of: element, in: collection, by: 1) }
  }

  /// Inserts elements as ``insertTogether(_:_:_:at:)`` does; their links are left to the caller.
  func insertElements(
    _ elements: some Collection<Value>, _ list: ListEditor, _ property: StoredProperty,
    at index: Int
  ) throws(Failure) {
    var place = index
    var rest = elements[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCount)
      if list.format.holdsBits {
        try insertPacked(batch, list, at: place)
      } else if list.format.isPacked, list.format.isNullable {
        // Some may be null, which has no bytes.
        for (offset, element) in batch.enumerated() {
          try insertElement(element, list, property, at: place + offset)
        }
      } else {
        try insertEncoded(batch, list, property, at: place)
      }
      place += batch.count
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

  /// Inserts elements one behind the other in one buffer.
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

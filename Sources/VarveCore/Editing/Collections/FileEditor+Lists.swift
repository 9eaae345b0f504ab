import Foundation
package import VarveEncoding
import VarveStorage

/// Operations on lists inside a write transaction. Indexes are checked here: an index that is out
/// of bounds causes an error, and nothing is changed.
extension FileEditor {
  package func count(_ collection: EditedCollection) -> Int {
    if let list = collection.list { return list.count }
    if !collection.isCounted {
      collection.setCount(reader.dictionaryCount(CollectionContent(collection.slot)))
      collection.isCounted = true
    }
    return Int(collection.slot.count)
  }

  /// Returns the element at an index.
  ///
  /// - Throws: `.indexOutOfBounds`.
  package func element(_ collection: EditedCollection, at index: Int) throws(Failure) -> Value {
    try checkIndex(collection, index, upTo: count(collection) - 1)
    let stored = try storedElement(collection, at: index)
    return try storage.resolve(stored, property: collection.property)
  }

  func element(
    _ list: ListEditor, _ property: StoredProperty, at index: Int
  ) throws(Failure) -> Value {
    let stored = try storedElement(list, property, at: index)
    return try storage.resolve(stored, property: property)
  }

  func storedElement(
    _ list: ListEditor, _ property: StoredProperty, at index: Int
  ) throws(Failure) -> StoredValue {
    if list.format.storesBits { return .value(property.elementValue(bits: list.bits(at: index))) }
    do throws(FormatError) {
      guard let bytes = list.bytes(at: index) else { return .value(.null) }
      return try property.storedElement(bytes)
    } catch {
      throw Failure(error, message: "Stored bytes are damaged.")
    }
  }

  /// Inserts an element before an index. An index equal to the count appends.
  ///
  /// - Throws: `.indexOutOfBounds`, or the error of an invalid element; the list is then unchanged.
  package func insert(
    _ element: Value, _ collection: EditedCollection, at index: Int
  ) throws(Failure) {
    try checkInsertion(collection, at: index)
    try check(element, collection.property, collection.schema)
    try checkParent(for: element, collection.property, collection.schema)
    let list = try beginElementChange(collection)
    if let list = try replaceInRow(collection, list, index..<index, with: element) {
      try insertElement(element, list, collection.property, at: index)
    }
    try changeBacklink(of: element, in: collection, by: 1)
  }

  /// Inserts elements before an index. An index equal to the count appends.
  ///
  /// - Throws: `.indexOutOfBounds`, or the error of an invalid element; the list is then unchanged.
  package func insert(
    _ elements: some Collection<Value>, _ collection: EditedCollection, at index: Int
  ) throws(Failure) {
    if elements.count == 1, let element = elements.first {
      return try insert(element, collection, at: index)
    }
    try checkInsertion(collection, at: index)
    if elements.isEmpty { return }
    for element in elements { try check(element, collection.property, collection.schema) }
    try checkParents(for: elements, in: collection)
    try insertTogether(elements, try changedList(collection), collection, at: index)
  }

  /// Inserts an element without counting its link, which is left to the caller.
  func insertElement(
    _ element: Value, _ list: ListEditor, _ property: StoredProperty, at index: Int
  ) throws(Failure) {
    if let bits = property.bits(of: element) {
      try engine { () throws(StorageError) in
        if index == list.count {
          try list.append(bits: bits)
        } else {
          try list.insert(bits: bits, at: index)
        }
      }
    } else {
      try withElementBytes(element, property) { (bytes) throws(Failure) in
        try engine { () throws(StorageError) in
          if index == list.count {
            try list.append(bytes: bytes)
          } else {
            try list.insert(bytes: bytes, at: index)
          }
        }
      }
    }
  }

  /// Appends one packed element whose type the caller has checked: the fast path for bulk appends.
  package func append(bits: UInt64, _ collection: EditedCollection) throws(Failure) {
    let list = try changedList(collection)
    try engine { () throws(StorageError) in try list.append(bits: bits) }
  }

  /// Replaces the element at an index. Writing an identical value is not a change.
  package func replace(
    _ element: Value, _ collection: EditedCollection, at index: Int
  ) throws(Failure) {
    try check(element, collection.property, collection.schema)
    try checkIndex(collection, index, upTo: count(collection) - 1)
    let old = try storedElement(collection, at: index)
    let oldValue = try storage.resolve(old, property: collection.property)
    guard !oldValue.isIdentical(to: element) else { return }
    try checkParent(for: element, collection.property, collection.schema)
    let list = try beginElementChange(collection)
    if collection.property.elementsNeedRelease { try release(old, in: collection) }
    if let list = try replaceInRow(collection, list, index..<index + 1, with: element) {
      try replaceElement(list, collection.property, at: index, by: element)
    }
    try changeBacklink(of: element, in: collection, by: 1)
  }

  /// Replaces an element without updating backlinks.
  func replaceElement(
    _ list: ListEditor, _ property: StoredProperty, at index: Int, by value: Value
  ) throws(Failure) {
    if let bits = property.bits(of: value) {
      _ = try engine { () throws(StorageError) in try list.replace(at: index, bits: bits) }
    } else {
      try withElementBytes(value, property) { (bytes) throws(Failure) in
        _ = try engine { () throws(StorageError) in try list.replace(at: index, bytes: bytes) }
      }
    }
  }

  /// Replaces the elements of a list, or the values of a dictionary, for which `new` returns a
  /// value, without updating backlinks.
  ///
  /// - Complexity: O(n).
  func replaceElements(
    of collection: EditedCollection, by new: (Value) -> Value?
  ) throws(Failure) {
    let property = collection.property
    guard property.kind.collection == .list else {
      try beginChange(collection)
      for (key, value) in try storage.dictionaryEntries(try content(of: collection), property) {
        if let value = new(value) { try putEntry(value, collection, key) }
      }
      return
    }
    let list = try changedList(collection)
    for index in 0..<list.count {
      guard let value = new(try element(list, property, at: index)) else { continue }
      try replaceElement(list, property, at: index, by: value)
    }
  }

  /// Removes the elements in a range of indexes.
  package func remove(_ range: Range<Int>, _ collection: EditedCollection) throws(Failure) {
    try checkIndex(collection, range.lowerBound, upTo: count(collection))
    try checkIndex(collection, range.upperBound, upTo: count(collection))
    guard !range.isEmpty else { return }
    if range.count == 1, try removeInRow(collection, at: range.lowerBound) { return }
    let list = try changedList(collection)
    if collection.property.elementsNeedRelease {
      for index in range { try releaseElement(list, collection, at: index) }
    }
    try engine { () throws(StorageError) in try list.removeSubrange(range) }
  }

  /// Moves an element to the index `destination`.
  package func move(
    from source: Int, to destination: Int, _ collection: EditedCollection
  ) throws(Failure) {
    try checkIndex(collection, source, upTo: count(collection) - 1)
    try checkIndex(collection, destination, upTo: count(collection) - 1)
    guard source != destination else { return }
    let list = try changedList(collection)
    try engine { () throws(StorageError) in try list.move(from: source, to: destination) }
  }

  /// Swaps two elements. Swapping identical elements is not a change.
  package func swap(_ first: Int, _ second: Int, _ collection: EditedCollection) throws(Failure) {
    try checkIndex(collection, first, upTo: count(collection) - 1)
    try checkIndex(collection, second, upTo: count(collection) - 1)
    guard first != second,
      try !element(collection, at: first).isIdentical(to: element(collection, at: second))
    else { return }
    let list = try changedList(collection)
    try engine { () throws(StorageError) in try list.swapAt(first, second) }
  }

  /// Removes every element.
  package func removeAllElements(_ collection: EditedCollection) throws(Failure) {
    let count = count(collection)
    guard count > 0 else { return }
    let list = try changedList(collection)
    if collection.property.elementsNeedRelease {
      for index in 0..<count { try releaseElement(list, collection, at: index) }
    }
    try engine { () throws(StorageError) in try list.removeAll() }
  }

  /// Releases an element's data outside the list: its backlink, its blob.
  private func releaseElement(
    _ list: ListEditor, _ collection: EditedCollection, at index: Int
  ) throws(Failure) {
    guard collection.property.elementsNeedRelease else { return }
    try release(try storedElement(list, collection.property, at: index), in: collection)
  }

  /// Releases the data outside the collection of an element, or of a dictionary's value: its blob,
  /// its backlink, its nested collections.
  func release(_ stored: StoredValue, in collection: EditedCollection) throws(Failure) {
    switch stored {
    case .blob(let reference, _): try deleteBlob(reference)
    case .value(.nested(let kind, let slot)):
      try deleteNested(NestedIdentity(id: slot.id, kind: kind), below: collection.key)
    case .value(let value): try changeBacklink(of: value, in: collection, by: -1)
    }
  }

  func changeBacklink(
    of element: Value, in collection: EditedCollection, by change: Int
  ) throws(Failure) {
    guard case .link(let classID, let id) = element else { return }
    try changeBacklink(
      target: RowKey(classID: classID, objectID: id), origin: collection.key.owner,
      property: collection.property.id, nested: collection.key.nestedID, by: change)
  }

  /// Removes the element at an index.
  package func remove(at index: Int, _ collection: EditedCollection) throws(Failure) {
    try checkIndex(collection, index, upTo: count(collection) - 1)
    try remove(index..<index + 1, collection)
  }

  /// Checks an index for an insertion. An index equal to the count appends.
  package func checkInsertion(_ collection: EditedCollection, at index: Int) throws(Failure) {
    try checkIndex(collection, index, upTo: count(collection))
  }

  /// Checks the index of an element.
  package func checkElement(_ collection: EditedCollection, at index: Int) throws(Failure) {
    try checkIndex(collection, index, upTo: count(collection) - 1)
  }

  /// Replaces the elements in a range of indexes.
  package func replace(
    _ range: Range<Int>, with elements: [Value], _ collection: EditedCollection
  ) throws(Failure) {
    for element in elements { try check(element, collection.property, collection.schema) }
    try checkParents(for: elements, in: collection, leaving: range)
    try remove(range, collection)
    try insert(elements, collection, at: range.lowerBound)
  }

  private func checkIndex(
    _ collection: EditedCollection, _ index: Int, upTo limit: Int
  ) throws(Failure) {
    guard index < 0 || index > limit else { return }
    throw Failure(
      .indexOutOfBounds, "The index is out of bounds.", className: collection.schema.name,
      propertyName: collection.declaredName,
      value: "index \(index), count \(count(collection))")
  }

  /// Encodes an element of variable format into `scratchValue`; large elements go to a blob first.
  func encodeElement(_ element: Value) throws(Failure) {
    guard element.byteCount > ElementCodec.maximumInlineBytes else {
      scratchValue.removeAll()
      ElementCodec.append(element, to: &scratchValue)
      return
    }
    let reference = try element.withWholeKey { (whole) throws(Failure) in try writeBlob(whole) }
    scratchValue.removeAll()
    ElementCodec.append(blob: reference, type: element.type ?? .data, to: &scratchValue)
  }

  /// Calls `body` with the bytes of an element as the list stores it.
  func withElementBytes<R>(
    _ element: Value, _ property: StoredProperty,
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> R
  ) throws(Failure) -> R {
    if ListElementFormat(property.kind).isPacked {
      guard !element.isNull else { return try body(nil) }
      return try element.packedBytes(property.kind.type).withFailingBytes {
        (bytes) throws(Failure) in
        try body(bytes)
      }
    }
    try encodeElement(element)
    return try scratchValue.withUnsafeBytes { (bytes) throws(Failure) in try body(bytes) }
  }
}

extension Value {
  /// The number of bytes of a string or of data; 0 for other values.
  var byteCount: Int {
    switch self {
    case .string(let string): string.utf8.count
    case .data(let data): data.count
    default: 0
    }
  }
}

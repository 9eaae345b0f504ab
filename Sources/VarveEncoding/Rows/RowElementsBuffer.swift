/// The elements of a collection that are about to be stored in a row: packed elements, or parts with
/// a table of their ends.
///
/// The parts of a list are its elements; those of a dictionary the keys and the elements of its
/// entries, alternating.
///
/// Thread safety: none; one owner at a time.
package final class RowElementsBuffer {
  /// The greatest number of bytes of the elements, without the table.
  private static let maximumDataBytes = 1024
  private static let maximumParts = 512

  // The ends, the room for the table in front of the data, and the data.
  private static let dataOffset = 4 * maximumParts

  // Safe because the buffer has one owner, and no access to these runs foreign code.
  @exclusivity(unchecked) private var storage: ByteStorage
  @exclusivity(unchecked) private var dataBytes = 0
  @exclusivity(unchecked) package private(set) var partCount = 0
  @exclusivity(unchecked) private var isPacked = false
  private var element = ByteBuffer()

  package init() { storage = ByteStorage(capacity: Self.dataOffset + Self.maximumDataBytes) }

  /// Removes all elements.
  ///
  /// - Parameter isPacked: Whether the elements that follow have no table.
  package func begin(isPacked: Bool = false) {
    dataBytes = 0
    partCount = 0
    self.isPacked = isPacked
  }

  /// The length of the elements in a row.
  package var byteCount: Int { dataBytes + tableBytes }

  private var tableBytes: Int {
    isPacked ? 0 : dataBytes <= RowParts.maximumNarrowBytes ? partCount : 2 * partCount
  }

  /// The number of entries, if the parts are those of a dictionary.
  package var entryCount: Int { partCount / 2 }

  /// Appends a part, or some packed elements.
  ///
  /// - Returns: false, without a change, if there is no room.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isPacked || partCount < Self.maximumParts, appendData(bytes) else { return false }
    return isPacked || appendEnd()
  }

  /// Appends an entry of a dictionary.
  ///
  /// - Returns: false if there is no room; the key may have been appended.
  package func append(_ key: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer) -> Bool {
    append(key) && append(element)
  }

  /// Appends the element of a value.
  ///
  /// - Returns: false, without a change, if there is no room.
  package func append(element value: Value) -> Bool {
    guard case .string(var text) = value else {
      element.removeAll()
      ElementCodec.append(value, to: &element)
      return element.withUnsafeBytes { append($0) }
    }
    return text.withUTF8 { utf8 in
      guard utf8.count < Self.maximumDataBytes - dataBytes, partCount < Self.maximumParts else {
        return false
      }
      let target = storage.base + Self.dataOffset + dataBytes
      target.store(PropertyType.string.rawValue, at: 0)
      if let source = utf8.baseAddress {
        (target + 1).copyMemory(from: source, byteCount: utf8.count)
      }
      dataBytes += 1 + utf8.count
      return appendEnd()
    }
  }

  /// Appends the UTF-8 bytes of a key.
  ///
  /// - Returns: false, without a change, if there is no room, or the key may not be in a row.
  package func append(key: String) -> Bool {
    var key = key
    return key.withUTF8 {
      let bytes = UnsafeRawBufferPointer($0)
      return RowEntries.mayContain(key: bytes) && append(bytes)
    }
  }

  private func appendData(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= Self.maximumDataBytes - dataBytes else { return false }
    if let source = bytes.baseAddress {
      (storage.base + Self.dataOffset + dataBytes)
        .copyMemory(from: source, byteCount: bytes.count)
    }
    dataBytes += bytes.count
    return true
  }

  /// Records the end of the data as that of a part.
  private func appendEnd() -> Bool { appendEnd(dataBytes) }

  private func appendEnd(_ end: Int) -> Bool {
    guard partCount < Self.maximumParts else { return false }
    storage.base.store(UInt16(truncatingIfNeeded: end), at: 2 * partCount)
    partCount += 1
    return true
  }

  // MARK: Copying

  /// Copies the entries of a dictionary, with one of them replaced, inserted, or removed.
  ///
  /// - Parameters:
  ///   - entries: The entries; nil for none.
  ///   - range: The entries to replace: none or one.
  ///   - entry: The new entry; nil to remove.
  /// - Returns: false if there is no room.
  /// - Throws: `badLength`.
  package func copy(
    _ entries: RowEntries?, replacing range: Range<Int>,
    with entry: (key: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer)?
  ) throws(FormatError) -> Bool {
    begin()
    if let entries, try !append(entries.parts, 0..<2 * range.lowerBound) { return false }
    if let entry, !append(entry.key, entry.element) { return false }
    guard let entries else { return true }
    return try append(entries.parts, 2 * range.upperBound..<entries.parts.count)
  }

  /// Copies the elements of a list, with one of them replaced, inserted, or removed.
  ///
  /// - Parameters:
  ///   - bytes: The elements of the list in a row; nil for none.
  ///   - count: Their number.
  ///   - range: The elements to replace: none or one.
  ///   - element: The new element with its presence byte, if packed elements have one; nil to
  ///     remove.
  /// - Returns: false if there is no room.
  /// - Throws: `badLength`.
  package func copy(
    elements bytes: UnsafeRawBufferPointer?, count: Int, format: ListElementFormat,
    replacing range: Range<Int>, with element: UnsafeRawBufferPointer?
  ) throws(FormatError) -> Bool {
    begin(isPacked: format.isPacked)
    guard let bytes else { return element.map { append($0) } ?? true }
    let damage = FormatError(
      .badLength, "a list in a row has a wrong length", found: UInt64(bytes.count))
    if format.isPacked {
      guard bytes.count == count * format.stride else { throw damage }
      let (lower, upper) = (range.lowerBound * format.stride, range.upperBound * format.stride)
      return appendData(UnsafeRawBufferPointer(rebasing: bytes[..<lower]))
        && (element.map { appendData($0) } ?? true)
        && appendData(UnsafeRawBufferPointer(rebasing: bytes[upper...]))
    }
    guard let parts = RowParts(bytes, count: count) else { throw damage }
    guard try append(parts, 0..<range.lowerBound) else { return false }
    if let element, !append(element) { return false }
    return try append(parts, range.upperBound..<count)
  }

  /// Appends parts. Their ends are copied as they are, and checked when they are read.
  private func append(_ parts: RowParts, _ range: Range<Int>) throws(FormatError) -> Bool {
    guard let bytes = parts.bytes(range) else {
      throw FormatError(.badLength, "a part of a collection in a row has wrong bounds")
    }
    let shift = dataBytes - (range.lowerBound == 0 ? 0 : parts.end(range.lowerBound - 1))
    guard range.count <= Self.maximumParts - partCount, appendData(bytes) else { return false }
    for index in range where !appendEnd(parts.end(index) + shift) { return false }
    return true
  }

  // MARK: Reading

  /// Returns a part.
  ///
  /// - Precondition: The index is less than the number of parts, and the elements are not packed.
  package func part(at index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < partCount, "Index out of range")
    let start = index == 0 ? 0 : end(index - 1)
    return UnsafeRawBufferPointer(
      start: storage.base + Self.dataOffset + start, count: end(index) - start)
  }

  private func end(_ index: Int) -> Int {
    Int(UnsafeRawPointer(storage.base).uint16(at: 2 * index))
  }

  /// Calls `body` with the bytes of the elements as a row contains them.
  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    let start = storage.base + Self.dataOffset - tableBytes
    if !isPacked {
      if dataBytes <= RowParts.maximumNarrowBytes {
        for index in 0..<partCount {
          start.store(UInt8(truncatingIfNeeded: end(index)), at: index)
        }
      } else {
        start.copyMemory(from: storage.base, byteCount: 2 * partCount)
      }
    }
    return try body(UnsafeRawBufferPointer(start: start, count: byteCount))
  }
}

/// A view of the entries of a dictionary in the row of its owner, in the order of the bytes of their
/// keys.
///
/// The bytes belong to the caller and must outlive the view.
///
/// Byte layout: Docs/Format.md, “Collections in the row”.
package struct RowEntries {
  /// Whether an entry with a key may be in a row: outside it, the key is verbatim too.
  package static func mayContain(key: UnsafeRawBufferPointer) -> Bool {
    CollectionEntryKey.isShort(key)
  }

  /// The bytes of an entry in addition to its key and its element.
  package static let entryOverhead = 4

  /// The table of the ends: of a key, and of its element, each counted from the end of the table.
  private let base: UnsafeRawPointer
  package let count: Int
  /// The number of bytes of the table, and of the keys and elements behind it.
  private let tableBytes: Int
  private let dataBytes: Int

  /// - Parameters:
  ///   - bytes: The bytes of the collection in the row.
  ///   - count: The number of entries.
  /// - Throws: `badLength`.
  /// - Complexity: O(1). The bounds of each entry are checked when it is read.
  package init(validating bytes: UnsafeRawBufferPointer, count: Int) throws(FormatError) {
    guard let base = bytes.baseAddress, count > 0, count <= bytes.count / Self.entryOverhead,
      Int(base.uint16(at: Self.entryOverhead * count - 2))
        == bytes.count - Self.entryOverhead * count
    else {
      throw FormatError(
        .badLength, "a dictionary in a row has a wrong length", found: UInt64(bytes.count))
    }
    self.base = base
    self.count = count
    tableBytes = Self.entryOverhead * count
    dataBytes = bytes.count - tableBytes
  }

  /// Returns the end of an entry's key if `part` is 0, or of its element if it is 1.
  private func end(_ index: Int, _ part: Int) -> Int {
    Int(base.uint16(at: Self.entryOverhead * index + 2 * part))
  }

  /// Returns the key and the element of an entry.
  ///
  /// - Throws: `badLength` if its bounds are not those of an entry.
  package func entry(
    at index: Int
  ) throws(FormatError) -> (key: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer) {
    let start = index == 0 ? 0 : end(index - 1, 1)
    let (middle, end) = (end(index, 0), end(index, 1))
    guard start <= middle, middle < end, end <= dataBytes else {
      throw FormatError(
        .badLength, "an entry of a dictionary in a row has wrong bounds", offset: index)
    }
    let data = base + tableBytes
    return (
      UnsafeRawBufferPointer(start: data + start, count: middle - start),
      UnsafeRawBufferPointer(start: data + middle, count: end - middle)
    )
  }

  /// Searches a key.
  ///
  /// - Returns: The index of its entry, or of the first entry with a greater key.
  /// - Throws: `badLength`.
  /// - Complexity: O(log n).
  package func find(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> (index: Int, isPresent: Bool) {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let order = ByteOrder.compare(try entry(at: middle).key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Returns the element under a key, or nil if the key is absent.
  ///
  /// - Throws: `badLength`.
  package func element(
    forKey key: UnsafeRawBufferPointer
  ) throws(FormatError) -> UnsafeRawBufferPointer? {
    let (index, isPresent) = try find(key)
    return isPresent ? try entry(at: index).element : nil
  }
}

/// The entries of a dictionary that are about to be stored in a row.
package struct RowEntriesBuffer {
  /// The ends of the keys and the elements, alternating.
  private var ends: [Int] = []
  private var data = ByteBuffer()
  private var output = ByteBuffer()

  package init() {}

  package var count: Int { ends.count / 2 }

  /// The length of the entries in a row.
  package var byteCount: Int { RowEntries.entryOverhead * count + data.count }

  /// The key of an entry.
  package func key(at index: Int) -> ArraySlice<UInt8> {
    data.bytes[(index == 0 ? 0 : ends[2 * index - 1])..<ends[2 * index]]
  }

  package mutating func removeAll() {
    ends.removeAll(keepingCapacity: true)
    data.removeAll()
  }

  /// Appends an entry.
  ///
  /// - Precondition: The key is greater than those of all entries, and the bytes remain less than
  ///   65,536.
  package mutating func append(_ key: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer) {
    data.append(key)
    ends.append(data.count)
    data.append(element)
    ends.append(data.count)
  }

  /// Copies entries, with one of them replaced, inserted, or removed.
  ///
  /// - Parameters:
  ///   - entries: The entries; nil for none.
  ///   - range: The entries to replace: none or one.
  ///   - entry: The new entry; nil to remove.
  /// - Throws: `badLength`.
  package mutating func copy(
    _ entries: RowEntries?, replacing range: Range<Int>,
    with entry: (key: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer)?
  ) throws(FormatError) {
    removeAll()
    if let entries { try append(entries, 0..<range.lowerBound) }
    if let entry { append(entry.key, entry.element) }
    if let entries { try append(entries, range.upperBound..<entries.count) }
  }

  private mutating func append(
    _ entries: RowEntries, _ range: Range<Int>
  ) throws(FormatError) {
    for index in range {
      let (key, element) = try entries.entry(at: index)
      append(key, element)
    }
  }

  /// Calls `body` with the bytes of the entries as a row contains them.
  package mutating func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    output.removeAll()
    for end in ends { output.append(UInt16(truncatingIfNeeded: end)) }
    data.withUnsafeBytes { output.append($0) }
    return try output.withUnsafeBytes(body)
  }
}

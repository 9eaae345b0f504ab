package import VarveEncoding
package import VarveStorage

/// A walk over a dictionary in one version, in key order.
///
/// Thread safety: none; each walk creates its own.
package final class DictionaryWalk {
  private let property: StoredProperty?
  private let readsValues: Bool
  private let isVerified: Bool
  @exclusivity(unchecked) private var entries: CollectionEntries
  /// The remaining entries of a group that is stored in hash order, the next one last.
  @exclusivity(unchecked) private var group: [(key: String, value: Value)] = []
  private let reader: any TableReader
  /// The entries of a dictionary in a row; nil if it is outside.
  private let row: RowEntries?
  /// Their bytes in a write, in which the row may change. Owned, and released with the walk.
  private let copy: UnsafeMutableRawBufferPointer?
  /// The index of the next entry in the row.
  @exclusivity(unchecked) private var rowIndex = 0

  /// - Parameters:
  ///   - content: The content of the dictionary.
  ///   - property: The property of the dictionary; nil to read only the keys.
  ///   - reader: A version, or this thread's running transaction, which must not change meanwhile.
  ///   - isVerified: Whether the checksums of the entries outside a row, and of blobs, are
  ///     verified.
  /// - Throws: `.corrupted` if the entries in the row cannot be read.
  package init(
    _ content: CollectionContent, _ property: StoredProperty?, in reader: any TableReader,
    isVerified: Bool = false
  ) throws(Failure) {
    self.property = property
    self.isVerified = isVerified
    readsValues = property != nil
    self.reader = reader
    entries = CollectionEntries(content, .dictionaries, in: reader)
    (row, copy) = try Failure.decoding(
      "A dictionary entry is damaged.", propertyName: property?.name,
      try Self.row(content, in: reader))
  }

  deinit { copy?.deallocate() }

  private static func row(
    _ content: CollectionContent, in reader: any TableReader
  ) throws(FormatError) -> (RowEntries?, UnsafeMutableRawBufferPointer?) {
    guard let entries = try content.entries, let bytes = content.bytes else { return (nil, nil) }
    // The walk retains a snapshot, of which the bytes do not change.
    if reader is Snapshot { return (entries, nil) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyMemory(from: bytes)
    return (try RowEntries(validating: UnsafeRawBufferPointer(copy), count: content.count), copy)
  }

  /// Returns the next entry, or nil at the end. The value is null if only the keys are read.
  ///
  /// - Throws: `.corrupted`.
  package func next() throws(Failure) -> (key: String, value: Value)? {
    if !group.isEmpty { return group.removeLast() }
    guard entries.isOnEntry else { return try nextInRow() }
    if entries.isCut { return try nextOfGroup() }
    let entry = try entry(entries)
    entries.advance()
    return entry
  }

  /// Reads the next entry without reference counting of the key. See ``next()``.
  ///
  /// - Parameter key: Replaced with the key of the entry.
  /// - Returns: The value, or nil at the end.
  /// - Throws: `.corrupted`.
  package func next(key: inout String) throws(Failure) -> Value? {
    if let integer = nextInteger(key: &key) { return readsValues ? .int(integer) : .null }
    guard let (text, value) = try next() else { return nil }
    key = text
    return value
  }

  /// Reads the next entry if its value is an integer of eight bytes, and its key is verbatim.
  ///
  /// - Parameter key: Replaced with the key of the entry.
  /// - Returns: The integer; nil, with nothing read, for another entry and at the end.
  package func nextInteger(key: inout String) -> Int64? {
    guard !isVerified, group.isEmpty, entries.isOnEntry,
      let integer = ElementReader.int64(of: entries.element),
      let text = CollectionEntryKey.plainText(entries.key)
    else { return nil }
    entries.advance()
    key = text
    return integer
  }

  private func nextInRow() throws(Failure) -> (key: String, value: Value)? {
    guard let row, rowIndex < row.count else { return nil }
    let entry: (key: String, stored: StoredValue?)
    do throws(FormatError) {
      let (key, element) = try row.entry(at: rowIndex)
      let reader = try ElementReader(validating: element)
      entry = (try UTF8Text.string(key), readsValues ? try reader.value() : nil)
      rowIndex += 1
    } catch {
      rowIndex = row.count
      throw Failure(error, message: "A dictionary entry is damaged.", propertyName: property?.name)
    }
    return (entry.key, try resolved(entry.stored))
  }

  /// Reads the entries whose truncated keys have the same prefix, and orders them by their whole
  /// keys.
  private func nextOfGroup() throws(Failure) -> (key: String, value: Value)? {
    var found: [(key: String, value: Value)] = []
    try entries.passGroup { (entries) throws(Failure) in found.append(try entry(entries)) }
    if found.count > 1 {
      found.sort { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
    }
    group = found
    return group.popLast()
  }

  private func entry(
    _ entries: borrowing CollectionEntries
  ) throws(Failure) -> (key: String, value: Value) {
    if !isVerified, let integer = ElementReader.int64(of: entries.element),
      let key = CollectionEntryKey.plainText(entries.key)
    {
      return (key, readsValues ? .int(integer) : .null)
    }
    return try otherEntry(entries)
  }

  @inline(never)
  private func otherEntry(
    _ entries: borrowing CollectionEntries
  ) throws(Failure) -> (key: String, value: Value) {
    let (key, stored) = try read(entries)
    switch stored {
    case nil: return (key, .null)
    case .value(.link)?, .blob?: return (key, try resolved(stored))
    case .value(let value)?: return (key, value)
    }
  }

  private func read(
    _ entries: borrowing CollectionEntries
  ) throws(Failure) -> (key: String, stored: StoredValue?) {
    do throws(FormatError) {
      if isVerified { try entries.verifyChecksum() }
      let element = try ElementReader(validating: entries.element)
      return (try Self.key(entries.key, element), readsValues ? try element.value() : nil)
    } catch {
      throw Failure(error, message: "A dictionary entry is damaged.", propertyName: property?.name)
    }
  }

  // A separate function, because a property is expensive to copy.
  @inline(never)
  private func resolved(_ stored: StoredValue?) throws(Failure) -> Value {
    guard let stored, let property else { return .null }
    return try reader.resolve(stored, property: property, isVerified: isVerified)
  }

  /// Returns the key of an entry. The whole of a truncated key is in the entry's value.
  private static func key(
    _ key: UnsafeRawBufferPointer, _ element: ElementReader
  ) throws(FormatError) -> String {
    if let whole = element.wholeKey { return String(decoding: whole, as: UTF8.self) }
    if let plain = CollectionEntryKey.plainText(key) { return plain }
    guard let text = try CollectionEntryKey.decodeDictionaryKey(key).key else {
      throw FormatError(.badTag, "a truncated dictionary key without its whole bytes")
    }
    return text
  }
}

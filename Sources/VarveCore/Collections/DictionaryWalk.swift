package import VarveEncoding
package import VarveStorage

/// A walk over a dictionary in one version, in key order.
///
/// Thread safety: none; each walk creates its own.
package final class DictionaryWalk {
  private let property: StoredProperty?
  private let readsValues: Bool
  @exclusivity(unchecked) private var entries: CollectionEntries
  /// The remaining entries of a group that is stored in hash order, the next one last.
  @exclusivity(unchecked) private var group: [(key: String, value: Value)] = []
  private let reader: any TableReader
  /// A copy of the entries of a dictionary in a row, because the row may change in a write.
  private let row: [UInt8]
  private let rowCount: Int
  /// The index of the next entry in the row.
  @exclusivity(unchecked) private var rowIndex = 0

  /// - Parameters:
  ///   - content: The content of the dictionary.
  ///   - property: The property of the dictionary; nil to read only the keys.
  ///   - reader: A version, or this thread's running transaction, which must not change meanwhile.
  package init(
    _ content: CollectionContent, _ property: StoredProperty?, in reader: any TableReader
  ) {
    self.property = property
    readsValues = property != nil
    self.reader = reader
    entries = CollectionEntries(content, .dictionaries, in: reader)
    row = content.bytes.map(Array.init) ?? []
    rowCount = content.isInline ? content.count : 0
  }

  /// Returns the next entry, or nil at the end. The value is null if only the keys are read.
  ///
  /// - Throws: `.corrupted`.
  package func next() throws(Failure) -> (key: String, value: Value)? {
    if !group.isEmpty { return group.removeLast() }
    guard entries.isOnEntry else { return rowIndex < rowCount ? try nextInRow() : nil }
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
    if group.isEmpty, entries.isOnEntry, let integer = ElementReader.int64(of: entries.element),
      let text = CollectionEntryKey.plainText(entries.key)
    {
      entries.advance()
      key = text
      return readsValues ? .int(integer) : .null
    }
    guard let (text, value) = try next() else { return nil }
    key = text
    return value
  }

  private func nextInRow() throws(Failure) -> (key: String, value: Value) {
    let index = rowIndex
    rowIndex += 1
    let result = row.withUnsafeBytes { bytes in
      Result { () throws(FormatError) in
        let (key, element) = try RowEntries(validating: bytes, count: rowCount).entry(at: index)
        let reader = try ElementReader(validating: element)
        return (try UTF8Text.string(key), readsValues ? try reader.value() : nil)
      }
    }
    switch result {
    case .success((let key, let stored)): return (key, try resolved(stored))
    case .failure(let error):
      rowIndex = rowCount
      throw Failure(error, message: "A dictionary entry is damaged.", propertyName: property?.name)
    }
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
    if let integer = ElementReader.int64(of: entries.element),
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
    return try reader.resolve(stored, property: property)
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

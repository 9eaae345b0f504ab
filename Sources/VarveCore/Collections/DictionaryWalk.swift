package import VarveEncoding
package import VarveStorage

/// A walk over a dictionary in one version, in the order of its keys.
///
/// Thread safety: none; each walk makes its own.
package final class DictionaryWalk {
  private let property: StoredProperty?
  private let wantsValues: Bool
  @exclusivity(unchecked) private var entries: CollectionEntries
  /// What is left of entries that are stored in the order of their hashes, the last one first.
  @exclusivity(unchecked) private var group: [(key: String, value: Value)] = []
  private let reader: any TableReader

  /// - Parameters:
  ///   - slot: of the dictionary.
  ///   - property: of the dictionary; nil when only the keys are wanted.
  ///   - reader: a version; or the running transaction of this thread, which is not changed meanwhile.
  package init(_ slot: CollectionSlot, _ property: StoredProperty?, in reader: any TableReader) {
    self.property = property
    wantsValues = property != nil
    self.reader = reader
    entries = CollectionEntries(slot, .dictionaries, in: reader)
  }

  /// The next entry; nil at the end. Its value is null when only the keys are wanted.
  ///
  /// - Throws: `.corrupted`.
  package func next() throws(Failure) -> (key: String, value: Value)? {
    if !group.isEmpty { return group.removeLast() }
    guard entries.isOnEntry else { return nil }
    if entries.isCut { return try nextOfGroup() }
    let entry = try entry(entries)
    entries.advance()
    return entry
  }

  /// As ``next()``, without counting references to the key.
  ///
  /// - Parameter key: gets the key of the entry in place of what it was.
  /// - Returns: the value; nil at the end.
  /// - Throws: `.corrupted`.
  package func next(key: inout String) throws(Failure) -> Value? {
    if group.isEmpty, entries.isOnEntry, let integer = ElementReader.int64(of: entries.value),
      let text = CollectionEntryKey.plainText(entries.key)
    {
      entries.advance()
      key = text
      return wantsValues ? .int(integer) : .null
    }
    guard let (text, value) = try next() else { return nil }
    key = text
    return value
  }

  /// Reads the entries whose keys were cut to the same beginning: their whole keys settle the order.
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
    if let integer = ElementReader.int64(of: entries.value),
      let key = CollectionEntryKey.plainText(entries.key)
    {
      return (key, wantsValues ? .int(integer) : .null)
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
      let element = try ElementReader(validating: entries.value)
      return (try Self.key(entries.key, element), wantsValues ? try element.value() : nil)
    } catch {
      throw Failure(error, message: "A dictionary entry is damaged.", propertyName: property?.name)
    }
  }

  // Apart, because a property is large to copy.
  @inline(never)
  private func resolved(_ stored: StoredValue?) throws(Failure) -> Value {
    guard let stored, let property else { return .null }
    return try reader.resolve(stored, property: property)
  }

  /// The key of an entry; one that was cut stands whole in the entry's value.
  private static func key(
    _ key: UnsafeRawBufferPointer, _ element: ElementReader
  ) throws(FormatError) -> String {
    if let whole = element.wholeKey { return String(decoding: whole, as: UTF8.self) }
    if let plain = CollectionEntryKey.plainText(key) { return plain }
    guard let text = try CollectionEntryKey.decodeDictionaryKey(key).key else {
      throw FormatError(.badTag, "a cut dictionary key without its whole bytes")
    }
    return text
  }
}

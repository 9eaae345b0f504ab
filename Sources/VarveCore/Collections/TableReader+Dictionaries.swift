package import VarveEncoding
package import VarveStorage

extension TableReader {
  /// Returns the element under a key of a dictionary, or nil if the key is absent.
  ///
  /// - Complexity: one lookup; no allocation for a key that is short and has no zero byte.
  func dictionaryElement(
    _ content: CollectionContent, _ key: String, fileKey: FileKey
  ) throws(FormatError) -> StoredValue? {
    var key = key
    if content.isInline { return try inlineElement(content, key) }
    let short: Result<StoredValue?, FormatError>?? = key.utf8.withContiguousStorageIfAvailable {
      utf8 in
      let utf8 = UnsafeRawBufferPointer(utf8)
      guard CollectionEntryKey.isShort(utf8) else { return nil }
      return withUnsafeTemporaryAllocation(
        byteCount: utf8.count + CollectionEntryKey.shortOverhead, alignment: 8
      ) { buffer in
        CollectionEntryKey.encode(short: utf8, collectionID: content.id, into: buffer)
        guard let value = find(.dictionaries, key: UnsafeRawBufferPointer(buffer)) else {
          return .success(nil)
        }
        let bytes = CollectionEntry.element(of: value)
        if let integer = ElementReader.int64(of: bytes) { return .success(.value(.int(integer))) }
        return Result { () throws(FormatError) in try ElementReader(validating: bytes).value() }
      }
    }
    if let short = short ?? nil { return try short.get() }
    key.makeContiguousUTF8()
    return try longDictionaryElement(content, key, fileKey)
  }

  private func inlineElement(
    _ content: CollectionContent, _ key: String
  ) throws(FormatError) -> StoredValue? {
    guard let entries = try content.entries else { return nil }
    var key = key
    let found = key.withUTF8 { key in
      Result { () throws(FormatError) in
        try entries.element(forKey: UnsafeRawBufferPointer(key))
      }
    }
    guard let bytes = try found.get() else { return nil }
    if let integer = ElementReader.int64(of: bytes) { return .value(.int(integer)) }
    return try ElementReader(validating: bytes).value()
  }

  private func longDictionaryElement(
    _ content: CollectionContent, _ key: String, _ fileKey: FileKey
  ) throws(FormatError) -> StoredValue? {
    var entry = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      dictionaryKey: key, collectionID: content.id, fileKey: fileKey, into: &entry)
    guard let value = entry.withUnsafeBytes({ find(.dictionaries, key: $0) }) else { return nil }
    let element = try ElementReader(validating: CollectionEntry.element(of: value))
    if wasCut {
      guard let whole = element.wholeKey, key.utf8.elementsEqual(whole) else { return nil }
    }
    return try element.value()
  }

  /// Returns the value under a key of a dictionary, or nil if the key is absent.
  ///
  /// - Complexity: one lookup.
  package func dictionaryValue(
    _ content: CollectionContent, _ key: String, _ property: StoredProperty, fileKey: FileKey
  ) throws(Failure) -> Value? {
    guard let stored = try storedDictionaryValue(content, key, property, fileKey: fileKey) else {
      return nil
    }
    return try resolve(stored, property: property)
  }

  /// Returns the value under a key without reading its blob. See
  /// ``dictionaryValue(_:_:_:fileKey:)``.
  func storedDictionaryValue(
    _ content: CollectionContent, _ key: String, _ property: StoredProperty, fileKey: FileKey
  ) throws(Failure) -> StoredValue? {
    guard !content.isEmpty else { return nil }
    return try Failure.decoding(
      "A dictionary entry is damaged.", propertyName: property.name,
      try dictionaryElement(content, key, fileKey: fileKey))
  }

  /// Returns the number of entries of a dictionary.
  ///
  /// - Complexity: O(pages of the entries).
  func dictionaryCount(_ content: CollectionContent) -> Int {
    guard content.id != 0 else { return content.count }
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: content.id)
    return prefix.withPrefixRange { countRange(.dictionaries, $0) }
  }

  /// Returns the keys of a dictionary, in order.
  package func dictionaryKeys(_ content: CollectionContent) throws(Failure) -> [String] {
    let walk = try DictionaryWalk(content, nil, in: self)
    var keys: [String] = []
    while let entry = try walk.next() { keys.append(entry.key) }
    return keys
  }

  /// Returns the entries of a dictionary in key order.
  ///
  /// - Parameter isVerified: Whether the checksums of the entries, and of blobs, are verified.
  /// - Complexity: O(entries).
  package func dictionaryEntries(
    _ content: CollectionContent, _ property: StoredProperty, isVerified: Bool = false
  ) throws(Failure) -> [(key: String, value: Value)] {
    let walk = try DictionaryWalk(content, property, in: self, isVerified: isVerified)
    var entries: [(key: String, value: Value)] = []
    while let entry = try walk.next() { entries.append(entry) }
    return entries
  }
}

extension TableReader {
  /// Calls `body` with the key and the element of each entry of a dictionary in a row, in key
  /// order, until it returns false.
  ///
  /// - Returns: Whether all entries were visited.
  /// - Throws: `.corrupted`, and any error of `body`.
  func forEachEntry(
    inRow content: CollectionContent, _ property: StoredProperty,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let entries = try Failure.decoding(
      "A dictionary entry is damaged.", propertyName: property.name, try content.entries)
    guard let entries else { return true }
    for index in 0..<entries.count {
      let (key, element) = try Failure.decoding(
        "A dictionary entry is damaged.", propertyName: property.name,
        try entries.entry(at: index))
      guard try body(key, element) else { return false }
    }
    return true
  }
}

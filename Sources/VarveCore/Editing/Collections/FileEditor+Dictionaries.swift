package import VarveEncoding
import VarveStorage

/// Operations on string-keyed dictionaries inside a write transaction.
extension FileEditor {
  /// Returns the value under a key, or nil if the key is absent.
  package func value(
    _ collection: EditedCollection, forKey key: String
  ) throws(Failure) -> Value? {
    try storage.dictionaryValue(
      try content(of: collection), key, collection.property, fileKey: fileKey)
  }

  /// Sets the value under a key. Writing an identical value is not a change.
  ///
  /// - Throws: `.invalidKey` for a key with `.` or a leading `$`; the error of an invalid value.
  package func setValue(
    _ value: Value, _ collection: EditedCollection, forKey key: String
  ) throws(Failure) {
    try DictionaryRules.check(key, collection)
    try check(value, collection.property, collection.schema)
    if try isInserted(value, collection, forKey: key) { return }
    let old = try storedValue(collection, forKey: key)
    collection.hasAddedKey = old == nil
    if let old, try storage.resolve(old, property: collection.property).isIdentical(to: value) {
      return
    }
    try checkParent(for: value, collection.property, collection.schema)
    try beginChange(collection)
    if let old { try releaseEntry(old, collection) }
    try encodeElement(value)
    if try !putInRow(collection, key) {
      if old == nil { changeCount(of: collection, by: 1) }
      encodeKey(collection.slot, key)
      try putScratchEntry(append: old == nil && collection.mayAppend)
    }
    try changeBacklink(of: value, in: collection, by: 1)
  }

  /// Inserts a value under a key expected to be new because the previous one was: one search
  /// instead of two.
  ///
  /// - Returns: false, without a change, if the key exists or is not expected to be new.
  private func isInserted(
    _ value: Value, _ collection: EditedCollection, forKey key: String
  ) throws(Failure) -> Bool {
    // Values that must be released if the key exists after all take the general path.
    guard collection.hasAddedKey, collection.isChanged, !collection.isInRow, !hasLeftEngine,
      !collection.property.kind.type.mayLink, value.byteCount <= ElementCodec.maximumInlineBytes
    else { return false }
    try encodeEntry(value, collection.slot, key)
    let isNew = try tryInsertScratchEntry(.dictionaries, &collection.mayAppend)
    if isNew { changeCount(of: collection, by: 1) } else { collection.hasAddedKey = false }
    return isNew
  }

  /// Sets several values, or none of them.
  ///
  /// `replacing`: whether other keys are removed.
  /// - Throws: See ``setValue(_:_:forKey:)``; nothing is changed then.
  package func setValues(
    _ entries: [(key: String, value: Value)], _ collection: EditedCollection, replacing: Bool
  ) throws(Failure) {
    for (key, value) in entries {
      try DictionaryRules.check(key, collection)
      try check(value, collection.property, collection.schema)
    }
    try checkParents(for: entries, in: collection, replacing: replacing)
    if replacing, count(collection) > 0 {
      let kept = Set(entries.map { Array($0.key.utf8) })
      for key in try keys(collection) where !kept.contains(Array(key.utf8)) {
        try removeValue(collection, forKey: key)
      }
    }
    try detachReplaced(for: entries, in: collection)
    for (key, value) in entries { try setValue(value, collection, forKey: key) }
  }

  /// Removes a key. Removing an absent key is not a change.
  ///
  /// - Returns: Whether the key was present.
  @discardableResult
  package func removeValue(
    _ collection: EditedCollection, forKey key: String
  ) throws(Failure) -> Bool {
    guard let old = try storedValue(collection, forKey: key) else { return false }
    try beginChange(collection)
    try releaseEntry(old, collection)
    if try removeFromRow(collection, key) { return true }
    entryKey(collection, key)
    try deleteScratchKey(.dictionaries)
    changeCount(of: collection, by: -1)
    return true
  }

  /// Removes every key.
  package func removeAllEntries(_ collection: EditedCollection) throws(Failure) {
    guard count(collection) > 0 else { return }
    for key in try keys(collection) {
      try removeValue(collection, forKey: key)
    }
  }

  private func changeCount(of collection: EditedCollection, by change: Int) {
    if collection.isCounted { collection.setCount(Int(collection.slot.count) + change) }
  }

  /// Stores a value under a key. Releases nothing of the replaced value.
  func putEntry(
    _ value: Value, _ collection: EditedCollection, _ key: String
  ) throws(Failure) {
    try encodeElement(value)
    if try putInRow(collection, key) { return }
    encodeKey(collection.slot, key)
    try putScratchEntry()
  }

  /// Stores the element in `scratchValue`, with a checksum, under `scratchKey`.
  ///
  /// `append`: whether the key is expected to be greater than all others.
  func putScratchEntry(append: Bool = false) throws(Failure) {
    sealScratchEntry()
    try putScratch(.dictionaries, append: append)
  }

  /// Appends the checksum of an entry to the element in `scratchValue`.
  func sealScratchEntry() {
    scratchKey.withUnsafeBytes { CollectionEntry.seal(&scratchValue, key: $0) }
  }

  /// Encodes an entry into `scratchKey` and `scratchValue`, without its checksum.
  func encodeEntry(
    _ value: Value, _ slot: CollectionSlot, _ key: String
  ) throws(Failure) {
    try encodeElement(value)
    encodeKey(slot, key)
  }

  /// Encodes the key of an entry into `scratchKey`, and adds it to `scratchValue` if it is cut.
  private func encodeKey(_ slot: CollectionSlot, _ key: String) {
    let wasCut = CollectionEntryKey.encode(
      dictionaryKey: key, collectionID: slot.id, fileKey: fileKey, into: &scratchKey)
    if wasCut {
      Array(key.utf8).withUnsafeBytes { ElementCodec.appendWholeKey($0, to: &scratchValue) }
    }
  }

  /// Returns the value under a key without reading its blob, or nil if the key is absent.
  private func storedValue(
    _ collection: EditedCollection, forKey key: String
  ) throws(Failure) -> StoredValue? {
    try storage.storedDictionaryValue(
      try content(of: collection), key, collection.property, fileKey: fileKey)
  }

  /// Releases an entry's data outside the dictionary: its backlink, its blob.
  private func releaseEntry(
    _ stored: StoredValue, _ collection: EditedCollection
  ) throws(Failure) {
    if collection.property.elementsNeedRelease { try release(stored, in: collection) }
  }

  /// Encodes the key of an entry into `scratchKey`.
  private func entryKey(_ collection: EditedCollection, _ key: String) {
    _ = CollectionEntryKey.encode(
      dictionaryKey: key, collectionID: collection.slot.id, fileKey: fileKey, into: &scratchKey)
  }
}

/// The rules for keys of dictionaries.
package enum DictionaryRules {
  /// - Throws: `.invalidKey` for a key that contains `.` or starts with `$`. Every other string is
  ///   a valid key, including the empty string.
  package static func check(_ key: String, _ collection: EditedCollection) throws(Failure) {
    guard key.utf8.count <= Blob.maximumBytes else {
      throw Failure(
        .valueTooLarge, "A dictionary key is larger than 1 GiB.",
        className: collection.schema.name, propertyName: collection.declaredName,
        value: "\(key.utf8.count) bytes")
    }
    guard !isAllowed(key) else { return }
    throw Failure(
      .invalidKey, text,
      className: collection.schema.name, propertyName: collection.declaredName,
      value: "\"\(key)\"")
  }

  /// What is allowed, in a sentence.
  package static let text = "A dictionary key must not contain '.' or start with '$'."

  package static func isAllowed(_ key: String) -> Bool {
    let isAllowed = key.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.first != UInt8(ascii: "$") && !bytes.contains(UInt8(ascii: "."))
    }
    if let isAllowed { return isAllowed }
    return key.utf8.first != UInt8(ascii: "$") && !key.utf8.contains(UInt8(ascii: "."))
  }
}

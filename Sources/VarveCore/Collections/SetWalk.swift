package import VarveEncoding
package import VarveStorage

/// A walk over a set in one version, in the order of its elements.
///
/// Thread safety: none; each walk creates its own.
package final class SetWalk {
  private let property: StoredProperty
  private let isVerified: Bool
  @exclusivity(unchecked) private var entries: CollectionEntries
  /// The remaining elements of a group that is stored in hash order, the next one last.
  @exclusivity(unchecked) private var group: [Value] = []

  /// - Parameters:
  ///   - content: The content of the set.
  ///   - property: The property of the set.
  ///   - reader: A version, or this thread's running transaction, which must not change meanwhile.
  ///   - isVerified: Whether the checksums of the entries that are read are verified.
  package init(
    _ content: CollectionContent, _ property: StoredProperty, in reader: any TableReader,
    isVerified: Bool = false
  ) {
    self.property = property
    self.isVerified = isVerified
    entries = CollectionEntries(content, .sets, in: reader)
  }

  /// Returns the next element, or nil at the end.
  ///
  /// - Throws: `.corrupted`.
  package func next() throws(Failure) -> Value? {
    if let element = group.popLast() { return element }
    guard entries.isOnEntry else { return nil }
    if entries.isCut { return try nextOfGroup() }
    let element = try element(entries)
    entries.advance()
    return element
  }

  private func element(_ entries: borrowing CollectionEntries) throws(Failure) -> Value {
    do throws(FormatError) {
      if isVerified { try entries.verifyChecksum() }
    } catch {
      throw Failure(error, message: "An element of a set is damaged.", propertyName: property.name)
    }
    return try property.setElement(entries.element)
  }

  /// Skips elements.
  ///
  /// - Parameter count: The number of elements to skip; the walk may end earlier.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(count).
  package func skip(_ count: Int) throws(Failure) {
    for _ in 0..<count {
      if group.isEmpty, entries.isOnEntry, !entries.isCut {
        entries.advance()
      } else if try next() == nil {
        return
      }
    }
  }

  /// Reads the elements whose truncated keys have the same prefix, and orders them by their whole
  /// bytes.
  private func nextOfGroup() throws(Failure) -> Value? {
    var group: [Value] = []
    try entries.passGroup { (entries) throws(Failure) in
      group.append(try element(entries))
    }
    if group.count > 1 {
      let type = property.kind.type
      let keys = group.map { SetElementKey($0, type) }
      group = group.indices.sorted { keys[$0] > keys[$1] }.map { group[$0] }
    }
    self.group = group
    return self.group.popLast()
  }
}

extension StoredProperty {
  /// Returns the element in the value of an entry of a set.
  ///
  /// - Throws: `.corrupted`.
  func setElement(inEntry value: UnsafeRawBufferPointer) throws(Failure) -> Value {
    try setElement(CollectionEntry.element(of: value))
  }

  /// Returns the element in an entry of a set.
  ///
  /// - Parameter bytes: The entry's value without its checksum.
  /// - Throws: `.corrupted`.
  func setElement(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Value {
    do throws(FormatError) {
      let element = try ElementReader(validating: bytes)
      switch try element.value() {
      case .value(.link(_, let id)) where kind.type == .link:
        return .link(classID: linkedClassID, objectID: id)
      case .value(let value) where element.wholeKey == nil:
        return value
      case .value, .blob:
        throw FormatError(.badTag, "an element of a set is not stored in its entry")
      }
    } catch {
      throw Failure(error, message: "An element of a set is damaged.", propertyName: name)
    }
  }
}

extension TableReader {
  /// Returns the elements of a set, in order.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(n).
  package func setElements(
    _ content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> [Value] {
    let walk = SetWalk(content, property, in: self)
    var elements: [Value] = []
    while let element = try walk.next() { elements.append(element) }
    return elements
  }

  /// Returns the last element of a set, in order.
  ///
  /// - Returns: The element, or nil for an empty set.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(log n), plus O(k) for k elements whose truncated keys have the same prefix.
  package func lastSetElement(
    _ content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> Value? {
    guard content.id != 0 else { return nil }
    var (prefix, end) = (OrderedKey(), OrderedKey())
    CollectionEntryKey.begin(&prefix, collectionID: content.id)
    CollectionEntryKey.begin(&end, collectionID: content.id + 1)
    var cursor = cursor(.sets)
    let isBefore =
      end.withUnsafeBytes { cursor.seek(key: $0) } ? cursor.previous() : cursor.seekLast()
    guard isBefore, prefix.withUnsafeBytes({ ByteOrder.hasPrefix(cursor.key, $0) }) else {
      return nil
    }
    var last = try property.setElement(inEntry: cursor.value)
    guard CollectionEntryKey.isCut(cursor.key) else { return last }
    // Elements whose truncated keys have the same prefix are in the order of their hashes.
    let beginning = Array(cursor.key.prefix(CollectionEntryKey.groupEnd))
    let type = property.kind.type
    while cursor.previous(), CollectionEntryKey.isCut(cursor.key),
      cursor.key.starts(with: beginning)
    {
      let element = try property.setElement(inEntry: cursor.value)
      if SetElementKey(element, type) > SetElementKey(last, type) { last = element }
    }
    return last
  }

  /// Whether a set contains an element.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup.
  package func setContains(
    _ element: Value, _ content: CollectionContent, _ property: StoredProperty, fileKey: FileKey
  ) throws(Failure) -> Bool {
    guard content.id != 0 else { return false }
    var key = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      element: element, type: property.kind.type, collectionID: content.id, fileKey: fileKey,
      into: &key)
    guard let value = key.withUnsafeBytes({ find(.sets, key: $0) }) else { return false }
    return wasCut ? try property.setElement(inEntry: value) == element : true
  }
}

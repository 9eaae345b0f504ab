import VarveEncoding
import VarveStorage

/// Reads the contents of collections, in a version or in the running write transaction. In a write
/// transaction, pending collection changes must be written first.
extension TableReader {
  /// Calls `body` with each element of a list or set, or each value of a dictionary, in order,
  /// until it returns false.
  ///
  /// - Returns: Whether all elements were visited.
  /// - Throws: `.corrupted`, and any error of `body`.
  func forEachElement(
    _ content: CollectionContent, _ property: StoredProperty,
    _ body: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    if content.isEmpty { return true }
    switch property.kind.collection {
    case .none: return true
    case .list where content.isInline:
      return try forEachElement(of: try inlineLeaf(content, property), property, body)
    case .list:
      return try forEachElement(ofNode: ListNodeKey.root, 0, content, property, body)
    case .set:
      let walk = SetWalk(content, property, in: self)
      while let element = try walk.next() {
        guard try body(element) else { return false }
      }
      return true
    case .dictionary where content.isInline:
      return try forEachEntry(inRow: content, property) { (_, element) throws(Failure) in
        let stored = try Failure.decoding(
          "A dictionary entry is damaged.", propertyName: property.name,
          try ElementReader(validating: element).value())
        return try body(try resolve(stored, property: property))
      }
    case .dictionary:
      let walk = try DictionaryWalk(content, property, in: self)
      while let entry = try walk.next() {
        guard try body(entry.value) else { return false }
      }
      return true
    }
  }

  /// Calls `body` with each key of a dictionary until it returns false. See
  /// ``forEachElement(_:_:_:)``.
  func forEachKey(
    _ content: CollectionContent, _ property: StoredProperty,
    _ body: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard property.kind.collection == .dictionary else { return true }
    if content.isInline {
      return try forEachEntry(inRow: content, property) { (key, _) throws(Failure) in
        let text = try Failure.decoding(
          "A dictionary entry is damaged.", propertyName: property.name, try UTF8Text.string(key))
        return try body(.string(text))
      }
    }
    let walk = try DictionaryWalk(content, nil, in: self)
    while let entry = try walk.next() {
      guard try body(.string(entry.key)) else { return false }
    }
    return true
  }

  /// The value of a dictionary key, or null if the key does not exist.
  ///
  /// - Complexity: One lookup.
  func element(
    _ content: CollectionContent, _ property: StoredProperty, forKey key: String,
    _ fileKey: FileKey
  ) throws(Failure) -> Value {
    guard property.kind.collection == .dictionary else { return .null }
    return try dictionaryValue(content, key, property, fileKey: fileKey) ?? .null
  }

  /// The element at a position of a list, or null if the position is out of bounds.
  ///
  /// - Complexity: O(log n).
  func element(
    _ content: CollectionContent, _ property: StoredProperty, at position: QueryPath.Position
  ) throws(Failure) -> Value {
    let count = try elementCount(content, property)
    var rest: Int
    switch position {
    case .first: rest = 0
    case .last: rest = count - 1
    case .index(let index): rest = index
    }
    guard property.kind.collection == .list, rest >= 0, rest < count else { return .null }
    if content.isInline {
      return try value(of: try inlineLeaf(content, property), at: rest, property)
    }
    var nodeID = ListNodeKey.root
    for _ in 0...ListEditor.maximumLevels {
      switch try listNode(content, property, nodeID) {
      case nil: return .null
      case .leaf(let leaf):
        guard rest < leaf.count else { break }
        return try value(of: leaf, at: rest, property)
      case .inner(let inner):
        guard let found = inner.find(rest) else { break }
        nodeID = inner.child(at: found.entry).nodeID
        rest = found.position
      }
    }
    throw Failure(.corrupted, "A list is damaged.", propertyName: property.name)
  }

  /// The number of elements of a collection. The content of a collection that is nested in a value
  /// does not contain the count.
  ///
  /// - Complexity: O(1). One lookup for a nested list, and that of ``dictionaryCount(_:)`` for a
  ///   nested dictionary.
  func elementCount(
    _ content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> Int {
    if content.count > 0 || content.isEmpty { return content.count }
    switch property.kind.collection {
    case .none, .set: return 0
    case .dictionary: return dictionaryCount(content)
    case .list:
      switch try listNode(content, property, ListNodeKey.root) {
      case nil: return 0
      case .leaf(let leaf): return leaf.count
      case .inner(let inner): return inner.totalCount
      }
    }
  }

  // MARK: Nodes

  private func forEachElement(
    ofNode nodeID: UInt64, _ level: Int, _ content: CollectionContent, _ property: StoredProperty,
    _ body: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard level <= ListEditor.maximumLevels else {
      throw Failure(.corrupted, "A list is damaged.", propertyName: property.name)
    }
    switch try listNode(content, property, nodeID) {
    case nil: return true
    case .leaf(let leaf): return try forEachElement(of: leaf, property, body)
    case .inner(let inner):
      for index in 0..<inner.count {
        let child = inner.child(at: index).nodeID
        guard try forEachElement(ofNode: child, level + 1, content, property, body) else {
          return false
        }
      }
    }
    return true
  }

  private func forEachElement(
    of leaf: ListLeaf, _ property: StoredProperty, _ body: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    for index in 0..<leaf.count {
      guard try body(try value(of: leaf, at: index, property)) else { return false }
    }
    return true
  }

  private func inlineLeaf(
    _ content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> ListLeaf {
    guard let bytes = content.bytes else {
      throw Failure(.corrupted, "A list is damaged.", propertyName: property.name)
    }
    return try Failure.decoding(
      "A list is damaged.", propertyName: property.name,
      try ListLeaf(
        elements: bytes, count: content.count, format: ListElementFormat(property.kind)))
  }

  private func listNode(
    _ content: CollectionContent, _ property: StoredProperty, _ nodeID: UInt64
  ) throws(Failure) -> ListContentNode? {
    var key = OrderedKey()
    ListNodeKey(listID: content.id, nodeID: nodeID).encode(into: &key)
    guard let bytes = key.withUnsafeBytes({ find(.lists, key: $0) }) else { return nil }
    do throws(FormatError) {
      if try ListNode.kind(of: bytes) == .inner {
        return .inner(try ListInner(validating: bytes))
      }
      return .leaf(try ListLeaf(validating: bytes, format: ListElementFormat(property.kind)))
    } catch {
      throw Failure(error, message: "A list is damaged.", propertyName: property.name)
    }
  }

  private func value(
    of leaf: ListLeaf, at index: Int, _ property: StoredProperty
  ) throws(Failure) -> Value {
    if leaf.format.isPacked, leaf.isNull(at: index) { return .null }
    let stored: StoredValue
    do throws(FormatError) {
      stored = try property.storedElement(try leaf.bytes(at: index))
    } catch {
      throw Failure(error, message: "A list is damaged.", propertyName: property.name)
    }
    return try resolve(stored, property: property)
  }
}

/// A node of a list.
private enum ListContentNode {
  case leaf(ListLeaf)
  case inner(ListInner)
}

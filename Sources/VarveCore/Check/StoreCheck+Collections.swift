import VarveEncoding
import VarveStorage

extension StoreCheck {
  mutating func checkCollection(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, _ row: RowReader
  ) {
    guard let field = row.layout.field(forProperty: property.id) else { return }
    let content = row.collectionContent(field)
    let object = name(schema, id)
    let location = place("\(object).\(property.name)")
    if content.isInline {
      return checkInline(content, property, NestedCheck(schema, id, property), location)
    }
    guard content.id != 0 else {
      if content.count != 0 {
        note(.wrongCount, location, "\(content.count) elements without a collection")
      }
      return
    }
    if content.id >= snapshot.root.nextCollectionID {
      note(.unknownID, location, "collection id \(content.id) was not assigned")
    }
    report.collectionCount += 1
    // Otherwise, elements of two collections with one id are too many for their tables.
    if isExact, !collectionIDs.insert(content.id).inserted {
      return note(.damagedCollection, location, "collection \(content.id) is also used elsewhere")
    }
    let count = checkElements(content, property, NestedCheck(schema, id, property), location)
    if count != content.count {
      note(.wrongCount, location, "\(count) elements, the slot contains \(content.count)")
    }
  }

  /// Verifies a collection in a row.
  private mutating func checkInline(
    _ content: CollectionContent, _ property: StoredProperty, _ nested: NestedCheck,
    _ location: String
  ) {
    report.collectionCount += 1
    report.elementCount += content.count
    var elements = ElementsCheck(property: property, nested: nested)
    do throws(FormatError) {
      guard let bytes = content.bytes else {
        throw FormatError(.badLength, "a slot points out of its row")
      }
      switch property.kind.collection {
      case .list: try checkRowList(bytes, content.count, &elements, location)
      case .dictionary: try checkRowEntries(content, &elements, location)
      case .set, .none: throw FormatError(.badTag, "a set in a row")
      }
    } catch {
      note(.damagedCollection, location, error.description)
    }
    checkLinks(elements, location)
  }

  private mutating func checkRowList(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, _ elements: inout ElementsCheck,
    _ location: String
  ) throws(FormatError) {
    let property = elements.property
    let leaf = try ListLeaf(
      elements: bytes, count: count, format: ListElementFormat(property.kind))
    for index in 0..<leaf.count {
      let isNull = leaf.format.isPacked && leaf.isNull(at: index)
      let bytes = try leaf.bytes(at: index)
      if !leaf.format.isPacked { try checkIsInline(bytes) }
      checkElement(
        isNull ? .value(.null) : try property.storedElement(bytes), &elements,
        place("\(location)[\(index)]"))
    }
  }

  private mutating func checkRowEntries(
    _ content: CollectionContent, _ elements: inout ElementsCheck, _ location: String
  ) throws(FormatError) {
    guard let entries = try content.entries else { return }
    var last: UnsafeRawBufferPointer?
    for index in 0..<entries.count {
      let (key, bytes) = try entries.entry(at: index)
      try checkIsInline(bytes)
      let element = try ElementReader(validating: bytes)
      let text = try UTF8Text.string(key)
      if !RowEntries.mayContain(key: key) || element.wholeKey != nil
        || !DictionaryRules.isAllowed(text)
      {
        note(.damagedEntry, location, "a key that is encoded wrongly or not allowed")
      }
      if let last, ByteOrder.compare(last, key) >= 0 {
        note(.damagedEntry, location, "keys out of order")
      }
      last = key
      checkElement(
        try element.value(), &elements, place("\(location)[\"\(text.prefix(40))\"]"))
    }
  }

  private func checkIsInline(_ element: UnsafeRawBufferPointer) throws(FormatError) {
    guard !ElementCodec.mayBeInline(element) else { return }
    throw FormatError(.badTag, "an element that cannot be in a row")
  }

  private mutating func checkLinks(_ elements: ElementsCheck, _ location: String) {
    let nested = elements.nested
    var links = Array(elements.links)
    // In order, so that reports of one file are equal.
    if isExact {
      links.sort { ($0.key.classID, $0.key.objectID) < ($1.key.classID, $1.key.objectID) }
    }
    for (target, times) in links {
      checkLink(
        to: target, times: times, from: nested.owner, elements.property,
        nested: nested.parentID, location)
    }
  }

  private mutating func checkRecord(
    _ expected: CollectionRecord, of id: UInt64, _ location: String
  ) {
    guard isExact else {
      CollectionRecord.encodeKey(collectionID: id, into: &key)
      expected.encode(into: &entry)
      return required.collections.insert(key, entry)
    }
    if (try? snapshot.collectionRecord(id)) != expected {
      note(
        .damagedCollection, location,
        "the record of collection \(id) is missing, or names another owner")
    }
  }

  /// Verifies the contents of a collection.
  ///
  /// - Returns: The number of elements found.
  private mutating func checkElements(
    _ content: CollectionContent, _ property: StoredProperty, _ nested: NestedCheck,
    _ location: String
  ) -> Int {
    var elements = ElementsCheck(property: property, nested: nested)
    let count =
      switch property.kind.collection {
      case .list: checkList(content, &elements, location)
      case .set: checkEntries(of: content.id, in: .sets, &elements, location)
      case .dictionary, .none: checkEntries(of: content.id, in: .dictionaries, &elements, location)
      }
    report.elementCount += count
    checkLinks(elements, location)
    return count
  }

  /// Verifies a collection that is nested in a mixed value.
  mutating func checkNested(
    _ kind: CollectionKind, _ content: CollectionContent, _ nested: NestedCheck, _ location: String
  ) {
    if content.id >= snapshot.root.nextCollectionID || content.id == 0 {
      return note(.unknownID, location, "collection id \(content.id) was not assigned")
    }
    if content.count != 0 { note(.wrongCount, location, "a nested slot with a count") }
    guard collectionIDs.insert(content.id).inserted else {
      return note(.damagedCollection, location, "collection \(content.id) is also used elsewhere")
    }
    guard nested.depth < NestedContent.maximumDepth else {
      return note(.damagedCollection, location, "collection \(content.id) is nested too deeply")
    }
    report.collectionCount += 1
    let property = nested.property.nested(kind)
    let expected = CollectionRecord(
      kind: property.kind, ownerClassID: nested.owner.classID,
      ownerObjectID: nested.owner.objectID, ownerPropertyID: property.id,
      parentID: nested.parentID)
    checkRecord(expected, of: content.id, location)
    var inner = nested
    inner.parentID = content.id
    inner.depth += 1
    waitingNested.append { check in
      _ = check.checkElements(content, property, inner, location)
    }
  }

  /// Verifies the nested collections found so far. They are queued so that nesting does not cause
  /// recursion.
  mutating func checkWaitingNested() {
    while let next = waitingNested.popLast() { next(&self) }
  }

  // MARK: Lists

  private mutating func checkList(
    _ content: CollectionContent, _ elements: inout ElementsCheck, _ location: String
  ) -> Int {
    let format = ListElementFormat(elements.property.kind)
    let tree = ListTreeCheck.run(content, format: format, in: snapshot)
    neededEntries[.lists, default: 0] += tree.nodeCount
    guard advance(by: tree.nodeCount) else { return tree.elementCount }
    for problem in tree.problems { note(.damagedList, location, problem.description) }
    guard tree.problems.isEmpty else { return tree.elementCount }
    let list = ListDirectory(content, isNested: true, snapshot: snapshot, format: format)
    for index in 0..<list.count {
      let elementLocation = place("\(location)[\(index)]")
      do throws(FormatError) {
        var stored = StoredValue.value(.null)
        if let bytes = list.bytes(at: index) { stored = try elements.property.storedElement(bytes) }
        checkElement(stored, &elements, elementLocation)
      } catch {
        note(.damagedList, elementLocation, error.description)
      }
    }
    return list.count
  }

  /// Verifies an element of a list or set, or a value of a dictionary.
  private mutating func checkElement(
    _ stored: StoredValue, _ elements: inout ElementsCheck, _ location: String
  ) {
    let property = elements.property
    switch stored {
    case .blob(_, let type):
      _ = checkBlob(of: stored, location)
      if type != property.kind.type, property.kind.type != .mixed {
        note(.wrongValue, location, "a blob of another type")
      }
    case .value(.link(let classID, let id)):
      if classID != property.linkedClassID, property.kind.type != .mixed {
        note(.wrongValue, location, "a link of class \(classID)")
      }
      elements.links[RowKey(classID: classID, objectID: id), default: 0] += 1
    case .value(.nested(let kind, let slot)) where property.kind.type == .mixed:
      checkNested(kind, CollectionContent(slot), elements.nested, location)
    case .value(.null) where property.kind.collection == .dictionary && property.kind.type == .link:
      // The object under this key was deleted.
      break
    case .value(let value):
      if !property.kind.accepts(value) { note(.wrongValue, location, value.text) }
    }
  }

  // MARK: Dictionaries and sets

  private mutating func checkEntries(
    of id: UInt64, in table: Table, _ elements: inout ElementsCheck, _ location: String
  ) -> Int {
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: id)
    var count = 0
    forEachEntry(of: table, under: prefix) { check, key, value in
      count += 1
      do throws(FormatError) {
        try CollectionEntry.verifyChecksum(value, key: key)
      } catch {
        check.note(.damagedEntry, location, error.description)
      }
      let element = CollectionEntry.element(of: value)
      if table == .sets {
        check.checkSetEntry(key, element, id, &elements, location)
      } else {
        check.checkEntry(key, element, id, &elements, location)
      }
    }
    neededEntries[table, default: 0] += count
    return count
  }

  private mutating func checkEntry(
    _ bytes: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ id: UInt64,
    _ elements: inout ElementsCheck, _ location: String
  ) {
    do throws(FormatError) {
      let element = try ElementReader(validating: value)
      let decoded = try CollectionEntryKey.decodeDictionaryKey(bytes).key
      guard let text = DictionaryRules.key(decoded, element) else {
        return note(.damagedEntry, location, "a key that is not a string")
      }
      if !CollectionEntryKey.isKey(bytes, of: text, in: id, fileKey)
        || !DictionaryRules.isAllowed(text)
      {
        note(.damagedEntry, location, "a key that is encoded wrongly or not allowed")
      }
      checkElement(
        try element.value(), &elements, place("\(location)[\"\(text.prefix(40))\"]"))
    } catch {
      note(.damagedEntry, location, error.description)
    }
  }

  private mutating func checkSetEntry(
    _ bytes: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ id: UInt64,
    _ elements: inout ElementsCheck, _ location: String
  ) {
    let property = elements.property
    do throws(Failure) {
      let element = try property.setElement(value)
      if !CollectionEntryKey.isKey(bytes, of: element, property.kind.type, in: id, fileKey) {
        note(.damagedEntry, location, "an element under another key")
      }
      checkElement(
        .value(element), &elements, place("\(location)[\(element.text.prefix(40))]"))
    } catch {
      note(.damagedEntry, location, error.details.first ?? error.message)
    }
  }
}

/// The location of nested collections found by a check.
struct NestedCheck {
  let owner: RowKey
  let property: StoredProperty
  /// The enclosing nested collection, or 0 for the property and its own collection.
  var parentID: UInt64 = 0
  /// The number of enclosing nested collections.
  var depth = 0

  init(_ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty) {
    owner = RowKey(classID: schema.id, objectID: id)
    self.property = property
  }
}

/// The elements of a collection that is being checked.
private struct ElementsCheck {
  let property: StoredProperty
  let nested: NestedCheck
  /// The number of links to each object.
  var links: [RowKey: Int] = [:]
}

extension DictionaryRules {
  /// The key of an entry, from the entry's own key, or from its value if the key is truncated.
  static func key(_ decoded: String?, _ element: ElementReader) -> String? {
    guard let whole = element.wholeKey else { return decoded }
    return decoded == nil ? String(decoding: whole, as: UTF8.self) : nil
  }
}

extension CollectionEntryKey {
  /// Whether bytes are the key of a dictionary's entry with a string.
  static func isKey(
    _ bytes: UnsafeRawBufferPointer, of text: String, in id: UInt64, _ fileKey: FileKey
  ) -> Bool {
    var key = OrderedKey()
    _ = encode(dictionaryKey: text, collectionID: id, fileKey: fileKey, into: &key)
    return key.withUnsafeBytes { $0.elementsEqual(bytes) }
  }

  /// Whether bytes are the key of a set's entry with an element.
  static func isKey(
    _ bytes: UnsafeRawBufferPointer, of element: Value, _ type: PropertyType, in id: UInt64,
    _ fileKey: FileKey
  ) -> Bool {
    var key = OrderedKey()
    _ = encode(element: element, type: type, collectionID: id, fileKey: fileKey, into: &key)
    return key.withUnsafeBytes { $0.elementsEqual(bytes) }
  }
}

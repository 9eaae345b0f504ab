import VarveEncoding
import VarveStorage

/// Reads the objects of a file whose pages are sound and whose content is incomplete.
///
/// Thread safety: one thread at a time.
struct SalvageReader {
  let snapshot: Snapshot
  let file: FileSchema
  var report: SalvageReport
  /// The embedded objects that were lost, and reported.
  private(set) var lostEmbedded: Set<RowKey> = []
  /// The embedded objects to which an owner refers. Each has one owner.
  private var ownedEmbedded: Set<RowKey> = []
  /// The collections nested in mixed values that were read. Each is in one value.
  private var nestedIDs: Set<UInt64> = []
  /// The numbers of entries and nodes of collections that were reached from an object.
  private var reachedCounts: [Table: Int] = [:]
  private let fileKey: FileKey
  private var embeddedDepth = 0

  init(_ snapshot: Snapshot, _ file: FileSchema, _ report: SalvageReport) {
    self.snapshot = snapshot
    self.file = file
    self.report = report
    let fileKey = snapshot.environment.fileKey
    self.fileKey = FileKey(low: fileKey.first, high: fileKey.second)
  }

  /// Reads an object with its collections and embedded objects. Parts that cannot be read, and that
  /// can be absent, are left out and counted.
  ///
  /// - Throws: The reason why the object is lost.
  mutating func object(
    _ schema: ClassSchema, _ id: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(SalvageLoss) -> SalvagedObject {
    let row: RowReader
    do throws(FormatError) {
      row = try schema.reader(for: bytes)
      try row.verifyExtents()
    } catch {
      throw SalvageLoss(.undecodable, "\(error.message)")
    }
    do throws(FormatError) {
      try row.verifyChecksum(classID: schema.id, objectID: id)
    } catch {
      throw SalvageLoss(.badChecksum)
    }
    var object = SalvagedObject(schema: schema, id: id)
    object.parts.reserveCapacity(schema.properties.count)
    for property in schema.properties {
      let place = NestedCheck(schema, id, property)
      if property.kind.collection == .none {
        object.parts.append(try single(row, id, place))
      } else {
        let content = row.layout.field(forProperty: property.id).map(row.collectionContent)
        object.parts.append(collection(content ?? .none, place))
      }
    }
    return object
  }

  private mutating func single(
    _ row: RowReader, _ id: UInt64, _ place: NestedCheck
  ) throws(SalvageLoss) -> SalvagedObject.Part {
    let property = place.property
    let value: Value
    do throws(Failure) {
      value = try snapshot.value(of: row, id, property, isVerified: true)
    } catch {
      guard property.kind.accepts(.null), !property.isPrimaryKey else {
        throw SalvageLoss(.undecodable, "\(property.name): \(error.message)")
      }
      report.lostValueCount += 1
      return .value(.null)
    }
    if let part = part(of: value, property, place) { return part }
    guard property.kind.accepts(.null), !property.isPrimaryKey else {
      throw SalvageLoss(.undecodable, "\(property.name): the value is of another type")
    }
    return .value(.null)
  }

  /// Returns the part of a value or an element.
  ///
  /// - Returns: nil when it is lost, which is counted.
  private mutating func part(
    of value: Value, _ property: StoredProperty, _ place: NestedCheck
  ) -> SalvagedObject.Part? {
    switch value {
    case .link(let classID, let id):
      return link(RowKey(classID: classID, objectID: id), property)
    case .nested(let kind, let slot) where property.kind.type == .mixed:
      guard let content = nested(kind, CollectionContent(slot), place) else { return nil }
      return .nested(content)
    default:
      if property.kind.accepts(value) { return .value(value) }
      // The object under a key of a dictionary was deleted.
      if value == .null, property.kind.collection == .dictionary, property.kind.type == .link {
        return .value(.null)
      }
      report.lostValueCount += 1
      return nil
    }
  }

  private mutating func link(
    _ target: RowKey, _ property: StoredProperty
  ) -> SalvagedObject.Part? {
    guard let schema = file.schema(ofClass: target.classID),
      property.kind.type == .mixed || target.classID == property.linkedClassID,
      let bytes = snapshot.find(schema.table, id: target.objectID)
    else {
      report.lostLinkCount += 1
      return nil
    }
    guard schema.record.isEmbedded else {
      return .value(.link(classID: target.classID, objectID: target.objectID))
    }
    guard property.kind.type == .link, embeddedDepth < EmbeddedTree.maximumDepth,
      ownedEmbedded.insert(target).inserted
    else {
      report.lostLinkCount += 1
      return nil
    }
    embeddedDepth += 1
    defer { embeddedDepth -= 1 }
    do throws(SalvageLoss) {
      return .embedded(try object(schema, target.objectID, bytes))
    } catch {
      note(error, schema, target.objectID, bytes)
      lostEmbedded.insert(target)
      report.lostLinkCount += 1
      return nil
    }
  }

  // MARK: Collections

  private mutating func collection(
    _ content: CollectionContent, _ place: NestedCheck
  ) -> SalvagedObject.Part {
    let property = place.property
    if property.kind.collection == .dictionary {
      let values = dictionary(content, property).values
      noteLostElements(content.count - values.count)
      var entries: [(key: String, part: SalvagedObject.Part)] = []
      for (key, value) in values {
        if let part = part(of: value, property, place) {
          entries.append((key, part))
        } else if property.kind.type == .link || property.kind.accepts(.null) {
          entries.append((key, .value(.null)))
        }
      }
      return .entries(entries)
    }
    let values: [Value]
    if property.kind.collection == .set {
      values = set(content, property)
      noteLostElements(content.count - values.count)
    } else {
      let found = list(content, property)
      values = found.values
      noteLostElements(of: found, expected: content.count)
    }
    var parts: [SalvagedObject.Part] = []
    parts.reserveCapacity(values.count)
    for value in values {
      if let part = part(of: value, property, place) { parts.append(part) }
    }
    return .elements(parts)
  }

  /// A collection with more elements than its content counts is as damaged as one with fewer.
  private mutating func noteLostElements(_ count: Int) {
    report.lostElementCount += Int(count.magnitude)
  }

  private mutating func noteLostElements(of list: ListContent, expected: Int) {
    let difference = Int((expected - list.values.count).magnitude)
    noteLostElements(max(list.unreadableCount, difference))
  }

  /// Counts the entries and nodes of collections that no object leads to: their keys are damaged.
  ///
  /// - Precondition: All objects were read, and nothing is lost.
  mutating func noteUnreached() {
    for table in [Table.lists, .dictionaries, .sets] {
      let count = snapshot.count(table) - (reachedCounts[table] ?? 0)
      if count > 0 { noteLostElements(count) }
    }
  }

  private mutating func set(_ content: CollectionContent, _ property: StoredProperty) -> [Value] {
    guard content.id != 0 else { return [] }
    var entries = CollectionEntries(content, .sets, in: snapshot)
    var values: [Value] = []
    while entries.isOnEntry {
      reachedCounts[.sets, default: 0] += 1
      // A damaged element, or one under another key, is missing in the count.
      if (try? entries.verifyChecksum()) != nil,
        let value = try? property.setElement(entries.element),
        CollectionEntryKey.isKey(
          entries.key, of: value, property.kind.type, in: content.id, fileKey)
      {
        values.append(value)
      }
      entries.advance()
    }
    return values
  }

  /// - Returns: The entries that can be read, and the number of all entries.
  private mutating func dictionary(
    _ content: CollectionContent, _ property: StoredProperty
  ) -> (values: [(key: String, value: Value)], count: Int) {
    if content.isInline { return (rowEntries(content, property), content.count) }
    guard content.id != 0 else { return ([], 0) }
    var entries = CollectionEntries(content, .dictionaries, in: snapshot)
    var values: [(key: String, value: Value)] = []
    var count = 0
    while entries.isOnEntry {
      count += 1
      if let entry = try? dictionaryEntry(entries, content.id, property) {
        values.append(entry)
      }
      entries.advance()
    }
    reachedCounts[.dictionaries, default: 0] += count
    return (values, count)
  }

  private func rowEntries(
    _ content: CollectionContent, _ property: StoredProperty
  ) -> [(key: String, value: Value)] {
    guard let entries = try? content.entries else { return [] }
    return (0..<entries.count).compactMap { index in
      guard let (key, bytes) = try? entries.entry(at: index),
        let text = try? UTF8Text.string(key), DictionaryRules.isAllowed(text),
        let element = try? ElementReader(validating: bytes), let stored = try? element.value(),
        let value = try? snapshot.resolve(stored, property: property)
      else { return nil }
      return (text, value)
    }
  }

  private func dictionaryEntry(
    _ entries: borrowing CollectionEntries, _ id: UInt64, _ property: StoredProperty
  ) throws -> (key: String, value: Value)? {
    try entries.verifyChecksum()
    let element = try ElementReader(validating: entries.element)
    let decoded = try CollectionEntryKey.decodeDictionaryKey(entries.key).key
    guard let text = DictionaryRules.key(decoded, element), DictionaryRules.isAllowed(text),
      CollectionEntryKey.isKey(entries.key, of: text, in: id, fileKey)
    else { return nil }
    return (
      text, try snapshot.resolve(try element.value(), property: property, isVerified: true)
    )
  }

  private mutating func list(
    _ content: CollectionContent, _ property: StoredProperty
  ) -> ListContent {
    var found = ListContent()
    if content.isInline {
      let leaf = content.bytes.flatMap {
        try? ListLeaf(
          elements: $0, count: content.count, format: ListElementFormat(property.kind))
      }
      guard let leaf else {
        found.unreadableCount += 1
        return found
      }
      append(leaf, property, &found)
      return found
    }
    guard content.id != 0 else { return found }
    let root = ListNodeKey(listID: content.id)
    // A list without elements has no nodes.
    if hasNodes(root) { walkList(root, property, depth: 1, &found) }
    return found
  }

  /// Whether a list has nodes, of which the root has the first key.
  private func hasNodes(_ root: ListNodeKey) -> Bool {
    var cursor = snapshot.cursor(.lists)
    guard root.withBytes({ cursor.seek(key: $0) }) else { return false }
    return (try? ListNodeKey(decoding: cursor.key))?.listID == root.listID
  }

  /// Collects the elements below a node of a list. Damaged nodes are left out and counted.
  private mutating func walkList(
    _ key: ListNodeKey, _ property: StoredProperty, depth: Int, _ content: inout ListContent
  ) {
    let bytes = key.withBytes { snapshot.find(.lists, key: $0) }
    guard let bytes, content.seen.insert(key.nodeID).inserted else {
      content.unreadableCount += 1
      return
    }
    reachedCounts[.lists, default: 0] += 1
    let isSound = (try? ListNode.verifyChecksum(bytes, key)) != nil
    if !isSound { content.unreadableCount += 1 }
    let format = ListElementFormat(property.kind)
    if let leaf = try? ListLeaf(validating: bytes, format: format) {
      guard isSound else { return }
      if depth == 1 { content.expectedCount = leaf.count }
      append(leaf, property, &content)
    } else if depth <= ListEditor.maximumLevels, let inner = try? ListInner(validating: bytes) {
      guard isSound else { return }
      if depth == 1 { content.expectedCount = inner.totalCount }
      for index in 0..<inner.count {
        let child = ListNodeKey(listID: key.listID, nodeID: inner.child(at: index).nodeID)
        walkList(child, property, depth: depth + 1, &content)
      }
    } else if isSound {
      content.unreadableCount += 1
    }
  }

  private func append(
    _ leaf: ListLeaf, _ property: StoredProperty, _ content: inout ListContent
  ) {
    for index in 0..<leaf.count {
      if let value = try? element(leaf, index, property) { content.values.append(value) }
    }
  }

  private func element(
    _ leaf: ListLeaf, _ index: Int, _ property: StoredProperty
  ) throws -> Value {
    if leaf.format.isPacked, leaf.isNull(at: index) { return .null }
    let stored = try property.storedElement(try leaf.bytes(at: index))
    return try snapshot.resolve(stored, property: property, isVerified: true)
  }

  // MARK: Nested collections

  private mutating func nested(
    _ kind: CollectionKind, _ collection: CollectionContent, _ place: NestedCheck
  ) -> NestedContent? {
    let property = place.property.nested(kind)
    guard place.depth < NestedContent.maximumDepth, claim(collection, property, place) else {
      report.lostValueCount += 1
      return nil
    }
    var inner = place
    inner.parentID = collection.id
    inner.depth += 1
    if kind == .dictionary {
      let (values, count) = dictionary(collection, property)
      noteLostElements(count - values.count)
      var entries: [(key: String, value: NestedContent)] = []
      for (key, value) in values { entries.append((key, content(of: value, property, inner))) }
      return .dictionary(entries)
    }
    let found = list(collection, property)
    // Only the root of the list counts the elements. A damaged one is itself counted.
    noteLostElements(of: found, expected: found.expectedCount ?? found.values.count)
    var contents: [NestedContent] = []
    for value in found.values { contents.append(content(of: value, property, inner)) }
    return .list(contents)
  }

  /// Whether a nested collection belongs to a value, and to no other one.
  ///
  /// Pages of different versions may contain two values with one id. A record may be absent if
  /// pages are missing.
  private mutating func claim(
    _ content: CollectionContent, _ property: StoredProperty, _ place: NestedCheck
  ) -> Bool {
    let expected = CollectionRecord(
      kind: property.kind, ownerClassID: place.owner.classID,
      ownerObjectID: place.owner.objectID, ownerPropertyID: property.id,
      parentID: place.parentID)
    let record = try? snapshot.collectionRecord(content.id)
    guard content.id != 0, record == expected || record == nil && report.lacksPages else {
      return false
    }
    return nestedIDs.insert(content.id).inserted
  }

  private mutating func content(
    of value: Value, _ property: StoredProperty, _ place: NestedCheck
  ) -> NestedContent {
    switch part(of: value, property, place) {
    case .value(let value): .value(value)
    case .nested(let content): content
    case .embedded, .elements, .entries, nil: .value(.null)
    }
  }

  // MARK: Lost objects

  /// Reports an object that cannot be rescued.
  mutating func note(
    _ loss: SalvageLoss, _ schema: ClassSchema, _ id: UInt64, _ bytes: UnsafeRawBufferPointer
  ) {
    let key = snapshot.keyText(schema, id, row: bytes)
    report.note(
      .init(className: schema.name, key: key, reason: loss.reason, detail: loss.detail))
  }
}

/// The elements of a list.
private struct ListContent {
  var values: [Value] = []
  /// The number of elements according to the root; nil if it is damaged.
  var expectedCount: Int?
  /// The number of nodes that are damaged, missing or used twice.
  var unreadableCount = 0
  var seen: Set<UInt64> = []
}

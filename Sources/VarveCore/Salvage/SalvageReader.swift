import VarveEncoding
import VarveStorage

/// Reads the objects of a file whose pages are sound and whose content is incomplete.
///
/// Thread safety: one thread at a time.
struct SalvageReader {
  let snapshot: Snapshot
  let file: FileSchema
  var report: SalvageReport
  /// The embedded objects that were read. Each has one owner.
  private(set) var embedded: Set<RowKey> = []
  private var embeddedDepth = 0

  init(_ snapshot: Snapshot, _ file: FileSchema, _ report: SalvageReport) {
    self.snapshot = snapshot
    self.file = file
    self.report = report
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
      throw SalvageLoss(.undecodable, error.description)
    }
    do throws(FormatError) {
      try row.verifyChecksum()
    } catch {
      throw SalvageLoss(.badChecksum, error.description)
    }
    var object = SalvagedObject(schema: schema, id: id)
    object.parts.reserveCapacity(schema.properties.count)
    for property in schema.properties {
      if property.kind.collection == .none {
        object.parts.append(try single(row, id, property))
      } else {
        let slot = row.layout.field(forProperty: property.id).map(row.collectionSlot)
        object.parts.append(collection(slot ?? .none, property))
      }
    }
    return object
  }

  private mutating func single(
    _ row: RowReader, _ id: UInt64, _ property: StoredProperty
  ) throws(SalvageLoss) -> SalvagedObject.Part {
    let value: Value
    do throws(Failure) {
      value = try snapshot.value(of: row, id, property)
    } catch {
      guard property.kind.accepts(.null), !property.isPrimaryKey else {
        throw SalvageLoss(.undecodable, "\(property.name): \(error.message)")
      }
      report.lostValueCount += 1
      return .value(.null)
    }
    if let part = part(of: value, property, depth: 0) { return part }
    guard property.kind.accepts(.null), !property.isPrimaryKey else {
      throw SalvageLoss(.undecodable, "\(property.name): the value is of another type")
    }
    return .value(.null)
  }

  /// Returns the part of a value or an element.
  ///
  /// - Returns: nil when it is lost, which is counted.
  private mutating func part(
    of value: Value, _ property: StoredProperty, depth: Int
  ) -> SalvagedObject.Part? {
    switch value {
    case .link(let classID, let id):
      return link(RowKey(classID: classID, objectID: id), property)
    case .nested(let kind, let slot) where property.kind.type == .mixed:
      guard let content = nested(kind, slot, property, depth: depth) else { return nil }
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
      embedded.insert(target).inserted
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
      report.lostLinkCount += 1
      return nil
    }
  }

  // MARK: Collections

  private mutating func collection(
    _ slot: CollectionSlot, _ property: StoredProperty
  ) -> SalvagedObject.Part {
    if property.kind.collection == .dictionary {
      let values = dictionary(slot, property)
      noteLostElements(Int(slot.count) - values.count)
      var entries: [(key: String, part: SalvagedObject.Part)] = []
      for (key, value) in values {
        if let part = part(of: value, property, depth: 0) {
          entries.append((key, part))
        } else if property.kind.type == .link || property.kind.accepts(.null) {
          entries.append((key, .value(.null)))
        }
      }
      return .entries(entries)
    }
    let values = property.kind.collection == .set ? set(slot, property) : list(slot, property)
    noteLostElements(Int(slot.count) - values.count)
    var parts: [SalvagedObject.Part] = []
    parts.reserveCapacity(values.count)
    for value in values {
      if let part = part(of: value, property, depth: 0) { parts.append(part) }
    }
    return .elements(parts)
  }

  /// A collection with more elements than its slot counts is as damaged as one with fewer.
  private mutating func noteLostElements(_ count: Int) {
    report.lostElementCount += Int(count.magnitude)
  }

  private mutating func set(_ slot: CollectionSlot, _ property: StoredProperty) -> [Value] {
    guard slot.id != 0 else { return [] }
    var entries = CollectionEntries(slot, .sets, in: snapshot)
    var values: [Value] = []
    while entries.isOnEntry {
      // An element that cannot be decoded is missing in the count.
      if let value = try? property.setElement(entries.value) { values.append(value) }
      entries.advance()
    }
    return values
  }

  private mutating func dictionary(
    _ slot: CollectionSlot, _ property: StoredProperty
  ) -> [(key: String, value: Value)] {
    guard slot.id != 0 else { return [] }
    var entries = CollectionEntries(slot, .dictionaries, in: snapshot)
    var values: [(key: String, value: Value)] = []
    while entries.isOnEntry {
      if let entry = try? dictionaryEntry(entries.key, entries.value, property) {
        values.append(entry)
      }
      entries.advance()
    }
    return values
  }

  private func dictionaryEntry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ property: StoredProperty
  ) throws -> (key: String, value: Value)? {
    let element = try ElementReader(validating: value)
    let decoded = try CollectionEntryKey.decodeDictionaryKey(key).key
    let text = element.wholeKey.map { String(decoding: $0, as: UTF8.self) } ?? decoded
    guard let text, DictionaryRules.isAllowed(text) else { return nil }
    return (text, try snapshot.resolve(try element.value(), property: property))
  }

  private mutating func list(_ slot: CollectionSlot, _ property: StoredProperty) -> [Value] {
    guard slot.id != 0 else { return [] }
    var values: [Value] = []
    var seen: Set<UInt64> = []
    walkList(slot.id, ListNodeKey.root, property, depth: 1, &seen, &values)
    return values
  }

  /// Collects the elements below a node of a list. Damaged nodes are left out.
  private mutating func walkList(
    _ listID: UInt64, _ nodeID: UInt64, _ property: StoredProperty, depth: Int,
    _ seen: inout Set<UInt64>, _ values: inout [Value]
  ) {
    let bytes = ListNodeKey(listID: listID, nodeID: nodeID).withBytes {
      snapshot.find(.lists, key: $0)
    }
    guard let bytes, seen.insert(nodeID).inserted, (try? ListNode.verifyChecksum(bytes)) != nil
    else { return }
    if (try? ListNode.kind(of: bytes)) == .leaf {
      let format = ListElementFormat(property.kind)
      guard let leaf = try? ListLeaf(validating: bytes, format: format) else { return }
      for index in 0..<leaf.count {
        if let value = try? element(leaf, index, property) { values.append(value) }
      }
    } else if depth <= ListEditor.maximumLevels, let inner = try? ListInner(validating: bytes) {
      for index in 0..<inner.count {
        walkList(
          listID, inner.child(at: index).nodeID, property, depth: depth + 1, &seen, &values)
      }
    }
  }

  private func element(
    _ leaf: ListLeaf, _ index: Int, _ property: StoredProperty
  ) throws -> Value {
    if leaf.format.isPacked, leaf.isNull(at: index) { return .null }
    let stored = try property.storedElement(try leaf.bytes(at: index))
    return try snapshot.resolve(stored, property: property)
  }

  // MARK: Nested collections

  private mutating func nested(
    _ kind: CollectionKind, _ slot: CollectionSlot, _ outer: StoredProperty, depth: Int
  ) -> NestedContent? {
    guard depth < NestedContent.maximumDepth else {
      report.lostValueCount += 1
      return nil
    }
    let property = outer.nested(kind)
    if kind == .dictionary {
      var entries: [(key: String, value: NestedContent)] = []
      for (key, value) in dictionary(slot, property) {
        entries.append((key, content(of: value, property, depth: depth + 1)))
      }
      return .dictionary(entries)
    }
    let values = list(slot, property)
    // Only the root of the list counts the elements.
    if slot.id != 0 {
      noteLostElements(nestedCount(slot.id, ListElementFormat(property.kind)) - values.count)
    }
    var contents: [NestedContent] = []
    for value in values { contents.append(content(of: value, property, depth: depth + 1)) }
    return .list(contents)
  }

  /// The number of elements that the root node of a list counts.
  private func nestedCount(_ listID: UInt64, _ format: ListElementFormat) -> Int {
    let bytes = ListNodeKey(listID: listID, nodeID: ListNodeKey.root).withBytes {
      snapshot.find(.lists, key: $0)
    }
    guard let bytes else { return 0 }
    if let inner = try? ListInner(validating: bytes) {
      return (0..<inner.count).reduce(0) { $0 + Int(inner.child(at: $1).count) }
    }
    return (try? ListLeaf(validating: bytes, format: format))?.count ?? 0
  }

  private mutating func content(
    of value: Value, _ property: StoredProperty, depth: Int
  ) -> NestedContent {
    switch part(of: value, property, depth: depth) {
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
    var key = "number \(id)"
    if schema.hasIntegerPrimaryKey {
      key = "\(ObjectKey.integer(forObjectID: id))"
    } else if let property = schema.primaryKey, let row = try? schema.reader(for: bytes),
      (try? row.verifyExtents()) != nil, let value = try? snapshot.value(of: row, id, property)
    {
      key = value.text
    }
    report.note(
      .init(className: schema.name, key: key, reason: loss.reason, detail: loss.detail))
  }
}

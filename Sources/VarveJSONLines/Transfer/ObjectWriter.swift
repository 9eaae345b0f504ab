import VarveCore
import VarveEncoding
import VarveStorage

extension StoreExport {
  /// Writes the primary key of an object, or its id if the class has no key.
  mutating func writeIdentity(
    _ id: UInt64, _ row: RowReader, of schema: ClassSchema
  ) throws(Failure) {
    guard let key = schema.primaryKey else {
      writer.member("id")
      writer.raw(String(id))
      return
    }
    writer.member("key")
    JSONScalar.write(try snapshot.value(of: row, id, key, isVerified: true), to: &writer)
  }

  /// Writes the properties of an object other than its primary key.
  mutating func writeValues(_ id: UInt64, _ row: RowReader, of schema: ClassSchema) throws {
    try checkDepth(className: schema.name)
    writer.beginObject()
    for property in schema.properties where !property.isPrimaryKey {
      writer.member(property.name)
      do {
        try write(property, id, row)
      } catch var failure as Failure
        where failure.propertyName == property.name && failure.className == nil
      {
        failure.className = schema.name
        throw failure
      }
    }
    writer.endObject()
  }

  private mutating func write(_ property: StoredProperty, _ id: UInt64, _ row: RowReader) throws {
    if property.kind.collection == .none {
      try write(try snapshot.value(of: row, id, property, isVerified: true), property)
    } else {
      let field = row.layout.field(forProperty: property.id)
      try write(field.map(row.collectionContent) ?? .none, property)
    }
  }

  // MARK: Collections

  private mutating func write(_ content: CollectionContent, _ property: StoredProperty) throws {
    switch property.kind.collection {
    case .list:
      let list = ListDirectory(
        content, snapshot: snapshot, format: ListElementFormat(property.kind))
      guard list.count == content.count else { throw Self.damagedList(property) }
      try checkNodes(of: content, property)
      try write(list, property)
    case .set:
      try writeSet(content, property)
    case .dictionary:
      try writeDictionary(content, property, count: content.count)
    case .none: break
    }
  }

  private mutating func writeSet(_ content: CollectionContent, _ property: StoredProperty) throws {
    writer.beginArray()
    let walk = SetWalk(content, property, in: snapshot, isVerified: true)
    var count = 0
    var last: SetElementKey?
    while let element = try walk.next() {
      let key = SetElementKey(element, property.kind.type)
      if let last, key <= last {
        throw Self.damaged("The elements of a set are out of order.", property)
      }
      last = key
      count += 1
      try writeElement(element, property)
    }
    guard count == content.count else {
      throw Self.damaged("The elements of a set differ from their count.", property)
    }
    writer.endArray()
  }

  /// - Parameter count: The number of entries in the row; nil for a nested dictionary, whose number
  ///   of entries is not stored.
  private mutating func writeDictionary(
    _ content: CollectionContent, _ property: StoredProperty, count: Int?
  ) throws {
    let entries = try snapshot.dictionaryEntries(content, property, isVerified: true)
    guard count == nil || entries.count == count else {
      throw Self.damaged("The entries of a dictionary differ from their count.", property)
    }
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    guard isInOrder else {
      throw Self.damaged("The entries of a dictionary are out of order.", property)
    }
    writer.beginObject()
    for (key, value) in entries {
      writer.member(key)
      try write(value, property)
      try writer.flushBlock()
    }
    writer.endObject()
  }

  private mutating func write(_ list: ListDirectory, _ property: StoredProperty) throws {
    writer.beginArray()
    var walk = list.makeIterator()
    while walk.advance() {
      guard !walk.isDamaged else { throw Self.damagedList(property) }
      if list.format.storesBits {
        try writeElement(property.elementValue(bits: walk.bits), property)
      } else {
        try writeElement(try element(walk.bytes, property), property)
      }
    }
    writer.endArray()
  }

  /// Writes a collection in a mixed value.
  private mutating func writeNested(
    _ kind: CollectionKind, _ content: CollectionContent, _ property: StoredProperty
  ) throws {
    try checkDepth(propertyName: property.name)
    let nested = property.nested(kind)
    guard kind == .list else { return try writeDictionary(content, nested, count: nil) }
    try checkNodes(of: content, nested)
    try write(
      ListDirectory(
        content, isNested: true, snapshot: snapshot, format: ListElementFormat(nested.kind)),
      nested)
  }

  /// Checks the checksums of a list, which reads do not. A list in a row has that of the row.
  private func checkNodes(
    of content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) {
    guard content.id != 0 else { return }
    let format = ListElementFormat(property.kind)
    let check = ListTreeCheck.run(content, format: format, in: snapshot)
    if check.problems.contains(where: \.kind.isDamage) { throw Self.damagedList(property) }
  }

  /// Enforces the depth that an import accepts. In a damaged file, collections may refer back to
  /// themselves.
  private func checkDepth(className: String? = nil, propertyName: String? = nil) throws(Failure) {
    guard writer.depth >= JSONReader.maximumDepth else { return }
    throw Failure(
      .invalidInput, "Values are nested too deeply to be written.", className: className,
      propertyName: propertyName, value: "\(writer.depth) levels")
  }

  private func element(
    _ bytes: UnsafeRawBufferPointer?, _ property: StoredProperty
  ) throws(Failure) -> Value {
    guard let bytes else { return .null }
    let stored: StoredValue
    do throws(FormatError) {
      stored = try property.storedElement(bytes)
    } catch {
      throw Failure(error, message: "A list is damaged.", propertyName: property.name)
    }
    return try snapshot.resolve(stored, property: property, isVerified: true)
  }

  private static func damagedList(_ property: StoredProperty) -> Failure {
    damaged("A list is damaged.", property)
  }

  private static func damaged(_ message: String, _ property: StoredProperty) -> Failure {
    Failure(.corrupted, message, propertyName: property.name)
  }

  private mutating func writeElement(_ value: Value, _ property: StoredProperty) throws {
    writer.element()
    try write(value, property)
    try writer.flushBlock()
  }

  // MARK: Single values

  /// Writes a value or an element of a property.
  private mutating func write(_ value: Value, _ property: StoredProperty) throws {
    if case .link(let classID, let id) = value, property.kind.type == .link {
      return try writeLink(to: id, ofClass: classID)
    }
    guard property.kind.type == .mixed, let tag = value.jsonTag else {
      return JSONScalar.write(value, to: &writer)
    }
    writer.beginObject()
    writer.member(tag)
    switch value {
    case .link(let classID, let id): try writeLink(to: id, ofClass: classID)
    case .nested(let kind, let slot):
      try writeNested(kind, CollectionContent(slot), property)
    default: JSONScalar.write(value, to: &writer)
    }
    writer.endObject()
  }

  /// Writes the class and the key of a linked object, or all values of an embedded object.
  private mutating func writeLink(to id: UInt64, ofClass classID: UInt32) throws {
    guard let schema = file.schema(ofClass: classID), let row = try snapshot.row(schema, id) else {
      throw Failure(
        .corrupted, "A link refers to a missing object.", value: "object \(id) of class \(classID)")
    }
    if schema.record.isEmbedded {
      do throws(FormatError) {
        try row.verifyChecksum(classID: schema.id, objectID: id)
      } catch {
        throw Failure(error, message: "A row is damaged.", className: schema.name)
      }
      guard embeddedDepth < EmbeddedTree.maximumDepth else {
        throw EmbeddedTree.tooDeep(schema.name)
      }
      embeddedDepth += 1
      defer { embeddedDepth -= 1 }
      return try writeValues(id, row, of: schema)
    }
    writer.beginObject()
    writer.member("class")
    writer.string(schema.name)
    try writeIdentity(id, row, of: schema)
    writer.endObject()
  }
}

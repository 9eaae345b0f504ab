package import VarveCore
package import VarveEncoding
package import VarveStorage

/// Writes the objects of one version as JSON, exact to the bit. The format is described in
/// `Docs/JSON-Lines.md`.
///
/// Checksums are verified. Memory does not grow with the length of a list or a set; a dictionary is
/// read whole.
///
/// Thread safety: none; each export creates its own.
package struct ObjectWriter {
  package let snapshot: Snapshot
  package let file: FileSchema
  /// The text.
  package var json: JSONWriter
  /// Whether a default that no program has made yet is written as its mark; otherwise as null.
  private let writesMarks: Bool
  /// The number of embedded objects that enclose the value being written.
  private var embeddedDepth = 0

  package init(
    _ snapshot: Snapshot, _ file: FileSchema, writesMarks: Bool, _ json: JSONWriter
  ) {
    self.writesMarks = writesMarks
    self.snapshot = snapshot
    self.file = file
    self.json = json
  }

  /// Writes the primary key of an object, or its id if the class has no key, as a member.
  mutating func writeIdentity(
    _ id: UInt64, _ row: RowReader, of schema: ClassSchema
  ) throws(Failure) {
    guard let key = schema.primaryKey else {
      json.member("id")
      json.raw(String(id))
      return
    }
    json.member("key")
    JSONScalar.write(try snapshot.value(of: row, id, key, isVerified: true), to: &json)
  }

  /// Writes the properties of an object other than its primary key, as an object.
  mutating func writeValues(_ id: UInt64, _ row: RowReader, of schema: ClassSchema) throws {
    try checkDepth(className: schema.name)
    json.beginObject()
    for property in schema.properties where !property.isPrimaryKey {
      json.member(property.name)
      do {
        try write(property, id, row)
      } catch var failure as Failure
        where failure.propertyName == property.name && failure.className == nil
      {
        failure.className = schema.name
        throw failure
      }
    }
    json.endObject()
  }

  /// Writes the value of a property.
  ///
  /// - Throws: `.corrupted`; `.invalidInput` for values that are nested too deeply; any error of the
  ///   writer.
  package mutating func write(
    _ property: StoredProperty, _ id: UInt64, _ row: RowReader
  ) throws {
    if property.kind.collection == .none {
      let value = try snapshot.value(of: row, id, property, isVerified: true)
      try write(!writesMarks && property.lacksDefault(value) ? .null : value, property)
    } else {
      let field = row.layout.field(forProperty: property.id)
      try write(field.map(row.collectionContent) ?? .none, property)
    }
  }

  // MARK: Collections

  /// Writes the content of a collection property. See ``write(_:_:_:)``.
  package mutating func write(_ content: CollectionContent, _ property: StoredProperty) throws {
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
    json.beginArray()
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
    json.endArray()
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
    json.beginObject()
    for (key, value) in entries {
      json.member(key)
      try write(value, property)
      try json.flushBlock()
    }
    json.endObject()
  }

  private mutating func write(_ list: ListDirectory, _ property: StoredProperty) throws {
    json.beginArray()
    var walk = list.makeIterator()
    while walk.advance() {
      guard !walk.isDamaged else { throw Self.damagedList(property) }
      if list.format.storesBits {
        try writeElement(property.elementValue(bits: walk.bits), property)
      } else {
        try writeElement(try element(walk.bytes, property), property)
      }
    }
    json.endArray()
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
    guard json.depth >= JSONReader.maximumDepth else { return }
    throw Failure(
      .invalidInput, "Values are nested too deeply to be written.", className: className,
      propertyName: propertyName, value: "\(json.depth) levels")
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
    json.element()
    try write(value, property)
    try json.flushBlock()
  }

  // MARK: Single values

  /// Writes a value or an element of a property. See ``write(_:_:_:)``.
  package mutating func write(_ value: Value, _ property: StoredProperty) throws {
    if case .link(let classID, let id) = value, property.kind.type == .link {
      return try writeLink(to: id, ofClass: classID)
    }
    guard property.kind.type == .mixed, let tag = value.jsonTag else {
      return JSONScalar.write(value, to: &json)
    }
    json.beginObject()
    json.member(tag)
    switch value {
    case .link(let classID, let id): try writeLink(to: id, ofClass: classID)
    case .nested(let kind, let slot):
      try writeNested(kind, CollectionContent(slot), property)
    default: JSONScalar.write(value, to: &json)
    }
    json.endObject()
  }

  /// Writes the class and the key of a linked object, or all values of an embedded object.
  private mutating func writeLink(to id: UInt64, ofClass classID: UInt32) throws {
    guard let schema = file.schema(ofClass: classID),
      let row = try snapshot.verifiedRow(schema, id)
    else {
      throw Failure(
        .corrupted, "A link refers to a missing object.", value: "object \(id) of class \(classID)")
    }
    if schema.record.isEmbedded {
      guard embeddedDepth < EmbeddedTree.maximumDepth else {
        throw EmbeddedTree.tooDeep(schema.name)
      }
      embeddedDepth += 1
      defer { embeddedDepth -= 1 }
      return try writeValues(id, row, of: schema)
    }
    json.beginObject()
    json.member("class")
    json.string(schema.name)
    try writeIdentity(id, row, of: schema)
    json.endObject()
  }
}

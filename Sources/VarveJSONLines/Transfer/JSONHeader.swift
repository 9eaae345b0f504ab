package import VarveCore
import VarveEncoding

/// The first line of JSON Lines: the format, and the schema.
enum JSONHeader {
  static let format = "varve"
  static let version = 1
}

extension JSONWriter {
  /// Writes the header of an export.
  ///
  /// - Parameters:
  ///   - counts: The number of exported objects of each class, by class id.
  ///   - lastKeys: The greatest generated primary keys that the exported objects do not show, by
  ///     class id.
  mutating func writeHeader(
    _ file: FileSchema, _ counts: [UInt32: Int], _ lastKeys: [UInt32: Int64]
  ) {
    beginObject()
    member("format")
    string(JSONHeader.format)
    member("version")
    raw(String(JSONHeader.version))
    writeSchema(file) { schema, json in
      if !schema.record.isEmbedded {
        json.member("objects")
        json.raw(String(counts[schema.id] ?? 0))
      }
      if let key = lastKeys[schema.id] {
        json.member("lastKey")
        json.raw(String(key))
      }
    }
    endObject()
    endLine()
  }

  /// Writes the schema version and the classes of a store, as members.
  ///
  /// - Parameter more: A closure that adds members to those of a class.
  package mutating func writeSchema(
    _ file: FileSchema, adding more: (ClassSchema, inout JSONWriter) -> Void = { _, _ in }
  ) {
    member("schemaVersion")
    raw(String(file.version))
    member("classes")
    beginArray()
    for schema in file.classesByName {
      element()
      beginObject()
      member("name")
      string(schema.name)
      if schema.record.isEmbedded {
        member("embedded")
        raw("true")
      }
      more(schema, &self)
      writeMembers(of: schema, file)
      endObject()
    }
    endArray()
  }

  private mutating func writeMembers(of schema: ClassSchema, _ file: FileSchema) {
    member("properties")
    beginArray()
    for property in schema.properties {
      element()
      write(property, file)
    }
    endArray()
    guard !schema.indexes.isEmpty else { return }
    member("indexes")
    beginArray()
    for index in schema.indexes {
      element()
      write(index.description)
    }
    endArray()
  }

  private mutating func write(_ index: IndexDescription) {
    beginObject()
    member("kind")
    string(index.kind.jsonName)
    member("properties")
    beginArray()
    for name in index.propertyNames {
      element()
      string(name)
    }
    endArray()
    endObject()
  }

  private mutating func write(_ property: StoredProperty, _ file: FileSchema) {
    beginObject()
    member("name")
    string(property.name)
    member("type")
    string(property.kind.type.jsonName)
    if let target = property.targetClassID.flatMap(file.schema(ofClass:)) {
      member("class")
      string(target.name)
    }
    if property.kind.collection != .none {
      member("collection")
      string(property.kind.collection.jsonName)
    }
    for (name, isSet) in [
      ("optional", property.kind.isNullable), ("primaryKey", property.isPrimaryKey),
      ("autoIncrement", property.isAutoIncremented),
      ("indexed", property.indexID != 0 && !property.isPrimaryKey),
    ] where isSet {
      member(name)
      raw("true")
    }
    if let constant = property.addedConstant, !constant.isZero(of: property.kind) {
      member("default")
      if property.kind.type == .mixed {
        JSONScalar.writeMixed(constant, to: &self)
      } else {
        JSONScalar.write(constant, to: &self)
      }
    }
    endObject()
  }
}

extension Value {
  /// Whether the value is the default of properties of a kind, compared by bits.
  fileprivate func isZero(of kind: PropertyKind) -> Bool {
    let zero: Value = kind.isNullable ? .null : kind.type.zeroValue
    return switch self {
    case .float(let value): zero == self && value.sign == .plus
    case .double(let value): zero == self && value.sign == .plus
    default: zero == self
    }
  }
}

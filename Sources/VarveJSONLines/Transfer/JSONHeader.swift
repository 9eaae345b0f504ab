import VarveCore
import VarveEncoding
import VarveStorage

/// The first line of JSON Lines: the format, and the schema.
enum JSONHeader {
  static let format = "varve"
  static let version = 1
}

extension StoreExport {
  /// - Parameter counts: The number of exported objects of each class, by class id.
  mutating func writeHeader(_ counts: [UInt32: Int]) {
    writer.beginObject()
    writer.member("format")
    writer.string(JSONHeader.format)
    writer.member("version")
    writer.raw(String(JSONHeader.version))
    writer.member("schemaVersion")
    writer.raw(String(snapshot.root.userSchemaVersion))
    writer.member("classes")
    writer.beginArray()
    for schema in file.classesByName {
      writer.element()
      write(schema, count: counts[schema.id] ?? 0)
    }
    writer.endArray()
    writer.endObject()
    writer.endLine()
  }

  private mutating func write(_ schema: ClassSchema, count: Int) {
    writer.beginObject()
    writer.member("name")
    writer.string(schema.name)
    if schema.record.isEmbedded {
      writer.member("embedded")
      writer.raw("true")
    } else {
      writer.member("objects")
      writer.raw(String(count))
    }
    if let key = lastKeys[schema.id] {
      writer.member("lastKey")
      writer.raw(String(key))
    }
    writer.member("properties")
    writer.beginArray()
    for property in schema.properties {
      writer.element()
      write(property)
    }
    writer.endArray()
    if !schema.indexes.isEmpty {
      writer.member("indexes")
      writer.beginArray()
      for index in schema.indexes {
        writer.element()
        write(index.description)
      }
      writer.endArray()
    }
    writer.endObject()
  }

  private mutating func write(_ index: IndexDescription) {
    writer.beginObject()
    writer.member("kind")
    writer.string(index.kind.jsonName)
    writer.member("properties")
    writer.beginArray()
    for name in index.propertyNames {
      writer.element()
      writer.string(name)
    }
    writer.endArray()
    writer.endObject()
  }

  private mutating func write(_ property: StoredProperty) {
    writer.beginObject()
    writer.member("name")
    writer.string(property.name)
    writer.member("type")
    writer.string(property.kind.type.jsonName)
    if let target = property.targetClassID.flatMap(file.schema(ofClass:)) {
      writer.member("class")
      writer.string(target.name)
    }
    if property.kind.collection != .none {
      writer.member("collection")
      writer.string(property.kind.collection.jsonName)
    }
    for (name, isSet) in [
      ("optional", property.kind.isNullable), ("primaryKey", property.isPrimaryKey),
      ("autoIncrement", property.isAutoIncremented),
      ("indexed", property.indexID != 0 && !property.isPrimaryKey),
    ] where isSet {
      writer.member(name)
      writer.raw("true")
    }
    if let constant = property.addedConstant, !constant.isZero(of: property.kind) {
      writer.member("default")
      JSONScalar.write(constant, to: &writer)
    }
    writer.endObject()
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

package import VarveEncoding

/// The parts of a class that the schema hash covers.
package struct HashedClass {
  var name: String
  var isEmbedded: Bool
  var properties: [PropertyDescription]
  var indexes: [IndexDescription]
}

extension SchemaHash {
  /// The key of the hash. It never changes, since hashes are stored in files. Spells "varve schema
  /// 1".
  private static let key = FileKey(low: 0x6373_2065_7672_6176, high: 0x3120_2020_616d_6568)

  /// Creates the hash of a model.
  package init(of classes: [HashedClass]) {
    var buffer = ByteBuffer()
    buffer.append(UInt32(truncatingIfNeeded: classes.count))
    for hashed in classes.sorted(by: { Self.precedes($0.name, $1.name) }) {
      Self.append(hashed, to: &buffer)
    }
    self.init(value: buffer.withUnsafeBytes { SipHasher128.hash($0, key: Self.key) })
  }

  private static func append(_ hashed: HashedClass, to buffer: inout ByteBuffer) {
    append(hashed.name, to: &buffer)
    buffer.append(hashed.isEmbedded ? 1 : 0 as UInt8)
    buffer.append(UInt32(truncatingIfNeeded: hashed.properties.count))
    for property in hashed.properties.sorted(by: { precedes($0.name, $1.name) }) {
      append(property.name, to: &buffer)
      buffer.append(property.kind.type.rawValue)
      buffer.append(property.kind.collection.rawValue)
      buffer.append(property.kind.isNullable ? 1 : 0 as UInt8)
      append(property.targetClassName, to: &buffer)
      append(property.originPropertyName, to: &buffer)
      buffer.append(property.isAutoIncremented ? 2 : property.isPrimaryKey ? 1 : 0 as UInt8)
      let hasExpression = property.defaultExpression != nil && !property.isPrimaryKey
      buffer.append((property.isIndexed ? 1 : 0) | (hasExpression ? 2 : 0) as UInt8)
    }
    append(hashed.indexes, to: &buffer)
  }

  /// Appends nothing for a class without indexes of its own, because hashes of such classes are
  /// stored in files.
  private static func append(_ indexes: [IndexDescription], to buffer: inout ByteBuffer) {
    let sorted = indexes.sorted { first, second in
      first.kind == second.kind
        ? first.propertyNames.lexicographicallyPrecedes(second.propertyNames, by: precedes)
        : first.kind.rawValue < second.kind.rawValue
    }
    for index in sorted {
      buffer.append(indexMark)
      buffer.append(index.kind.rawValue)
      buffer.append(UInt32(truncatingIfNeeded: index.propertyNames.count))
      for name in index.propertyNames { append(name, to: &buffer) }
    }
  }

  /// A byte that neither a class nor a property begins with.
  private static let indexMark: UInt8 = 2

  /// Appends a presence byte, then length and UTF-8 bytes.
  private static func append(_ string: String?, to buffer: inout ByteBuffer) {
    guard let string else { return buffer.append(0 as UInt8) }
    buffer.append(1 as UInt8)
    buffer.append(UInt32(truncatingIfNeeded: string.utf8.count))
    buffer.append(utf8: string)
  }

  /// Returns whether a string precedes another one by UTF-8 bytes. Swift's own order of strings may
  /// differ between versions of Unicode.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

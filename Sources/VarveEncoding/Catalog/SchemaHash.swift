/// A 128-bit hash of a model: equal for equal models, whatever the order of classes and properties.
///
/// Thread safety: an immutable value.
package struct SchemaHash: Hashable, Sendable {
  package let value: Hash128

  package init(value: Hash128) { self.value = value }

  /// What a model says of one class.
  package struct ClassDescription: Hashable, Sendable {
    package var name: String
    package var isEmbedded: Bool
    package var properties: [PropertyDescription]
    /// The class's own indexes.
    package var indexes: [IndexDescription]

    package init(
      name: String, isEmbedded: Bool = false, properties: [PropertyDescription],
      indexes: [IndexDescription] = []
    ) {
      self.name = name
      self.isEmbedded = isEmbedded
      self.properties = properties
      self.indexes = indexes
    }
  }

  /// What a model says of one property.
  package struct PropertyDescription: Hashable, Sendable {
    package var name: String
    package var kind: PropertyKind
    /// The class that links point to, or where linking objects come from.
    package var targetClass: String?
    /// Of linking objects: the property that links here.
    package var originProperty: String?
    package var isPrimaryKey: Bool
    package var isAutoIncremented: Bool
    package var isIndexed: Bool

    package init(
      name: String, kind: PropertyKind, targetClass: String? = nil, originProperty: String? = nil,
      isPrimaryKey: Bool = false, isAutoIncremented: Bool = false, isIndexed: Bool = false
    ) {
      self.name = name
      self.kind = kind
      self.targetClass = targetClass
      self.originProperty = originProperty
      self.isPrimaryKey = isPrimaryKey
      self.isAutoIncremented = isAutoIncremented
      self.isIndexed = isIndexed
    }
  }

  /// What a model says of an index of a class.
  package struct IndexDescription: Hashable, Sendable {
    package var kind: IndexKind
    package var propertyNames: [String]

    package init(kind: IndexKind, propertyNames: [String]) {
      self.kind = kind
      self.propertyNames = propertyNames
    }
  }

  /// Keys the hash: fixed for ever, since hashes stand in files. Spells "varve schema   1".
  private static let key = FileKey(low: 0x6373_2065_7672_6176, high: 0x3120_2020_616d_6568)

  /// The hash of a model.
  package init(of classes: [ClassDescription]) {
    var buffer = ByteBuffer()
    buffer.append(UInt32(truncatingIfNeeded: classes.count))
    for description in classes.sorted(by: { Self.precedes($0.name, $1.name) }) {
      Self.append(description, to: &buffer)
    }
    value = buffer.withUnsafeBytes { SipHasher128.hash($0, key: Self.key) }
  }

  private static func append(_ description: ClassDescription, to buffer: inout ByteBuffer) {
    append(description.name, to: &buffer)
    buffer.append(description.isEmbedded ? 1 : 0 as UInt8)
    buffer.append(UInt32(truncatingIfNeeded: description.properties.count))
    for property in description.properties.sorted(by: { precedes($0.name, $1.name) }) {
      append(property.name, to: &buffer)
      buffer.append(property.kind.type.rawValue)
      buffer.append(property.kind.collection.rawValue)
      buffer.append(property.kind.isNullable ? 1 : 0 as UInt8)
      append(property.targetClass, to: &buffer)
      append(property.originProperty, to: &buffer)
      buffer.append(property.isAutoIncremented ? 2 : property.isPrimaryKey ? 1 : 0 as UInt8)
      buffer.append(property.isIndexed ? 1 : 0 as UInt8)
    }
    append(description.indexes, to: &buffer)
  }

  /// Appends nothing for a class without indexes of its own: such hashes stand in files.
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

  /// What no class and no property begins with.
  private static let indexMark: UInt8 = 2

  /// Appends a presence byte, then length and UTF-8 bytes.
  private static func append(_ string: String?, to buffer: inout ByteBuffer) {
    guard let string else { return buffer.append(0 as UInt8) }
    buffer.append(1 as UInt8)
    buffer.append(UInt32(truncatingIfNeeded: string.utf8.count))
    buffer.append(utf8: string)
  }

  /// By UTF-8 bytes: Swift's own order of strings may differ between versions of Unicode.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

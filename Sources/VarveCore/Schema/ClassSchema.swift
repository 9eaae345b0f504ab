package import VarveEncoding
package import VarveStorage

/// One class as the file stores it, prepared for reading and writing rows.
///
/// Immutable: a change of the schema makes new ones. Rows, indexes, backlinks and cascades are
/// processed by this class, never by the program's model, since another process may have added
/// properties.
package final class ClassSchema: Sendable {
  package let record: StoredClass
  package let table: Table
  package let layouts: [UInt16: RowLayout]
  package let currentLayout: RowLayout
  package let primaryKey: StoredProperty?
  /// Whether objects that are stored without a primary key get the next key.
  package let generatesKeys: Bool
  /// The compound, unique and full-text indexes.
  package let indexes: [ClassIndex]
  /// Whether objects may lack the default of a property.
  let mayLackDefaults: Bool
  private let indexByID: [UInt32: Int]
  private let indexByName: [String: Int]

  package init(_ record: StoredClass) throws(Failure) {
    self.record = record
    table = Table.objects(ofClass: record.id)
    indexByID = Dictionary(
      record.properties.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    indexByName = Dictionary(
      record.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var layouts: [UInt16: RowLayout] = [:]
    for stored in record.layouts { layouts[stored.id] = RowLayout(stored) }
    guard let current = layouts[record.currentLayoutID] else {
      throw Failure(.corrupted, "The current layout of a class is missing.", className: record.name)
    }
    self.layouts = layouts
    currentLayout = current
    indexes = record.indexes.map { ClassIndex($0, of: record.properties) }
    primaryKey = record.primaryKeyPropertyID.flatMap { [indexByID] id in
      indexByID[id].map { record.properties[$0] }
    }
    generatesKeys = primaryKey?.isAutoIncremented ?? false
    mayLackDefaults = record.properties.contains(where: \.mayLackDefault)
  }

  package var id: UInt32 { record.id }
  package var name: String { record.name }
  package var properties: [StoredProperty] { record.properties }

  /// Whether the primary key is the object id itself.
  package var hasIntegerPrimaryKey: Bool { primaryKey?.kind.isIntegerKey ?? false }

  package func property(id: UInt32) -> StoredProperty? {
    indexByID[id].map { record.properties[$0] }
  }

  /// Whether a unique index contains a property.
  func hasUniqueIndex(on property: StoredProperty) -> Bool {
    indexes.contains { index in
      index.kind == .unique && index.properties.contains { $0.id == property.id }
    }
  }

  /// Returns the names of properties, skipping ids that the class does not have.
  package func names(ofProperties ids: [UInt32]) -> [String] {
    ids.compactMap { property(id: $0)?.name }
  }

  package func property(named name: String) -> StoredProperty? {
    indexByName[name].map { record.properties[$0] }
  }

  /// The property with a name.
  ///
  /// - Parameter position: The position where the property most likely is; any number. Most classes
  ///   of a file have the properties of the model in the same order.
  func property(named name: String, near position: Int) -> StoredProperty? {
    if record.properties.indices.contains(position), record.properties[position].name == name {
      return record.properties[position]
    }
    return property(named: name)
  }

  /// Returns a reader for the row in `bytes`, in any layout of the class.
  ///
  /// - Throws: A `FormatError` when the bytes are not a row of this class.
  package func reader(for bytes: UnsafeRawBufferPointer) throws(FormatError) -> RowReader {
    let layoutID = try RowHeader.layoutID(of: bytes)
    guard let layout = layouts[layoutID] else {
      throw FormatError(
        .wrongLayout, "a row has a layout that its class does not define", found: UInt64(layoutID))
    }
    return try RowReader(validating: bytes, layout: layout)
  }
}

extension StoredProperty {
  /// The class that a link points to; 0 for other properties.
  package var linkedClassID: UInt32 { targetClassID ?? 0 }

  /// The value that is read from rows of layouts without the property; null for collections.
  package var constant: Value {
    addedConstant ?? (kind.hasNullBit || kind.collection != .none ? .null : kind.type.zeroValue)
  }
}

extension StoredClass {
  /// Adds a layout of all properties and makes it the current one.
  ///
  /// - Throws: `.invalidSchema` when all layout numbers are used.
  package mutating func addLayout() throws(Failure) {
    let last = layouts.map(\.id).max() ?? 0
    guard last < .max else {
      throw Failure(
        .invalidSchema, "The class has changed too often; export the store and import it again.",
        className: name, value: "\(last) layouts")
    }
    let id = last + 1
    layouts.append(StoredLayout(id: id, properties: properties))
    currentLayoutID = id
  }
}

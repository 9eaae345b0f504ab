import VarveCore
import VarveEncoding
import VarveStorage

/// Reads the reported values of the objects of one class, in one version.
struct ReportedValues {
  let snapshot: Snapshot
  private let schema: ClassSchema
  private let file: FileSchema

  init(_ schema: ClassSchema, _ file: FileSchema, _ snapshot: Snapshot) {
    self.schema = schema
    self.file = file
    self.snapshot = snapshot
  }

  /// Returns the row of an object; nil when it does not exist.
  func row(_ id: UInt64) throws(Failure) -> RowReader? { try snapshot.row(schema, id) }

  /// Returns the value of a property.
  ///
  /// - Throws: `.corrupted`.
  func value(
    _ row: RowReader, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> ReportedValue {
    guard property.kind.collection == .none else {
      return .collection(CollectionSummary(count: row.content(of: property).count))
    }
    let value = try snapshot.value(of: row, id, property)
    guard case .link(let classID, let target) = value, let linked = file.schema(ofClass: classID)
    else { return .value(value) }
    var key: Value?
    if let property = linked.primaryKey { key = try snapshot.value(linked, target, property) }
    return .object(className: linked.name, primaryKey: key, objectID: target)
  }

  /// Returns all properties but the primary key, each as its old value or as its new one.
  func all(
    _ row: RowReader, _ id: UInt64, isOld: Bool
  ) throws(Failure) -> [ObjectReport.Property] {
    var properties: [ObjectReport.Property] = []
    for property in schema.properties where !property.isPrimaryKey {
      let value = try value(row, id, property)
      properties.append(
        .init(name: property.name, old: isOld ? value : nil, new: isOld ? nil : value))
    }
    return properties
  }
}

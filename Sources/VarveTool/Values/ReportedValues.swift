import VarveCore
import VarveEncoding
import VarveStorage

/// Reads values of objects for display, in one version or in a transaction.
struct ReportedValues {
  let reader: any TableReader
  private let file: FileSchema

  init(_ file: FileSchema, _ reader: any TableReader) {
    self.file = file
    self.reader = reader
  }

  /// Returns the value of a property.
  ///
  /// - Throws: `.corrupted`.
  func value(
    _ row: RowReader, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> ReportedValue {
    guard property.kind.collection == .none else {
      return .collection(CollectionSummary(count: row.content(of: property).count))
    }
    let value = try reader.comparedValue(of: row, id, property)
    guard case .link(let classID, let target) = value else { return .value(value) }
    return try link(classID, target)
  }

  /// Returns the value of a link.
  ///
  /// - Throws: `.corrupted`.
  func link(_ classID: UInt32, _ id: UInt64) throws(Failure) -> ReportedValue {
    guard let linked = file.schema(ofClass: classID) else {
      return .value(.link(classID: classID, objectID: id))
    }
    var key: Value?
    if let property = linked.primaryKey, let row = try reader.verifiedRow(linked, id) {
      key = try reader.value(of: row, id, property)
    }
    return .object(className: linked.name, primaryKey: key, objectID: id)
  }

  /// Returns all properties but the primary key, each as its old value or as its new one.
  func all(
    _ row: RowReader, _ id: UInt64, of schema: ClassSchema, isOld: Bool
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

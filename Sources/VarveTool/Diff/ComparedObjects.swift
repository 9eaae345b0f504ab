import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// The objects of one class in one of two compared files.
///
/// Thread safety: use it from one thread.
final class ComparedObjects {
  let schema: ClassSchema
  private let version: StoreVersion
  private let model: ClassDescription
  private let values: ReportedValues
  private var text: ValueText

  init(_ schema: ClassSchema, in version: StoreVersion) {
    self.schema = schema
    self.version = version
    model = version.schema.model(of: schema)
    values = ReportedValues(version.schema, version.snapshot)
    text = ValueText(version)
  }

  /// Calls `body` with the id of each object, in ascending order.
  func forEachID(_ body: (ComparedObjects, UInt64) throws -> Void) throws {
    var cursor = version.snapshot.cursor(schema.table)
    var isPresent = cursor.seekFirst()
    while isPresent {
      try body(self, cursor.id)
      isPresent = cursor.next()
    }
    // A cursor ends at a damaged page.
    if let damage = version.snapshot.environment.damageError { throw Failure(damage) }
  }

  /// Returns the id of the object here that corresponds to one of the other file: the object with the
  /// same primary key, or with the same id if the class has no primary key; nil when there is none.
  func counterpart(of id: UInt64, in other: ComparedObjects) throws(Failure) -> UInt64? {
    // The ids of objects with integer keys are their keys.
    guard let key = other.schema.primaryKey, !schema.hasIntegerPrimaryKey else {
      return try version.snapshot.row(schema, id) == nil ? nil : id
    }
    guard let value = try other.version.snapshot.value(other.schema, id, key) else { return nil }
    return try version.scope.objectID(value, of: schema, model)
  }

  /// Reports an object that is in this file only.
  func report(_ kind: ObjectReport.Kind, _ id: UInt64) throws(Failure) -> ObjectReport {
    var properties: [ObjectReport.Property] = []
    if let row = try version.snapshot.row(schema, id) {
      properties = try values.all(row, id, of: schema, isOld: kind == .deleted)
    }
    return try report(kind, id, properties)
  }

  /// Reports the properties of an object that differ from those of its counterpart in an older file.
  ///
  /// - Returns: Nil if none differs.
  func modification(
    of id: UInt64, from oldID: UInt64, in old: ComparedObjects
  ) throws -> ObjectReport? {
    guard let row = try version.snapshot.row(schema, id),
      let oldRow = try old.version.snapshot.row(old.schema, oldID)
    else { return nil }
    var properties: [ObjectReport.Property] = []
    for property in schema.properties where !property.isPrimaryKey {
      guard let oldProperty = old.schema.property(named: property.name) else { continue }
      let before = try old.json(oldProperty, oldRow, oldID)
      let after = try json(property, row, id)
      guard before != after else { continue }
      properties.append(
        .init(
          name: property.name,
          old: try old.reported(oldProperty, oldRow, oldID, before),
          new: try reported(property, row, id, after)))
    }
    return properties.isEmpty ? nil : try report(.modified, id, properties)
  }

  private func report(
    _ kind: ObjectReport.Kind, _ id: UInt64, _ properties: [ObjectReport.Property]
  ) throws(Failure) -> ObjectReport {
    let key = try schema.primaryKey.flatMap { (key) throws(Failure) in
      try version.snapshot.value(schema, id, key)
    }
    return ObjectReport(
      className: schema.name, kind: kind, objectID: id, primaryKey: key, properties: properties)
  }

  /// Returns a whole value as JSON.
  private func json(_ property: StoredProperty, _ row: RowReader, _ id: UInt64) throws -> String {
    try text.json(of: ObjectColumn(property).cell(row, id, version.snapshot))
  }

  /// Returns a value for display: whole collections and embedded objects, and links by their keys.
  private func reported(
    _ property: StoredProperty, _ row: RowReader, _ id: UInt64, _ json: String
  ) throws(Failure) -> ReportedValue {
    let isEmbedded =
      property.targetClassID.flatMap(version.schema.schema(ofClass:))?.record.isEmbedded == true
    let isWhole = property.kind.collection != .none || isEmbedded || property.kind.type == .mixed
    return isWhole ? .json(json) : try values.value(row, id, property)
  }
}

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
  private var text: ValueText

  init(_ schema: ClassSchema, in version: StoreVersion) {
    self.schema = schema
    self.version = version
    model = version.schema.model(of: schema)
    text = ValueText(version)
  }

  /// Calls `body` with the id of each object, in ascending order.
  func forEachID(_ body: (ComparedObjects, UInt64) throws -> Void) throws {
    var sequence = RowSequence(of: schema, count: count)
    var cursor = version.snapshot.cursor(schema.table)
    var isPresent = cursor.seekFirst()
    while isPresent {
      try sequence.note(cursor.id)
      try body(self, cursor.id)
      isPresent = cursor.next()
    }
    try version.requireUndamaged()
    try sequence.end()
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

  /// The number of objects.
  var count: Int { version.snapshot.count(schema.table) }

  /// Reports an object that is in this file only, with its whole values.
  func report(_ kind: ObjectReport.Kind, _ id: UInt64) throws -> ObjectReport {
    var properties: [ObjectReport.Property] = []
    let row = try version.snapshot.requireRow(schema, id)
    for property in schema.properties where !property.isPrimaryKey {
      let value = ReportedValue.json(try json(property, row, id))
      properties.append(
        .init(
          name: property.name, old: kind == .deleted ? value : nil,
          new: kind == .deleted ? nil : value))
    }
    return try report(kind, id, properties)
  }

  /// Reports the properties of an object that differ from those of its counterpart in an older file.
  ///
  /// - Returns: Nil if none differs.
  func modification(
    of id: UInt64, from oldID: UInt64, in old: ComparedObjects
  ) throws -> ObjectReport? {
    let row = try version.snapshot.requireRow(schema, id)
    let oldRow = try old.version.snapshot.requireRow(old.schema, oldID)
    var properties: [ObjectReport.Property] = []
    for property in schema.properties where !property.isPrimaryKey {
      guard let oldProperty = old.schema.property(named: property.name) else { continue }
      // Blobs of unrelated files may have equal references.
      if version.store.fileKey == old.version.store.fileKey,
        try row.hasBlob(of: property, sharedWith: oldRow, oldProperty)
      {
        continue
      }
      let before = try old.json(oldProperty, oldRow, oldID)
      let after = try json(property, row, id)
      // Equal strings may have different bytes.
      guard !before.utf8.elementsEqual(after.utf8) else { continue }
      properties.append(.init(name: property.name, old: .json(before), new: .json(after)))
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
}

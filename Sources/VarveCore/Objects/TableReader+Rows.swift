import Foundation
package import VarveEncoding
package import VarveStorage

extension TableReader {
  /// Returns the row of an object, or nil when it does not exist.
  ///
  /// - Throws: `.corrupted` when the bytes are not a row of the class.
  package func row(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> RowReader? {
    guard let bytes = find(schema.table, id: id) else { return nil }
    do throws(FormatError) {
      return try schema.reader(for: bytes)
    } catch {
      throw Failure(error, message: "A row is damaged.", className: schema.name)
    }
  }

  /// Returns the row of an object, whose checksum is verified; nil when it does not exist.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: One lookup, and O(bytes of the row).
  package func verifiedRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> RowReader? {
    guard let row = try row(schema, id) else { return nil }
    do throws(FormatError) {
      try row.verifyChecksum(classID: schema.id, objectID: id)
    } catch {
      throw Failure(error, message: "A row is damaged.", className: schema.name)
    }
    return row
  }

  /// Returns the row of an object that the version has, whose checksum is verified.
  ///
  /// - Throws: `.corrupted`, also if there is no such row.
  /// - Complexity: One lookup, and O(bytes of the row).
  package func requireRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> RowReader {
    if let row = try verifiedRow(schema, id) { return row }
    throw Failure(
      .corrupted, "A row is missing.", className: schema.name, value: "object \(id)")
  }

  /// Reads one property of a stored object, including blobs.
  ///
  /// - Returns: Nil when the object does not exist.
  package func value(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> Value? {
    guard let row = try row(schema, id) else { return nil }
    return try value(of: row, id, property)
  }

  /// Reads one property of a row that was already found.
  ///
  /// - Parameter isVerified: Whether the checksum of a blob is verified.
  package func value(
    of row: RowReader, _ id: UInt64, _ property: StoredProperty, isVerified: Bool = false
  ) throws(Failure) -> Value {
    if property.isPrimaryKey, property.kind.isIntegerKey {
      return .int(ObjectKey.integer(forObjectID: id))
    }
    guard let field = row.layout.field(forProperty: property.id) else {
      return property.constant
    }
    let stored: StoredValue
    do throws(FormatError) {
      stored = try row.value(field)
    } catch {
      throw Failure(error, message: "A row is damaged.", propertyName: property.name)
    }
    return try resolve(stored, property: property, isVerified: isVerified)
  }

  /// Reads one property of a row as conditions, orders and aggregates see it: null for a default
  /// that has not been made yet.
  package func comparedValue(
    of row: RowReader, _ id: UInt64, _ property: StoredProperty, isVerified: Bool = false
  ) throws(Failure) -> Value {
    let value = try value(of: row, id, property, isVerified: isVerified)
    return property.lacksDefault(value) ? .null : value
  }

  /// Reads one property of a stored object, like ``comparedValue(of:_:_:isVerified:)``.
  ///
  /// - Returns: Nil when the object does not exist.
  func comparedValue(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> Value? {
    guard let row = try row(schema, id) else { return nil }
    return try comparedValue(of: row, id, property)
  }

  /// Returns the value, read from its blob if necessary. A link gets the target class of its
  /// property; a link in a mixed value contains its class.
  ///
  /// - Parameter isVerified: Whether the checksum of the blob is verified.
  package func resolve(
    _ stored: StoredValue, property: StoredProperty, isVerified: Bool = false
  ) throws(Failure) -> Value {
    switch stored {
    case .value(.link(let classID, let id)):
      return .link(classID: property.targetClassID ?? classID, objectID: id)
    case .value(let value):
      return value
    case .blob(let reference, let type):
      if isVerified {
        let data = try verifiedBytes(of: reference, property)
        return type == .data ? .data(data) : .string(String(decoding: data, as: UTF8.self))
      }
      return type == .data
        ? .data(try bytes(of: reference)) : .string(try text(of: reference))
    }
  }

  /// Returns the content of a collection property, or nil when the object does not exist.
  package func collectionContent(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> CollectionContent? {
    guard let row = try row(schema, id) else { return nil }
    return row.content(of: property)
  }
}

import Foundation

/// Little-endian encoding of values with a fixed width: the slots of rows and the elements of
/// packed list nodes.
package enum FixedValue {
  /// Writes a value of a type with a fixed width.
  ///
  /// - Precondition: `type.fixedWidth` bytes can be written at `target`.
  /// - Returns: False, with nothing written, if the value has another type or does not fit.
  static func store(
    _ value: Value, as type: PropertyType, to target: UnsafeMutableRawPointer
  ) -> Bool {
    switch (type, value) {
    case (.bool, .bool(let value)): target.store(value ? 1 : 0 as UInt8, at: 0)
    case (_, .int(let value)) where type.isInteger:
      return store(value, as: type, to: target)
    case (.float, .float(let value)): target.store(value.bitPattern, at: 0)
    case (.double, .double(let value)): target.store(value.bitPattern, at: 0)
    case (.date, .date(let value)): target.store(value.bits, at: 0)
    case (.uuid, .uuid(let value)):
      target.storeBytes(of: value.uuid, as: uuid_t.self)
    case (.objectId, .objectId(let value)): value.store(to: target)
    case (.decimal128, .decimal(let value)): value.store(to: target)
    case (.link, .link(_, let objectID)): target.store(objectID, at: 0)
    default: return false
    }
    return true
  }

  private static func store(
    _ value: Int64, as type: PropertyType, to target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let width = type.fixedWidth else { return false }
    // A value that does not fit differs after sign extension.
    let unused = 64 - 8 * width
    guard (value << unused) >> unused == value else { return false }
    target.store(value, at: 0, width: width)
    return true
  }

  /// Reads a value of a type with a fixed width.
  ///
  /// - Parameter linkClass: The target class of a link, which the bytes do not contain.
  /// - Precondition: `type.fixedWidth` bytes can be read at `source`.
  /// - Throws: `unsupported` for the types without a fixed width.
  package static func load(
    _ type: PropertyType, from source: UnsafeRawPointer, linkClass: UInt32
  ) throws(FormatError) -> Value {
    switch type {
    case .bool: .bool(source.uint8(at: 0) != 0)
    case .int8, .int16, .int32, .int64:
      .int(source.int64(at: 0, width: type.fixedWidth ?? 0))
    case .float: .float(Float(bitPattern: source.uint32(at: 0)))
    case .double: .double(Double(bitPattern: source.uint64(at: 0)))
    case .date: .date(Date(bits: source.uint64(at: 0)))
    case .uuid: .uuid(UUID(uuid: source.loadUnaligned(as: uuid_t.self)))
    case .objectId: .objectId(ObjectIdBytes(unchecked: source))
    case .decimal128: .decimal(Decimal128Bits(unchecked: source))
    case .link: .link(classID: linkClass, objectID: source.uint64(at: 0))
    case .string, .data, .mixed:
      throw FormatError(
        .unsupported, "the type has no fixed bytes",
        found: UInt64(type.rawValue))
    }
  }
}

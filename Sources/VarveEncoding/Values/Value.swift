package import Foundation

/// One untyped value of the database: the value of a property, an element or a dictionary entry.
///
/// `==` is the database's equality, see ``Value/==(_:_:)``. Equal values have the same hash.
package enum Value: Sendable {
  case null
  case bool(Bool)
  /// An integer of any width.
  case int(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case objectId(ObjectIdBytes)
  case decimal(Decimal128Bits)
  case link(classID: UInt32, objectID: UInt64)
  /// A list or dictionary of mixed values inside a mixed value. The count of its slot is 0.
  case nested(CollectionKind, CollectionSlot)
}

extension Value {
  /// The type that stores such a value in full; nil for null. Integers give `int64`.
  @usableFromInline package var type: PropertyType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int: .int64
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .decimal: .decimal128
    case .link: .link
    case .nested: .mixed
    }
  }

  @inlinable
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// The type of a property's value, or of a collection's elements.
///
/// The raw values are part of the file format: never renumber. A Swift `Int` is `int64`.
@usableFromInline
package enum PropertyType: UInt8, Sendable, CaseIterable {
  case bool = 1
  case int8 = 2
  case int16 = 3
  case int32 = 4
  case int64 = 5
  case float = 6
  case double = 7
  case string = 8
  case data = 9
  case date = 10
  case uuid = 11
  case objectId = 12
  case decimal128 = 13
  case mixed = 14
  case link = 15
}

extension PropertyType {
  /// The number of bytes of a value with a fixed width, as stored in rows and packed list nodes;
  /// nil for `string`, `data` and `mixed`.
  @inlinable
  package var fixedWidth: Int? {
    switch self {
    case .bool, .int8: 1
    case .int16: 2
    case .int32, .float: 4
    case .int64, .double, .date, .link: 8
    case .objectId: 12
    case .uuid, .decimal128: 16
    case .string, .data, .mixed: nil
    }
  }

  /// Whether the type is an integer of some width.
  @inlinable
  package var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }
}

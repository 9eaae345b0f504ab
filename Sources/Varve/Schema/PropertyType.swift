import VarveEncoding

/// The type of a property's value, or of a collection's elements.
///
/// Integers of all widths are ``int``. An enumeration or a custom type has the type of its stored
/// value.
@nonexhaustive
public enum PropertyType: Sendable, Hashable {
  /// `Int`, `Int8`, `Int16`, `Int32`, `Int64`.
  case int
  /// `Bool`.
  case bool
  /// `Float`.
  case float
  /// `Double`.
  case double
  /// `String`.
  case string
  /// `Data`.
  case data
  /// `Date`.
  case date
  /// `AnyRealmValue`: a value of any type.
  case any
  /// A link to an object.
  case object
  /// The objects that link to this one.
  case linkingObjects
  /// ``ObjectId``.
  case objectId
  /// ``Decimal128``.
  case decimal128
  /// `UUID`.
  case UUID

  init(_ type: VarveEncoding.PropertyType) {
    self =
      switch type {
      case .bool: .bool
      case .int8, .int16, .int32, .int64: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .UUID
      case .objectId: .objectId
      case .decimal128: .decimal128
      case .mixed: .any
      case .link: .object
      }
  }
}

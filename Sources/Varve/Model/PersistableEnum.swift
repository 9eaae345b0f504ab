import VarveEncoding

/// An enumeration with string or integer raw values that properties and collections can contain.
///
/// ```swift
/// enum Priority: Int, PersistableEnum { case low, normal, high }
/// ```
///
/// Queries support `==`, `!=`, `in` and order comparisons of the enumeration, and compare the raw
/// values, as sorting does. `$0.priority.rawValue` supports all operations of the raw value.
///
/// The raw value is stored. A stored raw value without a case reads as nil when the property or
/// element is optional, and otherwise as the first case. It stays stored until the property is
/// assigned, also with the value that was read from it.
///
/// To use an enumeration of strings as the key of maps, declare the conformance:
/// `enum Unit: String, PersistableEnum, _MapKey`.
public protocol PersistableEnum: _CustomPersistable, RawRepresentable, CaseIterable
where RawValue: _Scalar, PersistedType == RawValue {}

extension PersistableEnum {
  /// The raw value.
  public var persistableValue: RawValue { rawValue }

  /// The case with a raw value; nil when there is none.
  public static func _$make(_ stored: RawValue) -> Self? { Self(rawValue: stored) }

  /// The first case. An enumeration without cases cannot be a property.
  public static func _$nothing() -> Self? { allCases.first }

  /// The raw values of all cases.
  public static func _$samples() -> [_Boxed] { allCases.map(\._$boxed) }
}

extension _MapKey where Self: PersistableEnum, RawValue == String {
  /// The stored key.
  public var _$key: String { rawValue }
  /// Creates the key from its stored form. A string without a case results in the first case.
  public init(_$key: String) { self = Self(rawValue: _$key) ?? Self._$default() }
}

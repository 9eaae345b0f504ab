import VarveEncoding

/// An enumeration with string or integer raw values that properties, lists and maps may hold.
///
/// ```swift
/// enum Priority: Int, PersistableEnum { case low, normal, high }
/// ```
///
/// In queries an enumeration knows `==`, `!=`, `in`, and `<` and its like, which go by the raw values as sorting does.
/// `$0.priority.rawValue` knows all that queries ask of the raw value.
///
/// The raw value is stored. One that the enumeration does not know, written by another version of the
/// program, reads as nil where the property or element is optional, and as the first case otherwise.
///
/// An enumeration of strings is a key of maps when it says so: `enum Unit: String, PersistableEnum, _MapKey`.
public protocol PersistableEnum: _CustomPersistable, RawRepresentable, CaseIterable
where RawValue: _Scalar, PersistedType == RawValue {}

extension PersistableEnum {
  /// The raw value.
  public var persistableValue: RawValue { rawValue }

  /// The case with a raw value; nil for none.
  public static func _$make(_ stored: RawValue) -> Self? { Self(rawValue: stored) }

  /// The first case; an enumeration without any cannot be a property.
  public static func _$nothing() -> Self? { allCases.first }

  /// The raw values of all cases.
  public static func _$samples() -> [_Boxed] { allCases.map(\._$boxed) }
}

extension _MapKey where Self: PersistableEnum, RawValue == String {
  /// The key as it is stored.
  public var _$key: String { rawValue }
  /// The key from its stored form; the first case for a text that is none.
  public init(_$key: String) { self = Self(rawValue: _$key) ?? Self._$default() }
}

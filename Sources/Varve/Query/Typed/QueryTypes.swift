public import Foundation

/// A type whose values can be compared in queries with values of the same family.
public protocol _QueryScalar: RealmCollectionValue {
  /// The family of types that can be compared with one another: a type and its optional, or all
  /// numbers.
  associatedtype _$Family = Self
}

/// A type whose values can be ordered in queries.
///
/// A custom persistable type does not conform: it is ordered by its stored values.
public protocol _QueryComparable: _QueryScalar {
  /// The optional of the type.
  associatedtype _$Nullable = Self?
}

/// A type that supports arithmetic in queries: a number, an optional number or a value of any type.
public protocol _QueryNumeric: _QueryComparable {
  /// The type without its optional.
  associatedtype _$Number = Self
  /// The type of an average.
  associatedtype _$Average = Double?
}

/// A binary number, which supports arithmetic with numbers of other types.
public protocol _QueryBinaryNumber: _QueryNumeric {}

/// An integer or an optional integer.
public protocol _QueryInteger: _QueryBinaryNumber {}

/// The family of all numbers.
public enum _NumberFamily {}

extension Bool: _QueryScalar {}
extension UUID: _QueryScalar {}
extension Data: _QueryScalar {}
extension String: _QueryComparable {}
extension Date: _QueryComparable {}
extension ObjectId: _QueryComparable {}

extension Int: _QueryInteger {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Int8: _QueryInteger {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Int16: _QueryInteger {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Int32: _QueryInteger {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Int64: _QueryInteger {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Float: _QueryBinaryNumber {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Double: _QueryBinaryNumber {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
}

extension Decimal128: _QueryNumeric {
  /// The family of numbers.
  public typealias _$Family = _NumberFamily
  /// A decimal.
  public typealias _$Average = Decimal128?
}

extension AnyRealmValue: _QueryNumeric {
  /// The type itself, which includes null.
  public typealias _$Nullable = AnyRealmValue
  /// A decimal when one of the values is a decimal, otherwise a double.
  public typealias _$Average = AnyRealmValue
}

extension Optional: _QueryScalar where Wrapped: _QueryScalar {
  /// The family of the wrapped type.
  public typealias _$Family = Wrapped._$Family
}

extension Optional: _QueryComparable where Wrapped: _QueryComparable {
  /// The type itself.
  public typealias _$Nullable = Wrapped?
}

extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {
  /// The number type of the wrapped type.
  public typealias _$Number = Wrapped._$Number
  /// The average type of the wrapped type.
  public typealias _$Average = Wrapped._$Average
}

extension Optional: _QueryBinaryNumber where Wrapped: _QueryBinaryNumber {}
extension Optional: _QueryInteger where Wrapped: _QueryInteger {}

/// A type with a null value.
public protocol _QueryNullable: RealmCollectionValue {}
extension Optional: _QueryNullable where Wrapped: RealmCollectionValue {}
extension AnyRealmValue: _QueryNullable {}

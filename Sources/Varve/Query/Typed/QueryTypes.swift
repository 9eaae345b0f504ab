public import Foundation

/// A type whose values queries compare with values of the same family.
public protocol _QueryScalar: RealmCollectionValue {
  /// What the type has in common with those that it is compared with: its optional, and other numbers.
  associatedtype _$Family = Self
}

/// A type whose values have an order that queries may ask for.
///
/// A type that is stored as another one is none: it has the order of what is stored of it.
public protocol _QueryComparable: _QueryScalar {
  /// The type with null.
  associatedtype _$Nullable = Self?
}

/// A type that queries compute with: a number, or what may be one.
public protocol _QueryNumeric: _QueryComparable {
  /// The type without null.
  associatedtype _$Number = Self
  /// The type of a mean.
  associatedtype _$Average = Double?
}

/// A number that queries compute with together with others.
public protocol _QueryBinaryNumber: _QueryNumeric {}

/// An integer, or what may be one.
public protocol _QueryInteger: _QueryBinaryNumber {}

/// What numbers of all types have in common.
public enum _NumberFamily {}

extension Bool: _QueryScalar {}
extension UUID: _QueryScalar {}
extension Data: _QueryScalar {}
extension String: _QueryComparable {}
extension Date: _QueryComparable {}
extension ObjectId: _QueryComparable {}

extension Int: _QueryInteger {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Int8: _QueryInteger {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Int16: _QueryInteger {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Int32: _QueryInteger {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Int64: _QueryInteger {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Float: _QueryBinaryNumber {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Double: _QueryBinaryNumber {
  /// Numbers.
  public typealias _$Family = _NumberFamily
}

extension Decimal128: _QueryNumeric {
  /// Numbers.
  public typealias _$Family = _NumberFamily
  /// A decimal.
  public typealias _$Average = Decimal128?
}

extension AnyRealmValue: _QueryNumeric {
  /// The type itself: it has null.
  public typealias _$Nullable = AnyRealmValue
  /// A decimal where one of the values is, else a double.
  public typealias _$Average = AnyRealmValue
}

extension Optional: _QueryScalar where Wrapped: _QueryScalar {
  /// As of the type without null.
  public typealias _$Family = Wrapped._$Family
}

extension Optional: _QueryComparable where Wrapped: _QueryComparable {
  /// The type itself.
  public typealias _$Nullable = Wrapped?
}

extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {
  /// As of the type without null.
  public typealias _$Number = Wrapped._$Number
  /// As of the type without null.
  public typealias _$Average = Wrapped._$Average
}

extension Optional: _QueryBinaryNumber where Wrapped: _QueryBinaryNumber {}
extension Optional: _QueryInteger where Wrapped: _QueryInteger {}

/// A type that has null.
public protocol _QueryNullable: RealmCollectionValue {}
extension Optional: _QueryNullable where Wrapped: RealmCollectionValue {}
extension AnyRealmValue: _QueryNullable {}

public import Foundation
import VarveCore
import VarveEncoding

/// A type whose values have a minimum and a maximum. For ``AnyRealmValue``, numbers of any type are
/// compared, and other values are skipped.
public protocol MinMaxType {}
/// A type whose values can be summed. For ``AnyRealmValue``, numbers are summed, and other values
/// are skipped: the sum is an integer if all numbers are integers, a Decimal128 if any number is
/// one, and otherwise a Double.
public protocol AddableType {
  /// Creates the sum of no values.
  init()
}

extension Int: MinMaxType, AddableType {}
extension Int8: MinMaxType, AddableType {}
extension Int16: MinMaxType, AddableType {}
extension Int32: MinMaxType, AddableType {}
extension Int64: MinMaxType, AddableType {}
extension Float: MinMaxType, AddableType {}
extension Double: MinMaxType, AddableType {}
extension Decimal128: MinMaxType, AddableType {}
extension AnyRealmValue: MinMaxType, AddableType {
  /// Creates the value `.none`.
  public init() { self = .none }
}
extension Date: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {
  /// Creates nil.
  public init() { self = nil }
}

/// Decimal128 or an optional Decimal128, whose mean is a decimal too.
public protocol _DecimalType: RealmCollectionValue, AddableType {}
extension Decimal128: _DecimalType {}
extension Optional: _DecimalType where Wrapped == Decimal128 {}

extension ValueSum {
  /// The mean as a Swift value.
  var typedAverage: Decimal128? { decimalAverage.map { Decimal128($0) } }

  /// Returns the mean as a Swift value; nil when there is none, or when the type cannot represent
  /// it.
  func typedMean<V: RealmCollectionValue>() -> V? {
    mean(as: V._$elementType.kind.type).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// Returns the sum as a Swift value.
  func typed<V: RealmCollectionValue & AddableType>() -> V {
    V._$unboxed(_Boxed(value(as: V._$elementType.kind.type)), nil) ?? V()
  }
}

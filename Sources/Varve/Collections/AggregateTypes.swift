public import Foundation
import VarveCore
import VarveEncoding

/// A type that has a least and a greatest value. Of ``AnyRealmValue`` these are numbers, of whatever types: others are
/// left out.
public protocol MinMaxType {}
/// A type that can be added up. Of ``AnyRealmValue`` numbers are: others are left out. The sum is an integer if all of them
/// are, a Decimal128 if any of them is, else a Double.
public protocol AddableType {
  /// Nothing.
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
  /// No value.
  public init() { self = .none }
}
extension Date: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {
  /// Nil.
  public init() { self = nil }
}

/// A Decimal128, or an optional one: means are decimals, too.
public protocol _DecimalType: RealmCollectionValue, AddableType {}
extension Decimal128: _DecimalType {}
extension Optional: _DecimalType where Wrapped == Decimal128 {}

extension ValueSum {
  /// The mean as a Swift value.
  var typedAverage: Decimal128? { decimalAverage.map { Decimal128($0) } }

  /// The mean as a Swift value; nil where there is none, or the type does not hold it.
  func typedMean<V: RealmCollectionValue>() -> V? {
    mean(as: V._$elementType.kind.type).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The sum as a Swift value.
  func typed<V: RealmCollectionValue & AddableType>() -> V {
    V._$unboxed(_Boxed(value(as: V._$elementType.kind.type)), nil) ?? V()
  }
}

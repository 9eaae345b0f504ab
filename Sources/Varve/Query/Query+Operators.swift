public import Foundation
import VarveCore
import VarveEncoding

/// Both conditions.
public func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.and(left.condition, right.condition))
}

/// Either condition.
public func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.or(left.condition, right.condition))
}

/// Not the condition.
public prefix func ! (query: Query<Bool>) -> Query<Bool> { Query(.not(query.condition)) }

// MARK: Comparison

extension Query where T: RealmCollectionValue {
  /// Equal to a value.
  public static func == (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.equal, .constant(right._$boxed.queryConstant))
  }

  /// Not equal to a value.
  public static func != (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.notEqual, .constant(right._$boxed.queryConstant))
  }

  /// Equal to another property; of conditions: both hold, or neither does.
  public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.isEqual(to: right)
  }

  /// Not equal to another property; of conditions: one of them holds.
  public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> {
    !left.isEqual(to: right)
  }

  /// Among some values.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    compare(.in, .constants(values.map { $0._$boxed.queryConstant }))
  }
}

/// A type whose values have an order that queries may ask for.
///
/// A ``PersistableEnum`` is none: its cases have no order, whatever its raw values have.
public protocol _QueryComparable: RealmCollectionValue {}
extension Int: _QueryComparable {}
extension Int8: _QueryComparable {}
extension Int16: _QueryComparable {}
extension Int32: _QueryComparable {}
extension Int64: _QueryComparable {}
extension Float: _QueryComparable {}
extension Double: _QueryComparable {}
extension String: _QueryComparable {}
extension Date: _QueryComparable {}
extension ObjectId: _QueryComparable {}
extension AnyRealmValue: _QueryComparable {}
extension Decimal128: _QueryComparable {}
extension Optional: _QueryComparable where Wrapped: _QueryComparable {}

extension Query where T: _QueryComparable {
  /// Less than a value; false for null.
  public static func < (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.less, .constant(right._$boxed.queryConstant))
  }

  /// Less than or equal to a value; false for null.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, .constant(right._$boxed.queryConstant))
  }

  /// Greater than a value; false for null.
  public static func > (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greater, .constant(right._$boxed.queryConstant))
  }

  /// Greater than or equal to a value; false for null.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, .constant(right._$boxed.queryConstant))
  }

  /// Within a closed range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> where T: Comparable {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Within a half-open range.
  public func contains(_ range: Range<T>) -> Query<Bool> where T: Comparable {
    self >= range.lowerBound && self < range.upperBound
  }
}

extension Query {
  /// Within a closed range; false for null.
  public func contains<V: _QueryComparable & Comparable>(
    _ range: ClosedRange<V>
  ) -> Query<Bool> where T == V? {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Within a half-open range; false for null.
  public func contains<V: _QueryComparable & Comparable>(
    _ range: Range<V>
  ) -> Query<Bool> where T == V? {
    self >= range.lowerBound && self < range.upperBound
  }
}

// MARK: Strings

/// A string, or what may be one.
public protocol _QueryString: RealmCollectionValue {}
extension String: _QueryString {}
extension AnyRealmValue: _QueryString {}
extension Optional: _QueryString where Wrapped == String {}

extension Query where T: _QueryString {
  /// Begins with a string; an empty one holds for none.
  public func starts(with prefix: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.beginsWith, .constant(.value(.string(prefix))), caseInsensitive: caseInsensitive)
  }

  /// Ends with a string; an empty one holds for none.
  public func ends(with suffix: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.endsWith, .constant(.value(.string(suffix))), caseInsensitive: caseInsensitive)
  }

  /// Contains a string; an empty one holds for none.
  public func contains(_ part: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.contains, .constant(.value(.string(part))), caseInsensitive: caseInsensitive)
  }

  /// Equal to a string, by bytes or with case folded.
  public func equals(_ other: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.equal, .constant(.value(.string(other))), caseInsensitive: caseInsensitive)
  }
}

extension _Boxed {
  /// What a comparison asks for.
  fileprivate var queryConstant: Condition.Constant {
    switch content {
    case .value(let value): .value(value)
    case .object(let object):
      ObjectReference(object.cell).map { .object($0) } ?? .value(ObjectReference.nowhere)
    case .collection: .value(ObjectReference.nowhere)
    case .unset: .value(.null)
    }
  }
}

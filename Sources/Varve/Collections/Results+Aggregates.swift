public import Foundation
import VarveCore
import VarveEncoding

/// A type that has a least and a greatest value.
public protocol MinMaxType {}
/// A type that can be added up.
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
extension Date: MinMaxType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {
  /// Nil.
  public init() { self = nil }
}

/// Aggregates over a persisted property, over to-one links too: `\.owner?.age`. A key path to anything
/// else, such as a computed property, ends the program with a message.
extension Results {
  /// The least value of a property; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    cell.extreme(ClassInfo.path(keyPath), .least).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The least value of an optional property; see ``min(of:)-(KeyPath<Element,V>)``.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    cell.extreme(ClassInfo.path(keyPath), .least).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The greatest value of a property; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    cell.extreme(ClassInfo.path(keyPath), .greatest).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The greatest value of an optional property; see ``max(of:)-(KeyPath<Element,V>)``.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    cell.extreme(ClassInfo.path(keyPath), .greatest).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The sum of a property; 0 when there is no object. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    cell.sum(ClassInfo.path(keyPath)).typed()
  }

  /// The sum of an optional property; see ``sum(of:)-(KeyPath<Element,V>)``.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V?>) -> V {
    cell.sum(ClassInfo.path(keyPath)).typed()
  }

  /// The mean of a property; nil when there is no value. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    cell.sum(ClassInfo.path(keyPath)).average
  }
}

extension ValueSum {
  /// The sum as a Swift value.
  func typed<V: RealmCollectionValue & AddableType>() -> V {
    V._$unboxed(_Boxed(value(as: V._$elementType.kind.type)), nil) ?? V()
  }
}

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
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {
  /// Nil.
  public init() { self = nil }
}

extension Results {
  /// The least value of a property; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .ascending)
  }

  /// The greatest value of a property; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .descending)
  }

  private func extreme<V: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, V>, _ order: ValueOrdering
  ) -> V? {
    var best: Value?
    cell.forEachValue(ClassInfo.path(keyPath)) { value in
      if best.map({ value.compared(to: $0) == order }) ?? true { best = value }
    }
    return best.flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The sum of a property; 0 when there is no object. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    let sum = cell.sum(ClassInfo.path(keyPath))
    return V._$unboxed(_Boxed(sum.value), nil) ?? V()
  }

  /// The mean of a property; nil when there is no value. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    let sum = cell.sum(ClassInfo.path(keyPath))
    return sum.count == 0 ? nil : sum.double / Double(sum.count)
  }
}

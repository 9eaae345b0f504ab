import VarveCore
import VarveEncoding

/// Aggregates over the objects of a list; of an unmanaged one, over the elements in memory.
///
/// As in ``Results``, an object that is in the list twice counts twice.
extension List where Element: Object {
  /// The least value of a property; see ``Results/min(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .least).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The least value of an optional property; see ``Results/min(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    extreme(keyPath, .least).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The greatest value of a property; see ``Results/max(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .greatest).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The greatest value of an optional property; see ``Results/max(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    extreme(keyPath, .greatest).flatMap { V._$unboxed(_Boxed($0), nil) }
  }

  /// The sum of a property; see ``Results/sum(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    total(keyPath).typed()
  }

  /// The sum of an optional property; see ``Results/sum(of:)-(KeyPath<Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V?>) -> V {
    total(keyPath).typed()
  }

  /// The mean of a property; see ``Results/average(of:)``.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    total(keyPath).average
  }

  private func extreme<V: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, V>, _ end: ValueExtreme.End
  ) -> Value? {
    let path = ClassInfo.path(keyPath)
    if cell.isTied { return results.cell.extreme(path, end) }
    var extreme = ValueExtreme(end)
    for element in self { extreme.add(element[keyPath: keyPath]._$boxed.value ?? .null) }
    return extreme.value
  }

  private func total<V: RealmCollectionValue>(_ keyPath: KeyPath<Element, V>) -> ValueSum {
    let path = ClassInfo.path(keyPath)
    if cell.isTied { return results.cell.sum(path) }
    var sum = ValueSum()
    for element in self { sum.add(element[keyPath: keyPath]._$boxed.value ?? .null) }
    return sum
  }
}

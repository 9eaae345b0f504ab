import VarveCore
import VarveEncoding

// Aggregates over the objects of one section, as `GROUP BY` computes them. They read the property
// of each object of the section.

/// Aggregates over a persisted property, which may be reached over to-one links: `\.owner?.age`. A
/// key path to anything else, such as a computed property, traps with a message.
extension ResultsSection where Element: ObjectBase {
  /// Returns the sum of a property; 0 when the section is empty. Nulls are skipped, and integers
  /// wrap around.
  ///
  /// - Complexity: O(elements of the section), after the sections were found.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    total(keyPath).typed()
  }

  /// Returns the sum of an optional property; 0 when there is no value. Nulls are skipped.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V?>) -> V {
    total(keyPath).typed()
  }

  /// Returns the sum of the stored values of a property, converted to the property's type; the
  /// value for 0 when the section is empty. Integers wrap around.
  public func sum<V: RealmCollectionValue & CustomPersistable>(of keyPath: KeyPath<Element, V>) -> V
  where V.PersistedType: AddableType {
    V(persistedValue: total(keyPath).typed())
  }

  /// Returns the mean of a property; nil when there is no value. Nulls are skipped.
  ///
  /// - Complexity: O(elements of the section), after the sections were found.
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    total(keyPath).average
  }

  /// Returns the mean of a property, rounded to 34 digits; nil when there is no value. Nulls are
  /// skipped.
  public func average<V: _DecimalType>(of keyPath: KeyPath<Element, V>) -> Decimal128? {
    total(keyPath).typedAverage
  }

  /// Returns the mean of the stored values of a property; nil when there is no value.
  public func average<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? where V.PersistedType: AddableType {
    total(keyPath).average
  }

  /// Returns the minimum of a property; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(elements of the section), after the sections were found.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .least)
  }

  /// Returns the minimum of an optional property; nil when there is none. Nulls and NaNs are
  /// skipped.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    extreme(keyPath, .least)
  }

  /// Returns the case or value whose stored value is the minimum; nil when there is none.
  public func min<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    extreme(keyPath, .least)
  }

  /// Returns the maximum of a property; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(elements of the section), after the sections were found.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    extreme(keyPath, .greatest)
  }

  /// Returns the maximum of an optional property; nil when there is none. Nulls and NaNs are
  /// skipped.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    extreme(keyPath, .greatest)
  }

  /// Returns the case or value whose stored value is the maximum; nil when there is none.
  public func max<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    extreme(keyPath, .greatest)
  }

  private func total<V: RealmCollectionValue>(_ keyPath: KeyPath<Element, V>) -> ValueSum {
    ValueSum(values(keyPath))
  }

  private func extreme<V: RealmCollectionValue, R: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, V>, _ end: ValueExtreme.End
  ) -> R? {
    ValueExtreme(end, of: V._$elementType.kind.type, among: values(keyPath)).value
      .flatMap { R._$unboxed(_Boxed($0), nil) }
  }

  private func values<V: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, V>
  ) -> some Sequence<Value> {
    let path = ClassInfo.path(keyPath)
    return IteratorSequence(makeIterator()).lazy.map { $0.value(along: path) }
  }
}

/// Aggregates over values.
extension ResultsSection where Element: AddableType {
  /// Returns the sum of the elements; 0 when the section is empty. Nulls are skipped, and integers
  /// wrap around.
  public func sum() -> Element { ValueSum(storedValues).typed() }

  /// Returns the mean of the elements; nil when there is none. Nulls are skipped.
  public func average() -> Double? { ValueSum(storedValues).average }
}

extension ResultsSection where Element: MinMaxType {
  /// Returns the minimum element; nil when there is none. Nulls and NaNs are skipped.
  public func min() -> Element? { extreme(.least) }

  /// Returns the maximum element; nil when there is none. Nulls and NaNs are skipped.
  public func max() -> Element? { extreme(.greatest) }

  private func extreme(_ end: ValueExtreme.End) -> Element? {
    ValueExtreme(end, of: Element._$elementType.kind.type, among: storedValues).value
      .flatMap { Element._$unboxed(_Boxed($0), nil) }
  }
}

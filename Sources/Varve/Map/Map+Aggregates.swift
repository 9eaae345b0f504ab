import VarveCore
import VarveEncoding

/// Aggregates over the values.
extension Map where Value: MinMaxType {
  /// Returns the minimum value; nil when there is none. Nulls and NaNs are skipped, and for
  /// ``AnyRealmValue`` all values that are not numbers.
  ///
  /// - Complexity: O(n).
  public func min() -> Value? { extreme(.least) }

  /// Returns the maximum value; nil when there is none. Nulls and NaNs are skipped, and for
  /// ``AnyRealmValue`` all values that are not numbers.
  ///
  /// - Complexity: O(n).
  public func max() -> Value? { extreme(.greatest) }
}

extension Map {
  private func extreme(_ end: ValueExtreme.End) -> Value? {
    let extreme = ValueExtreme(end, of: Value._$elementType.kind.type, among: values.storedValues)
    return extreme.value.flatMap { Value._$unboxed(_Boxed($0), source) }
  }

  private var total: ValueSum { ValueSum(values.storedValues) }
}

/// Aggregates over values with a custom stored form. The stored values are aggregated.
extension Map where Value: _CustomPersistable, Value.PersistedType: MinMaxType {
  /// Returns the value whose stored value is the minimum; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func min() -> Value? { extreme(.least) }

  /// Returns the value whose stored value is the maximum; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func max() -> Value? { extreme(.greatest) }
}

extension Map where Value: _CustomPersistable, Value.PersistedType: AddableType {
  /// Returns the mean of the stored values; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

extension Map where Value: CustomPersistable, Value.PersistedType: AddableType {
  /// Returns the sum of the stored values, converted to the value type; the value for 0 when the
  /// map is empty. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Value { Value(persistedValue: total.typed()) }
}

extension Map where Value: _DecimalType {
  /// Returns the mean of the values, rounded to 34 digits; nil when there is none. Nulls are
  /// skipped.
  ///
  /// - Complexity: O(n).
  public func average() -> Decimal128? { total.typedAverage }
}

extension Map where Value: AddableType {
  /// Returns the sum of the values; 0 when the map is empty. Nulls are skipped, and integers wrap
  /// around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Value { total.typed() }

  /// Returns the mean of the values; nil when there is none. Nulls are skipped.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }

  /// Returns the mean of the values as a value of another type; nil when there is none, or when
  /// the type cannot represent it. An integer type drops the fraction.
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func average<T: AddableType & RealmCollectionValue>() -> T? { total.typedMean() }
}

/// Aggregates over a property of the objects. Keys whose value is null are skipped. See the members
/// of ``RealmCollection`` with the same names.
extension Map where Value: _OptionalObject {
  private var aggregated: AnyRealmCollection<Value._$Object> {
    guard !handle.isManaged else { return AnyRealmCollection(objects) }
    let present = values.compactMap { $0._$boxed.object as? Value._$Object }
    return AnyRealmCollection(List(present))
  }

  /// Returns the minimum of a property of the objects, as the aggregates of ``RealmCollection`` do.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { aggregated.min(of: keyPath) }

  /// Returns the minimum of an optional property of the objects; nulls are skipped.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { aggregated.min(of: keyPath) }

  /// Returns the maximum of a property of the objects, as the aggregates of ``RealmCollection`` do.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { aggregated.max(of: keyPath) }

  /// Returns the maximum of an optional property of the objects; nulls are skipped.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { aggregated.max(of: keyPath) }

  /// Returns the sum of a property of the objects, as the aggregates of ``RealmCollection`` do.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V>)
    -> V
  { aggregated.sum(of: keyPath) }

  /// Returns the sum of an optional property of the objects; nulls are skipped.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V?>)
    -> V
  { aggregated.sum(of: keyPath) }

  /// Returns the mean of a property of the objects; see `RealmCollection.average(of:)`.
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> Double? { aggregated.average(of: keyPath) }

  /// Returns the mean of a property of the objects, rounded to 34 digits; see
  /// `RealmCollection.average(of:)`.
  public func average<V: _DecimalType>(of keyPath: KeyPath<Value._$Object, V>) -> Decimal128? {
    aggregated.average(of: keyPath)
  }

  /// Returns the case or value whose stored value is the minimum; see
  /// `RealmCollection.min(of:)`.
  public func min<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? where V.PersistedType: MinMaxType { aggregated.min(of: keyPath) }

  /// Returns the case or value whose stored value is the minimum; see
  /// `RealmCollection.min(of:)`.
  public func min<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? where V.PersistedType: MinMaxType { aggregated.min(of: keyPath) }

  /// Returns the case or value whose stored value is the maximum; see
  /// `RealmCollection.max(of:)`.
  public func max<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? where V.PersistedType: MinMaxType { aggregated.max(of: keyPath) }

  /// Returns the case or value whose stored value is the maximum; see
  /// `RealmCollection.max(of:)`.
  public func max<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? where V.PersistedType: MinMaxType { aggregated.max(of: keyPath) }

  /// Returns the sum of the stored values of a property, converted to the property's type; see
  /// `RealmCollection.sum(of:)`.
  public func sum<V: RealmCollectionValue & CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V where V.PersistedType: AddableType { aggregated.sum(of: keyPath) }

  /// Returns the mean of the stored values of a property; see `RealmCollection.average(of:)`.
  public func average<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> Double? where V.PersistedType: AddableType { aggregated.average(of: keyPath) }

  /// Returns the minimum of a property given by name at run time; see
  /// ``RealmCollection/min(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` with the class and the property.
  public func min<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try aggregated.min(ofProperty: property)
  }

  /// Returns the maximum of a property given by name at run time; see
  /// ``RealmCollection/max(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` with the class and the property.
  public func max<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try aggregated.max(ofProperty: property)
  }

  /// Returns the sum of a property given by name at run time; see
  /// ``RealmCollection/sum(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` with the class and the property.
  public func sum<V: RealmCollectionValue & AddableType>(ofProperty property: String) throws -> V {
    try aggregated.sum(ofProperty: property)
  }

  /// Returns the mean of a property given by name at run time; see
  /// ``RealmCollection/average(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` with the class and the property.
  public func average(ofProperty property: String) throws -> Double? {
    try aggregated.average(ofProperty: property)
  }
}

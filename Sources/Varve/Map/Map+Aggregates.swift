import VarveCore
import VarveEncoding

/// Aggregates over the values.
extension Map where Value: MinMaxType {
  /// The least value; nil when there is none. Nulls and NaNs are left out, and of values of any type what is no number.
  ///
  /// - Complexity: O(n).
  public func min() -> Value? { extreme(.least) }

  /// The greatest value; nil when there is none. Nulls and NaNs are left out, and of values of any type what is no number.
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

/// Aggregates over values that are stored as others: they are those of what is stored.
extension Map where Value: _CustomPersistable, Value.PersistedType: MinMaxType {
  /// The value for which the least one is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func min() -> Value? { extreme(.least) }

  /// The value for which the greatest one is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func max() -> Value? { extreme(.greatest) }
}

extension Map where Value: _CustomPersistable, Value.PersistedType: AddableType {
  /// The mean of what is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

extension Map where Value: CustomPersistable, Value.PersistedType: AddableType {
  /// The value for the sum of what is stored; for 0 when there is none. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Value { Value(persistedValue: total.typed()) }
}

extension Map where Value: _DecimalType {
  /// The mean of the values, rounded to 34 digits; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Decimal128? { total.typedAverage }
}

extension Map where Value: AddableType {
  /// The sum of the values; 0 when there is none. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Value { total.typed() }

  /// The mean of the values; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }

  /// The mean of the values as a value of another type, of integers without its fraction; nil when there is none, and for
  /// a type that it does not fit.
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func average<T: AddableType & RealmCollectionValue>() -> T? { total.typedMean() }
}

/// Aggregates over a property of the objects; keys with null are left out. See ``RealmCollection``, whose members of the
/// same names these are.
extension Map where Value: _OptionalObject {
  private var aggregated: AnyRealmCollection<Value._$Object> {
    guard !handle.isManaged else { return AnyRealmCollection(objects) }
    let present = values.compactMap { $0._$boxed.object as? Value._$Object }
    return AnyRealmCollection(List(present))
  }

  /// The least value of a property of the objects; see ``RealmCollection/min(of:)-(KeyPath<Self.Element,V>)``.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { aggregated.min(of: keyPath) }

  /// The least value of an optional property of the objects.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { aggregated.min(of: keyPath) }

  /// The greatest value of a property of the objects; see ``RealmCollection/max(of:)-(KeyPath<Self.Element,V>)``.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { aggregated.max(of: keyPath) }

  /// The greatest value of an optional property of the objects.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { aggregated.max(of: keyPath) }

  /// The sum of a property of the objects; see ``RealmCollection/sum(of:)-(KeyPath<Self.Element,V>)``.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V>)
    -> V
  { aggregated.sum(of: keyPath) }

  /// The sum of an optional property of the objects; nulls are left out.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V?>)
    -> V
  { aggregated.sum(of: keyPath) }

  /// The mean of a property of the objects; see `RealmCollection.average(of:)`.
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> Double? { aggregated.average(of: keyPath) }

  /// The mean of a property of the objects, rounded to 34 digits; see
  /// `RealmCollection.average(of:)`.
  public func average<V: _DecimalType>(of keyPath: KeyPath<Value._$Object, V>) -> Decimal128? {
    aggregated.average(of: keyPath)
  }

  /// The least value of a property that is known by its name when the program runs; see
  /// ``RealmCollection/min(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func min<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try aggregated.min(ofProperty: property)
  }

  /// The greatest value of a property that is known by its name when the program runs; see
  /// ``RealmCollection/max(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func max<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try aggregated.max(ofProperty: property)
  }

  /// The sum of a property that is known by its name when the program runs; see
  /// ``RealmCollection/sum(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func sum<V: RealmCollectionValue & AddableType>(ofProperty property: String) throws -> V {
    try aggregated.sum(ofProperty: property)
  }

  /// The mean of a property that is known by its name when the program runs; see
  /// ``RealmCollection/average(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func average(ofProperty property: String) throws -> Double? {
    try aggregated.average(ofProperty: property)
  }
}

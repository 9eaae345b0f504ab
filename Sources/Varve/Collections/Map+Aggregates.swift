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

  private func extreme(_ end: ValueExtreme.End) -> Value? {
    let extreme = ValueExtreme(end, of: Value._$elementType.kind.type, among: values.storedValues)
    return extreme.value.flatMap { Value._$unboxed(_Boxed($0), source) }
  }
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

  fileprivate var total: ValueSum { ValueSum(values.storedValues) }
}

/// Aggregates over a property of the objects; keys with null are left out. See ``RealmCollection``, whose members of the
/// same names these are.
///
/// - Precondition: the map is managed.
extension Map where Value: _OptionalObject {
  /// The least value of a property of the objects; see ``RealmCollection/min(of:)-(KeyPath<Self.Element,V>)``.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { objects.min(of: keyPath) }

  /// The least value of an optional property of the objects.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { objects.min(of: keyPath) }

  /// The greatest value of a property of the objects; see ``RealmCollection/max(of:)-(KeyPath<Self.Element,V>)``.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { objects.max(of: keyPath) }

  /// The greatest value of an optional property of the objects.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V?>
  ) -> V? { objects.max(of: keyPath) }

  /// The sum of a property of the objects; see ``RealmCollection/sum(of:)-(KeyPath<Self.Element,V>)``.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V>)
    -> V
  { objects.sum(of: keyPath) }

  /// The sum of an optional property of the objects; nulls are left out.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V?>)
    -> V
  { objects.sum(of: keyPath) }

  /// The mean of a property of the objects; see `RealmCollection.average(of:)`.
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> Double? { objects.average(of: keyPath) }

  /// The mean of a property of the objects, rounded to 34 digits; see
  /// `RealmCollection.average(of:)`.
  public func average<V: _DecimalType>(of keyPath: KeyPath<Value._$Object, V>) -> Decimal128? {
    objects.average(of: keyPath)
  }

  /// The least value of a property that is known by its name when the program runs; see
  /// ``RealmCollection/min(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func min<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try objects.min(ofProperty: property)
  }

  /// The greatest value of a property that is known by its name when the program runs; see
  /// ``RealmCollection/max(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func max<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    try objects.max(ofProperty: property)
  }

  /// The sum of a property that is known by its name when the program runs; see
  /// ``RealmCollection/sum(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func sum<V: RealmCollectionValue & AddableType>(ofProperty property: String) throws -> V {
    try objects.sum(ofProperty: property)
  }

  /// The mean of a property that is known by its name when the program runs; see
  /// ``RealmCollection/average(ofProperty:)``.
  ///
  /// - Throws: `Realm.Error` naming class and property.
  public func average(ofProperty property: String) throws -> Double? {
    try objects.average(ofProperty: property)
  }
}

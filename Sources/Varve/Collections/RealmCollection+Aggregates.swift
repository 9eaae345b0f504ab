import VarveCore
import VarveEncoding

// Aggregates of a managed collection are evaluated as results, those of an unmanaged one in memory.

/// Aggregates over the elements.
extension RealmCollection where Element: MinMaxType {
  /// Returns the minimum element; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// Returns the maximum element; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

/// Aggregates over elements with a custom stored form. The stored values are aggregated.
extension RealmCollection where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// Returns the element whose stored value is the minimum; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// Returns the element whose stored value is the maximum; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

extension RealmCollection where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// Returns the mean of the stored values; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

extension RealmCollection where Element: CustomPersistable, Element.PersistedType: AddableType {
  /// Returns the sum of the stored values, converted to an element; the element for 0 when the
  /// collection is empty. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Element {
    Element(persistedValue: total.typed())
  }
}

/// Aggregates over optional elements with a custom stored form. Nulls are skipped.
extension RealmCollection
where Element: _OptionalCustomPersistable, Element._$Persisted: MinMaxType {
  /// Returns the element whose stored value is the minimum; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// Returns the element whose stored value is the maximum; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

extension RealmCollection
where Element: _OptionalCustomPersistable, Element._$Persisted: AddableType {
  /// Returns the mean of the stored values; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

/// Sums and means of the elements.
extension RealmCollection where Element: AddableType {
  /// Returns the sum of the elements; 0 when the collection is empty. Nulls are skipped, and
  /// integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Element { total.typed() }

  /// Returns the mean of the elements; nil when there is none. Nulls are skipped.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }

  /// Returns the mean of the elements as a value of another type; nil when there is none, or when
  /// the type cannot represent it. An integer type drops the fraction.
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func average<T: AddableType & RealmCollectionValue>() -> T? { total.typedMean() }
}

extension RealmCollection where Element: _DecimalType {
  /// Returns the mean of the elements, rounded to 34 digits; nil when there is none. Nulls are
  /// skipped.
  ///
  /// - Complexity: O(n).
  public func average() -> Decimal128? { total.typedAverage }
}

/// Aggregates over a persisted property, which may be reached over to-one links: `\.owner?.age`. A
/// key path to anything else, such as a computed property, traps with a message. An object that
/// occurs twice in the collection counts twice.
extension RealmCollection where Element: ObjectBase {
  /// Returns the minimum of a property; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    typed(extreme(keyPath, .least))
  }

  /// Returns the minimum of an optional property; nil when there is none. Nulls and NaNs are
  /// skipped.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    typed(extreme(keyPath, .least))
  }

  /// Returns the maximum of a property; nil when there is none. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    typed(extreme(keyPath, .greatest))
  }

  /// Returns the maximum of an optional property; nil when there is none. Nulls and NaNs are
  /// skipped.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    typed(extreme(keyPath, .greatest))
  }

  /// Returns the sum of a property; 0 when there is no object. Nulls are skipped, and integers wrap
  /// around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    total(keyPath).typed()
  }

  /// Returns the sum of an optional property; 0 when there is no value. Nulls are skipped.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V?>) -> V {
    total(keyPath).typed()
  }

  /// Returns the mean of a property; nil when there is no value. Nulls are skipped.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    total(keyPath).average
  }

  /// Returns the mean of a property, rounded to 34 digits; see
  /// ``average(of:)-(KeyPath<Self.Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func average<V: _DecimalType>(of keyPath: KeyPath<Element, V>) -> Decimal128? {
    total(keyPath).typedAverage
  }

  /// Returns the case or value whose stored value is the minimum; nil when there is none.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func min<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .least))
  }

  /// Returns the case or value whose stored value is the minimum; nil when all are null.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func min<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V?>
  ) -> V? where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .least))
  }

  /// Returns the case or value whose stored value is the maximum; nil when there is none.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func max<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .greatest))
  }

  /// Returns the case or value whose stored value is the maximum; nil when all are null.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func max<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V?>
  ) -> V? where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .greatest))
  }

  /// Returns the sum of the stored values of a property, converted to the property's type; the
  /// value for 0 when there is no object. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & CustomPersistable>(of keyPath: KeyPath<Element, V>) -> V
  where V.PersistedType: AddableType {
    V(persistedValue: total(keyPath).typed())
  }

  /// Returns the mean of the stored values of a property; nil when there is no value.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? where V.PersistedType: AddableType {
    total(keyPath).average
  }

  /// Returns the minimum of a property given by name at run time; nil when there is none. Nulls
  /// and NaNs are skipped.
  ///
  /// - Parameter property: The name of the property, or a path of to-one links and the property,
  ///   separated by dots.
  /// - Throws: `Realm.Error` with the class and the property: `.unknownProperty`, or
  ///   `.invalidInput` for a property that has no minimum or another type.
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func min<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    typed(try extreme(named(property, V.self), .least, of: V._$elementType.kind.type))
  }

  /// Returns the maximum of a property given by name at run time; see ``min(ofProperty:)``.
  public func max<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    typed(try extreme(named(property, V.self), .greatest, of: V._$elementType.kind.type))
  }

  /// Returns the sum of a property given by name at run time; 0 when there is no object. See
  /// ``min(ofProperty:)`` for the errors.
  public func sum<V: RealmCollectionValue & AddableType>(ofProperty property: String) throws -> V {
    try total(named(property, V.self)).typed()
  }

  /// Returns the mean of a property given by name at run time; nil when there is no value. Nulls
  /// are skipped. See ``min(ofProperty:)`` for the errors.
  public func average(ofProperty property: String) throws -> Double? {
    try total(named(property, nil)).average
  }
}

extension Sequence where Element: RealmCollectionValue {
  /// The stored values of the elements; null for links and collections.
  var storedValues: some Sequence<Value> { lazy.map { $0._$boxed.value ?? .null } }
}

extension RealmCollection {
  fileprivate func extreme(_ end: ValueExtreme.End) -> Value? {
    ValueExtreme(end, of: Element._$elementType.kind.type, among: storedValues).value
  }

  fileprivate var total: ValueSum { ValueSum(storedValues) }

  fileprivate func typed<V: RealmCollectionValue>(_ value: Value?) -> V? {
    value.flatMap { V._$unboxed(_Boxed($0), nil) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the path of a property given by name, after checking its type.
  private func named(
    _ name: String, _ type: (any RealmCollectionValue.Type)?
  ) throws -> [String] {
    let path = DottedPath.names(name)
    return try Realm.Error.translating { () throws(Failure) in
      try elementModel?.checkAggregate(
        over: path, as: type.map { $0._$elementType.kind.type })
      return path
    }
  }

  /// The class of the objects; nil for an empty unmanaged collection of an unknown class.
  private var elementModel: ClassDescription? {
    if let results = _$results { return results.handle.query.model }
    let model = ClassInfo.of(Element.self).description
    return model.isDynamic ? first?.info.description : model
  }

  private func extreme<V: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, V>, _ end: ValueExtreme.End
  ) -> Value? {
    extreme(ClassInfo.path(keyPath), end, of: V._$elementType.kind.type)
  }

  private func total<V: RealmCollectionValue>(_ keyPath: KeyPath<Element, V>) -> ValueSum {
    total(ClassInfo.path(keyPath))
  }

  private func extreme(
    _ path: [String], _ end: ValueExtreme.End, of type: VarveEncoding.PropertyType
  ) -> Value? {
    if let results = _$results { return results.handle.extreme(path, end, of: type) }
    return ValueExtreme(end, of: type, among: lazy.map { $0.value(along: path) }).value
  }

  private func total(_ path: [String]) -> ValueSum {
    if let results = _$results { return results.handle.sum(path) }
    return ValueSum(lazy.map { $0.value(along: path) })
  }
}

extension ObjectBase {
  /// Returns the value at the end of a path of names; null when a link on the path is null.
  ///
  /// - Precondition: The path exists in the class.
  func value(along path: [String]) -> Value {
    var object: ObjectBase = self
    for name in path.dropLast() {
      guard let next = object.box(named: name)?.object else { return .null }
      object = next
    }
    return path.last.flatMap { object.box(named: $0)?.value } ?? .null
  }

  private func box(named name: String) -> _Boxed? {
    guard let slot = info.slot(named: name) else { return nil }
    return info.properties[slot].read(self, slot)
  }
}

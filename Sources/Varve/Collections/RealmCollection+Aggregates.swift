import VarveCore
import VarveEncoding

// A managed collection is asked as results, an unmanaged one in memory.

/// Aggregates over the elements.
extension RealmCollection where Element: MinMaxType {
  /// The least element; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// The greatest element; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

/// Aggregates over values that are stored as others: they are those of what is stored.
extension RealmCollection where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// The value for which the least one is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// The value for which the greatest one is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

extension RealmCollection where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// The mean of what is stored; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

extension RealmCollection where Element: CustomPersistable, Element.PersistedType: AddableType {
  /// The value for the sum of what is stored; for 0 when there is none. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Element {
    Element(persistedValue: total.typed())
  }
}

/// Aggregates over optional values that are stored as others: nulls are left out.
extension RealmCollection
where Element: _OptionalCustomPersistable, Element._$Persisted: MinMaxType {
  /// The value for which the least one is stored; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func min() -> Element? { typed(extreme(.least)) }

  /// The value for which the greatest one is stored; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func max() -> Element? { typed(extreme(.greatest)) }
}

extension RealmCollection
where Element: _OptionalCustomPersistable, Element._$Persisted: AddableType {
  /// The mean of the stored values; nil when all are null.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }
}

/// Sums and means of the elements.
extension RealmCollection where Element: AddableType {
  /// The sum of the elements; 0 when there is none. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum() -> Element { total.typed() }

  /// The mean of the elements; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Double? { total.average }

  /// The mean of the elements as a value of another type, of integers without its fraction; nil when there is none, and
  /// for a type that it does not fit.
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func average<T: AddableType & RealmCollectionValue>() -> T? { total.typedMean() }
}

extension RealmCollection where Element: _DecimalType {
  /// The mean of the elements, rounded to 34 digits; nil when there is none. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average() -> Decimal128? { total.typedAverage }
}

/// Aggregates over a persisted property, over to-one links too: `\.owner?.age`. A key path to anything
/// else, such as a computed property, ends the program with a message. An object that is there twice counts twice.
extension RealmCollection where Element: ObjectBase {
  /// The least value of a property; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    typed(extreme(keyPath, .least))
  }

  /// The least value of an optional property; see ``min(of:)-(KeyPath<Self.Element,V>)``.
  public func min<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    typed(extreme(keyPath, .least))
  }

  /// The greatest value of a property; nil when there is none. Nulls and NaNs are left out.
  ///
  /// - Complexity: O(n); O(log n) for an indexed property of all objects of a class.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V>) -> V? {
    typed(extreme(keyPath, .greatest))
  }

  /// The greatest value of an optional property; see ``max(of:)-(KeyPath<Self.Element,V>)``.
  public func max<V: RealmCollectionValue & MinMaxType>(of keyPath: KeyPath<Element, V?>) -> V? {
    typed(extreme(keyPath, .greatest))
  }

  /// The sum of a property; 0 when there is no object. Nulls are left out; integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V>) -> V {
    total(keyPath).typed()
  }

  /// The sum of an optional property; see ``sum(of:)-(KeyPath<Self.Element,V>)``.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Element, V?>) -> V {
    total(keyPath).typed()
  }

  /// The mean of a property; nil when there is no value. Nulls are left out.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? {
    total(keyPath).average
  }

  /// The mean of a property, rounded to 34 digits; see ``average(of:)-(KeyPath<Self.Element,V>)``.
  ///
  /// - Complexity: O(n).
  public func average<V: _DecimalType>(of keyPath: KeyPath<Element, V>) -> Decimal128? {
    total(keyPath).typedAverage
  }

  /// The case or value for which the least one is stored; nil when there is none.
  ///
  /// - Complexity: as the form for numbers and dates.
  public func min<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .least))
  }

  /// The case or value for which the least one is stored; nil when all are null.
  ///
  /// - Complexity: as the form for numbers and dates.
  public func min<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V?>
  ) -> V? where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .least))
  }

  /// The case or value for which the greatest one is stored; nil when there is none.
  ///
  /// - Complexity: as the form for numbers and dates.
  public func max<V: RealmCollectionValue & _CustomPersistable>(of keyPath: KeyPath<Element, V>)
    -> V?
  where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .greatest))
  }

  /// The case or value for which the greatest one is stored; nil when all are null.
  ///
  /// - Complexity: as the form for numbers and dates.
  public func max<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V?>
  ) -> V? where V.PersistedType: MinMaxType {
    typed(extreme(keyPath, .greatest))
  }

  /// The value for the sum of what is stored; for 0 when there is none. Integers wrap around.
  ///
  /// - Complexity: O(n).
  public func sum<V: RealmCollectionValue & CustomPersistable>(of keyPath: KeyPath<Element, V>) -> V
  where V.PersistedType: AddableType {
    V(persistedValue: total(keyPath).typed())
  }

  /// The mean of what is stored of a property; nil when there is no value.
  ///
  /// - Complexity: O(n).
  public func average<V: RealmCollectionValue & _CustomPersistable>(
    of keyPath: KeyPath<Element, V>
  ) -> Double? where V.PersistedType: AddableType {
    total(keyPath).average
  }

  /// The least value of a property that is known by its name when the program runs; nil when there is none. Nulls and
  /// NaNs are left out.
  ///
  /// - Parameter property: the name of the property, or names of to-one links and the property, separated by dots.
  /// - Returns: the value.
  /// - Throws: `Realm.Error` naming class and property: `.unknownProperty`, or `.invalidInput` for one that has no least
  ///   value or another type.
  /// - Complexity: O(n).
  public func min<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    typed(try extreme(named(property, V.self), .least, of: V._$elementType.kind.type))
  }

  /// The greatest value of a property that is known by its name when the program runs; see ``min(ofProperty:)``.
  public func max<V: RealmCollectionValue & MinMaxType>(ofProperty property: String) throws -> V? {
    typed(try extreme(named(property, V.self), .greatest, of: V._$elementType.kind.type))
  }

  /// The sum of a property that is known by its name when the program runs; 0 when there is no object. See
  /// ``min(ofProperty:)`` for what is thrown.
  public func sum<V: RealmCollectionValue & AddableType>(ofProperty property: String) throws -> V {
    try total(named(property, V.self)).typed()
  }

  /// The mean of a property that is known by its name when the program runs; nil when there is no value. Nulls are left
  /// out. See ``min(ofProperty:)`` for what is thrown.
  public func average(ofProperty property: String) throws -> Double? {
    try total(named(property, nil)).average
  }
}

extension Sequence where Element: RealmCollectionValue {
  /// What is stored of the elements; null for links and collections.
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
  /// A property by name, which must be of a type.
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

  /// The class of the objects; nil for an empty unmanaged collection of an unknown one.
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
  /// The value at the end of a path of names; null when a link on the way is.
  ///
  /// - Precondition: the class has such a path.
  fileprivate func value(along path: [String]) -> Value {
    var object: ObjectBase = self
    for name in path.dropLast() {
      guard let next = object.box(named: name)?.object else { return .null }
      object = next
    }
    return path.last.flatMap { object.box(named: $0)?.value } ?? .null
  }

  /// As queries name properties: the stored name first.
  private func box(named name: String) -> _Boxed? {
    guard let slot = try? info.description.slot(named: name) else { return nil }
    return info.properties[slot].read(self, slot)
  }
}

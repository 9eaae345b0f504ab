import VarveCore

extension RealmCollection {
  /// The elements in sections, by a key that is worked out of each.
  ///
  /// ```swift
  /// people.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
  /// ```
  /// - Parameters:
  ///   - block: the key of an element's section. It depends on the element alone.
  ///   - descriptors: what the elements are sorted by; without any they stay as they are. The sections are in the order
  ///     of their first elements.
  /// - Precondition: the collection is managed; the class has such properties, and each has an order.
  /// - Returns: the sections.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key,
    sortDescriptors descriptors: [SortDescriptor] = []
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: descriptors), SectionRule(block))
  }
}

extension RealmCollection where Element: _KeyPathNamed {
  /// The objects, or projections, in sections by a property, in its order.
  ///
  /// ```swift
  /// people.sectioned(by: \.age)
  /// ```
  /// - Parameters:
  ///   - keyPath: a property. The objects are sorted by it when it is a persisted one, over to-one links too, or shows
  ///     one; of another one the sections are sorted, and the objects stay in the order that they have.
  ///   - ascending: the direction; null comes first when ascending.
  /// - Precondition: the collection is managed.
  /// - Returns: the sections, in the order of their keys.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: SortableType & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let rule = SectionRule(
      keyPath, orderUnlessStored: SectionRule<Element, Key>.order(ascending: ascending))
    guard let path = rule.path else { return SectionedResults(queried, rule) }
    let key = ElementQuery.SortKey(path: path, isAscending: ascending)
    return SectionedResults(queried.ordered(by: [key]), rule)
  }

  /// The objects, or projections, in sections by a property, sorted by others.
  ///
  /// - Parameters:
  ///   - keyPath: a property, persisted or computed.
  ///   - descriptors: what the objects are sorted by, of the model. The sections are in the order of their first objects.
  /// - Precondition: the collection is managed; the class has such properties, and each has an order.
  /// - Returns: the sections.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors descriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: descriptors), SectionRule(keyPath))
  }
}

extension RealmCollection where Element: SortableType {
  /// The values, sorted, in sections by a key that is worked out of each.
  ///
  /// - Parameters:
  ///   - block: the key of a value's section. It depends on the value alone.
  ///   - ascending: the direction in which the values are sorted. The sections are in the order of their first values.
  /// - Precondition: the collection is managed.
  /// - Returns: the sections.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key, ascending: Bool
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(ascending: ascending), SectionRule(block))
  }
}

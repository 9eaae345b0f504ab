import VarveCore

extension RealmCollection {
  /// Returns the elements in sections by a key computed from each element.
  ///
  /// ```swift
  /// people.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
  /// ```
  /// - Parameters:
  ///   - block: Returns the key of an element's section. It must depend only on the element.
  ///   - descriptors: The sort order of the elements. Without any, the order is unchanged. Sections
  ///     are in the order of their first elements.
  /// - Precondition: The collection is managed. The class has the properties, and each has an
  ///   order.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key,
    sortDescriptors descriptors: [SortDescriptor] = []
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: descriptors), SectionRule(block))
  }
}

extension RealmCollection where Element: _KeyPathNamed {
  /// Returns the objects, or projections, in sections by a property, in the order of that property.
  ///
  /// ```swift
  /// people.sectioned(by: \.age)
  /// ```
  /// - Parameters:
  ///   - keyPath: The property. If the key path leads to a persisted property, possibly over to-one
  ///     links, or to a projection of one, the objects are sorted by it. Otherwise the sections are
  ///     sorted, and the objects keep their order.
  ///   - ascending: Whether the order is ascending. Null comes first in ascending order.
  /// - Precondition: The collection is managed.
  /// - Returns: The sections, in the order of their keys.
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

  /// Returns the objects, or projections, in sections by a property, sorted by other properties.
  ///
  /// - Parameters:
  ///   - keyPath: The property, persisted or computed.
  ///   - descriptors: The sort order of the objects, by properties of the model. Sections are in
  ///     the order of their first objects.
  /// - Precondition: The collection is managed. The class has the properties, and each has an
  ///   order.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors descriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: descriptors), SectionRule(keyPath))
  }
}

extension RealmCollection where Element: SortableType {
  /// Returns the sorted values in sections by a key computed from each value.
  ///
  /// - Parameters:
  ///   - block: Returns the key of a value's section. It must depend only on the value.
  ///   - ascending: Whether the values are sorted in ascending order. Sections are in the order of
  ///     their first values.
  /// - Precondition: The collection is managed.
  /// - Complexity: O(1); nothing is read yet.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key, ascending: Bool
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(ascending: ascending), SectionRule(block))
  }
}

/// Comparisons of sets with other collections, and operations that return new sets. The other
/// collection may be any sequence: a set, an array, results. See ``MutableSet`` for the equality of
/// elements.
extension MutableSet {
  /// Returns whether every element of the set is in another collection. True for an empty set.
  ///
  /// - Complexity: O(n + m), where m is the number of elements of the other collection.
  public func isSubset(of other: some Sequence<Element>) -> Bool {
    let others = Self.identities(of: other)
    return allSatisfy { others.contains(ElementIdentity($0)) }
  }

  /// Returns whether every element of another collection is in the set. True if that collection is
  /// empty.
  ///
  /// - Complexity: O(n + m), where m is the number of elements of the other collection.
  public func isSuperset(of other: some Sequence<Element>) -> Bool {
    Self.identities(of: self).isSuperset(of: other.lazy.map { ElementIdentity($0) })
  }

  /// Returns whether the set and another collection have an element in common.
  ///
  /// - Complexity: O(n + m), where m is the number of elements of the other collection.
  public func intersects(_ other: some Sequence<Element>) -> Bool {
    let others = Self.identities(of: other)
    return contains { others.contains(ElementIdentity($0)) }
  }

  /// Returns whether the set and another collection have no element in common.
  ///
  /// - Complexity: O(n + m), where m is the number of elements of the other collection.
  public func isDisjoint(with other: some Sequence<Element>) -> Bool { !intersects(other) }

  /// Returns a new unmanaged set with the elements of this set and of another collection.
  public func union(_ other: some Sequence<Element>) -> MutableSet {
    let union = MutableSet(self)
    union.formUnion(other)
    return union
  }

  /// Returns a new unmanaged set with the elements that are in both this set and another
  /// collection.
  public func intersection(_ other: some Sequence<Element>) -> MutableSet {
    let intersection = MutableSet(self)
    intersection.formIntersection(other)
    return intersection
  }

  /// Returns a new unmanaged set with the elements of this set that are not in another collection.
  public func subtracting(_ other: some Sequence<Element>) -> MutableSet {
    let difference = MutableSet(self)
    difference.subtract(other)
    return difference
  }

  /// Returns a new unmanaged set with the elements that are either in this set or in another
  /// collection, but not in both.
  public func symmetricDifference(_ other: some Sequence<Element>) -> MutableSet {
    let difference = MutableSet(self)
    difference.formSymmetricDifference(other)
    return difference
  }

  static func identities(of elements: some Sequence<Element>) -> Set<ElementIdentity> {
    Set(elements.map { ElementIdentity($0) })
  }
}

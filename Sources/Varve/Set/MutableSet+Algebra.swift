/// Comparing sets with other collections, and making new sets. All of these take anything that has elements: another
/// set, an array, results. Which elements are the same, ``MutableSet`` says.
extension MutableSet {
  /// Whether every element is in another collection.
  ///
  /// - Parameter other: the other.
  /// - Returns: whether it is so; true for an empty set.
  /// - Complexity: O(n + m) for m elements of the other.
  public func isSubset(of other: some Sequence<Element>) -> Bool {
    let others = Self.identities(of: other)
    return allSatisfy { others.contains(ElementIdentity($0)) }
  }

  /// Whether every element of another collection is in the set.
  ///
  /// - Parameter other: the other.
  /// - Returns: whether it is so; true for an empty other.
  /// - Complexity: O(n + m) for m elements of the other.
  public func isSuperset(of other: some Sequence<Element>) -> Bool {
    Self.identities(of: self).isSuperset(of: other.lazy.map { ElementIdentity($0) })
  }

  /// Whether the set and another collection have an element in common.
  ///
  /// - Parameter other: the other.
  /// - Returns: whether it is so.
  /// - Complexity: O(n + m) for m elements of the other.
  public func intersects(_ other: some Sequence<Element>) -> Bool {
    let others = Self.identities(of: other)
    return contains { others.contains(ElementIdentity($0)) }
  }

  /// Whether the set and another collection have no element in common.
  ///
  /// - Parameter other: the other.
  /// - Returns: whether it is so.
  /// - Complexity: O(n + m) for m elements of the other.
  public func isDisjoint(with other: some Sequence<Element>) -> Bool { !intersects(other) }

  /// A new unmanaged set with the elements of both.
  ///
  /// - Parameter other: the other.
  /// - Returns: the set; neither of the two is changed.
  public func union(_ other: some Sequence<Element>) -> MutableSet {
    let union = MutableSet(self)
    union.formUnion(other)
    return union
  }

  /// A new unmanaged set with the elements that another collection has too.
  ///
  /// - Parameter other: the other.
  /// - Returns: the set; neither of the two is changed.
  public func intersection(_ other: some Sequence<Element>) -> MutableSet {
    let intersection = MutableSet(self)
    intersection.formIntersection(other)
    return intersection
  }

  /// A new unmanaged set with the elements that another collection does not have.
  ///
  /// - Parameter other: the other.
  /// - Returns: the set; neither of the two is changed.
  public func subtracting(_ other: some Sequence<Element>) -> MutableSet {
    let difference = MutableSet(self)
    difference.subtract(other)
    return difference
  }

  /// A new unmanaged set with the elements that one of the two has.
  ///
  /// - Parameter other: the other.
  /// - Returns: the set; neither of the two is changed.
  public func symmetricDifference(_ other: some Sequence<Element>) -> MutableSet {
    let difference = MutableSet(self)
    difference.formSymmetricDifference(other)
    return difference
  }

  static func identities(of elements: some Sequence<Element>) -> Set<ElementIdentity> {
    Set(elements.map { ElementIdentity($0) })
  }
}

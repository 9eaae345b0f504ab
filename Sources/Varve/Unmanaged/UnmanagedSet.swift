/// The elements of an unmanaged set: values in the order of a stored set, objects in the order of
/// insertion.
///
/// The stored form and the identity of an element are determined before the set is locked, because
/// that may run code of the model.
struct UnmanagedSet<Element: RealmCollectionValue>: Sendable {
  /// An element with its identity.
  struct Member: Sendable {
    let identity: ElementIdentity
    let element: Element

    init(_ element: Element) {
      identity = ElementIdentity(element)
      self.element = element
    }
  }

  private var members: [Member] = []
  private var identities: Set<ElementIdentity> = []
  /// Whether the values are sorted. They are sorted when they are read.
  private var isInOrder = true

  init(_ members: [Member]) { insert(members) }

  var count: Int { members.count }

  /// The elements, in order.
  ///
  /// - Complexity: O(n), plus sorting when elements were inserted out of order.
  var elements: [Element] {
    mutating get {
      sort()
      return members.map(\.element)
    }
  }

  /// Returns the element at an index, or nil when the index is out of bounds.
  mutating func element(at index: Int) -> Element? {
    sort()
    return members.indices.contains(index) ? members[index].element : nil
  }

  /// The last element; nil when the set is empty.
  var last: Element? {
    mutating get {
      sort()
      return members.last?.element
    }
  }

  func contains(_ identity: ElementIdentity) -> Bool { identities.contains(identity) }

  /// Inserts elements. Existing elements are not changed.
  mutating func insert(_ added: [Member]) {
    for member in added where identities.insert(member.identity).inserted {
      if let last = members.last, member.identity.precedes(last.identity) == true {
        isInOrder = false
      }
      members.append(member)
    }
  }

  /// Removes elements.
  ///
  /// - Returns: The removed elements.
  /// - Complexity: O(n).
  mutating func remove(_ unwanted: Set<ElementIdentity>) -> [Member] {
    guard !identities.isDisjoint(with: unwanted) else { return [] }
    identities.subtract(unwanted)
    return removeMembers { unwanted.contains($0) }
  }

  /// Removes all other elements.
  ///
  /// - Returns: The removed elements.
  /// - Complexity: O(n).
  mutating func keep(_ kept: Set<ElementIdentity>) -> [Member] {
    identities.formIntersection(kept)
    return removeMembers { !kept.contains($0) }
  }

  /// Replaces all elements.
  ///
  /// - Returns: The previous elements.
  mutating func replace(with other: UnmanagedSet) -> UnmanagedSet {
    let old = self
    self = other
    return old
  }

  private mutating func removeMembers(where isUnwanted: (ElementIdentity) -> Bool) -> [Member] {
    let removed = members.filter { isUnwanted($0.identity) }
    members.removeAll { isUnwanted($0.identity) }
    return removed
  }

  private mutating func sort() {
    guard !isInOrder else { return }
    isInOrder = true
    members.sort { $0.identity.precedes($1.identity) ?? false }
  }
}

/// The elements of an unmanaged set: values in the order of a stored set, objects in that of their insertion.
///
/// What is stored of an element, and what it is told by, is found out before: that may be code of the model.
///
/// Thread safety: a value.
struct UnmanagedSet<Element: RealmCollectionValue>: Sendable {
  /// An element with what tells it from others.
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
  /// Whether values stand in order; they are sorted when they are read.
  private var isInOrder = true

  init(_ members: [Member]) { insert(members) }

  var count: Int { members.count }

  /// The elements, in order.
  ///
  /// - Complexity: O(n), and the sort if elements were inserted out of order.
  var elements: [Element] {
    mutating get {
      sort()
      return members.map(\.element)
    }
  }

  /// The element at a place; nil out of bounds.
  mutating func element(at index: Int) -> Element? {
    sort()
    return members.indices.contains(index) ? members[index].element : nil
  }

  /// The last element; nil for none.
  var last: Element? {
    mutating get {
      sort()
      return members.last?.element
    }
  }

  func contains(_ identity: ElementIdentity) -> Bool { identities.contains(identity) }

  /// Inserts elements; those that are there are no change.
  mutating func insert(_ added: [Member]) {
    for member in added where identities.insert(member.identity).inserted {
      if let last = members.last, member.identity.precedes(last.identity) == true {
        isInOrder = false
      }
      members.append(member)
    }
  }

  /// Removes some elements.
  ///
  /// - Returns: those that there were.
  /// - Complexity: O(n).
  mutating func remove(_ unwanted: Set<ElementIdentity>) -> [Member] {
    guard !identities.isDisjoint(with: unwanted) else { return [] }
    identities.subtract(unwanted)
    return removeMembers { unwanted.contains($0) }
  }

  /// Removes all other elements.
  ///
  /// - Returns: those that there were.
  /// - Complexity: O(n).
  mutating func keep(_ wanted: Set<ElementIdentity>) -> [Member] {
    identities.formIntersection(wanted)
    return removeMembers { !wanted.contains($0) }
  }

  /// Takes over other elements in place of all.
  ///
  /// - Returns: what there was.
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

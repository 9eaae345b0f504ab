/// The elements of an unmanaged set: values in the order of a stored set, objects in that of their insertion.
///
/// Thread safety: a value.
struct UnmanagedSet<Element: RealmCollectionValue>: Sendable {
  private struct Member: Sendable {
    let identity: ElementIdentity
    let element: Element
  }

  private var members: [Member] = []
  private var identities: Set<ElementIdentity> = []
  /// Whether values stand in order; they are sorted when they are read.
  private var isInOrder = true

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

  func contains(_ element: Element) -> Bool {
    identities.contains(ElementIdentity(element))
  }

  /// Inserts an element; one that is there is no change.
  mutating func insert(_ element: Element) {
    let identity = ElementIdentity(element)
    guard identities.insert(identity).inserted else { return }
    if let last = members.last, identity.precedes(last.identity) == true { isInOrder = false }
    members.append(Member(identity: identity, element: element))
  }

  /// Removes some elements.
  ///
  /// - Complexity: O(n).
  mutating func remove(_ unwanted: Set<ElementIdentity>) {
    guard !identities.isDisjoint(with: unwanted) else { return }
    identities.subtract(unwanted)
    members.removeAll { unwanted.contains($0.identity) }
  }

  /// Removes all other elements.
  ///
  /// - Complexity: O(n).
  mutating func keep(_ wanted: Set<ElementIdentity>) {
    identities.formIntersection(wanted)
    members.removeAll { !wanted.contains($0.identity) }
  }

  private mutating func sort() {
    guard !isInOrder else { return }
    isInOrder = true
    members.sort { $0.identity.precedes($1.identity) ?? false }
  }
}

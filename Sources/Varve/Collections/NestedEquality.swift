import VarveCore

/// Compares unmanaged lists and maps of mixed values without recursion: they may be nested to any
/// depth, and contain themselves.
///
/// Each pair of collections is compared once, however often it occurs.
struct NestedEquality {
  private struct Pair: Hashable {
    let left: ObjectIdentifier
    let right: ObjectIdentifier
  }

  private var compared: Set<Pair> = []
  private var pending: [(left: any _AnyCollection, right: any _AnyCollection)] = []
  /// Keeps the compared elements alive: the address of a freed collection could be reused.
  private var elements: [[_Boxed]] = []

  private init() {}

  /// Returns whether two unmanaged collections are equal, including all nested ones.
  ///
  /// - Complexity: O(elements), including nested ones.
  static func areEqual(_ left: any _AnyCollection, _ right: any _AnyCollection) -> Bool {
    var comparison = NestedEquality()
    comparison.pending = [(left, right)]
    while let (left, right) = comparison.pending.popLast() {
      guard comparison.haveEqualElements(left, right) else { return false }
    }
    return true
  }

  /// Compares the elements of two collections. Nested collections are queued for comparison.
  private mutating func haveEqualElements(
    _ left: any _AnyCollection, _ right: any _AnyCollection
  ) -> Bool {
    guard left.isDictionary == right.isDictionary else { return false }
    if left.isDictionary {
      let (entries, others) = (left.unmanagedEntries, right.unmanagedEntries)
      guard entries.count == others.count,
        zip(entries, others).allSatisfy({ $0.key == $1.key })
      else { return false }
      return areEqual(entries.map(\.value), others.map(\.value))
    }
    return areEqual(left.unmanagedElements, right.unmanagedElements)
  }

  private mutating func areEqual(_ elements: [_Boxed], _ others: [_Boxed]) -> Bool {
    guard elements.count == others.count else { return false }
    var hasPending = false
    for (element, other) in zip(elements, others) {
      guard case .collection(let left) = element.content,
        case .collection(let right) = other.content
      else {
        guard element.hasEqualValue(other) else { return false }
        continue
      }
      if left === right || left.handle.isSame(as: right.handle) { continue }
      guard !left.handle.isManaged, !right.handle.isManaged else { return false }
      let pair = Pair(left: ObjectIdentifier(left), right: ObjectIdentifier(right))
      guard compared.insert(pair).inserted else { continue }
      pending.append((left, right))
      hasPending = true
    }
    if hasPending { self.elements += [elements, others] }
    return true
  }
}

extension _Boxed {
  /// Returns whether two mixed values are equal, at most one of which is a collection.
  fileprivate func hasEqualValue(_ other: _Boxed) -> Bool {
    AnyRealmValue._$unboxed(self, nil) == AnyRealmValue._$unboxed(other, nil)
  }
}

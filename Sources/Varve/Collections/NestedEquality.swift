import VarveCore

/// Compares lists and maps of mixed values that are in no realm, without calls within calls: they may be nested to any depth,
/// and contain themselves.
///
/// Two collections are compared once, however often both stand in the same places.
///
/// Thread safety: a value for one comparison.
struct NestedEquality {
  private struct Pair: Hashable {
    let left: ObjectIdentifier
    let right: ObjectIdentifier
  }

  private var met: Set<Pair> = []
  private var waiting: [(left: any _AnyCollection, right: any _AnyCollection)] = []
  /// Keeps what was met: the place of one that has ended could be another's.
  private var elements: [[_Boxed]] = []

  private init() {}

  /// Whether two collections that are in no realm are equal, and all in them.
  ///
  /// - Complexity: O(elements), of those in one another too.
  static func areEqual(_ left: any _AnyCollection, _ right: any _AnyCollection) -> Bool {
    var comparison = NestedEquality()
    comparison.waiting = [(left, right)]
    while let (left, right) = comparison.waiting.popLast() {
      guard comparison.haveEqualElements(left, right) else { return false }
    }
    return true
  }

  /// Compares elements; collections among them are to be compared later.
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
    var areHeld = false
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
      guard met.insert(pair).inserted else { continue }
      waiting.append((left, right))
      areHeld = true
    }
    if areHeld { self.elements += [elements, others] }
    return true
  }
}

extension _Boxed {
  /// Whether mixed values that are no two collections are equal.
  fileprivate func hasEqualValue(_ other: _Boxed) -> Bool {
    AnyRealmValue._$unboxed(self, nil) == AnyRealmValue._$unboxed(other, nil)
  }
}

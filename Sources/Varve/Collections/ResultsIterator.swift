import VarveCore

/// Walks results in one version; gives live (or frozen) objects.
///
/// An object that nobody holds any more when the next one is asked for is used again for that one, so
/// that a loop makes one object instead of one for each row.
///
/// Thread safety: none; make one for each walk.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
  private let walk: ObjectWalk
  private let mayReuse: Bool
  private var last: Element?

  init(_ cell: ResultsCell) {
    walk = ObjectWalk(cell)
    mayReuse = walk.mayReuseHandles && ClassInfo.of(Element.self).hasOnlyPersistedState
  }

  /// The next object; nil at the end.
  public mutating func next() -> Element? {
    if mayReuse, isKnownUniquelyReferenced(&last), let last, last.hasNoOtherReferences {
      return walk.next(last.cell) ? last : nil
    }
    let object = Element()
    guard walk.next(object.cell) else { return nil }
    if mayReuse { last = object }
    return object
  }
}

extension ObjectBase {
  /// Whether no weak and no unowned reference to the object was made.
  var hasNoOtherReferences: Bool {
    // Each object counts itself once in both.
    _getWeakRetainCount(self) <= 1 && _getUnownedRetainCount(self) <= 1
  }
}

import VarveCore

/// Walks a list in one version.
///
/// Thread safety: none; make one for each walk.
public struct ListIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[Element]>?
  private let walk: _ListWalk?

  init(_ list: List<Element>) {
    copied = list.copiedElements?.makeIterator()
    walk = copied == nil ? _ListWalk(list.handle) : nil
  }

  /// The next element; nil at the end.
  public mutating func next() -> Element? {
    guard let walk else { return copied?.next() }
    return Element._$next(of: walk)
  }
}

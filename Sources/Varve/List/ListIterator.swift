import VarveCore

/// An iterator over one version of a list.
///
/// Thread safety: none. Create an iterator for each iteration.
public struct ListIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[Element]>?
  private let walk: _ListWalk?

  init(_ list: List<Element>) {
    copied = list.copiedElements?.makeIterator()
    walk = copied == nil ? _ListWalk(list.handle) : nil
  }

  /// Returns the next element; nil at the end.
  public mutating func next() -> Element? {
    guard let walk else { return copied?.next() }
    return Element._$next(of: walk)
  }
}

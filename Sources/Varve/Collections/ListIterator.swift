import VarveCore

/// Walks a list in one version.
///
/// Thread safety: none; make one for each walk.
public struct ListIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[Element]>?
  private let walk: ElementWalk?
  private let list: List<Element>

  init(_ list: List<Element>) {
    self.list = list
    copied = list.copiedElements?.makeIterator()
    walk = copied == nil ? ElementWalk(list.cell) : nil
  }

  /// The next element; nil at the end.
  public mutating func next() -> Element? {
    guard let walk else { return copied?.next() }
    return walk.next().map { list.element($0) ?? Element._$missing(list.source) }
  }
}

import VarveCore

/// Walks results in one version; gives live (or frozen) objects.
///
/// Thread safety: none; make one for each walk.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
  private let walk: ObjectWalk

  init(_ cell: ResultsCell) { walk = ObjectWalk(cell) }

  /// The next object; nil at the end.
  public mutating func next() -> Element? {
    let object = Element()
    return walk.next(object.cell) ? object : nil
  }
}

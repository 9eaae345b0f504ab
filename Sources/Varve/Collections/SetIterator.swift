import VarveCore
import VarveEncoding

/// Walks a set in one version, in the order of its elements.
///
/// Thread safety: none; make one for each walk.
public struct SetIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[Element]>?
  private let walk: SetWalk?
  private let cell: CollectionCell
  /// What objects are read in, all of them in one.
  private let source: _ReadSource?

  init(_ set: MutableSet<Element>) {
    cell = set.cell
    copied = set.copiedElements?.makeIterator()
    walk = copied == nil ? cell.setWalk : nil
    source = cell.readSource
  }

  /// The next element; nil at the end.
  public mutating func next() -> Element? {
    guard let walk else { return copied?.next() }
    do throws(Failure) {
      guard let value = try walk.next() else { return nil }
      return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
    } catch {
      cell.context?.store.markDamaged(error.message)
      return nil
    }
  }
}

extension MutableSet {
  /// The elements of an unmanaged set, or of one read inside a write, where it may change during the walk; nil for those
  /// that a snapshot holds.
  fileprivate var copiedElements: [Element]? {
    if let elements = unmanaged?.read(cell, { $0.elements }) { return elements }
    guard cell.context?.transaction != nil else { return nil }
    return cell.setElements.map { Element.typed($0, in: cell) }
  }
}

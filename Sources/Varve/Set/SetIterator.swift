import VarveCore
import VarveEncoding

/// An iterator over one version of a set, in the order of its elements.
///
/// Thread safety: none. Create an iterator for each iteration.
public struct SetIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[Element]>?
  private let walk: SetWalk?
  private let handle: CollectionHandle
  /// The source shared by all elements that are objects.
  private let source: _ReadSource?

  init(_ set: MutableSet<Element>) {
    handle = set.handle
    copied = set.copiedElements?.makeIterator()
    walk = copied == nil ? handle.setWalk : nil
    source = handle.readSource
  }

  /// Returns the next element; nil at the end.
  public mutating func next() -> Element? {
    guard let walk else { return copied?.next() }
    do throws(Failure) {
      guard let value = try walk.next() else { return nil }
      return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
    } catch {
      handle.context?.store.markDamaged(error.message)
      return nil
    }
  }
}

extension MutableSet {
  /// The elements to iterate when they are not those of a snapshot; see
  /// ``CollectionHandle/copied(_:_:inWrite:)``.
  fileprivate var copiedElements: [Element]? {
    handle.copied(unmanaged, { $0.elements }) {
      handle.setElements.map { Element.typed($0, in: handle) }
    }
  }
}

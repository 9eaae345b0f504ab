import VarveCore
import VarveEncoding

/// Walks a map in one version, in the order of its keys.
///
/// Thread safety: none; make one for each walk.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var copied: IndexingIterator<[(key: String, value: Value)]>?
  private let walk: DictionaryWalk?
  private let cell: CollectionCell
  /// What objects are read in, all of them in one.
  private let source: _ReadSource?

  init(_ map: Map<Key, Value>) {
    cell = map.cell
    copied = map.copiedEntries?.makeIterator()
    walk = copied == nil ? cell.dictionaryWalk : nil
    source = cell.readSource
  }

  /// The next entry; nil at the end.
  public mutating func next() -> (key: Key, value: Value)? {
    guard let walk else { return copied?.next().map { (Key(_$key: $0.key), $0.value) } }
    do throws(Failure) {
      guard let (key, value) = try walk.next() else { return nil }
      let typed = Value._$unboxed(_Boxed(value), source) ?? Value._$missing(source)
      return (Key(_$key: key), typed)
    } catch {
      cell.context?.store.markDamaged(error.message)
      return nil
    }
  }
}

extension Map {
  /// The entries of an unmanaged map, or of one read inside a write, where it may change during the walk; nil for those
  /// that a snapshot holds.
  fileprivate var copiedEntries: [(key: String, value: Value)]? {
    if let entries = unmanaged?.read(cell, { $0.entries }) { return entries }
    return cell.context?.transaction == nil ? nil : storedEntries
  }
}

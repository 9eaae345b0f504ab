import VarveCore
import VarveEncoding

/// Walks a map in one version, in the order of its keys.
///
/// Thread safety: none; make one for each walk.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline var copied: IndexingIterator<[(key: String, value: Value)]>?
  @usableFromInline let walk: _MapWalk?

  init(_ map: Map<Key, Value>) {
    copied = map.copiedEntries?.makeIterator()
    walk = copied == nil ? _MapWalk(map.cell) : nil
  }

  // Inlinable, because the type of the entry would otherwise be looked up at each step.
  /// The next entry; nil at the end.
  @inlinable
  public mutating func next() -> (key: Key, value: Value)? {
    guard let walk else {
      guard let entry = copied?.next() else { return nil }
      return (Key(_$key: entry.key), entry.value)
    }
    guard let (key, boxed) = walk.next() else { return nil }
    return (
      Key(_$key: key), Value._$unboxed(boxed, walk.source) ?? Value._$missing(walk.source)
    )
  }
}

/// Walks the entries of a managed map.
///
/// Thread safety: none.
@usableFromInline
final class _MapWalk {
  private let walk: DictionaryWalk?
  private let cell: CollectionCell
  /// What objects are read in, all of them in one.
  @usableFromInline let source: _ReadSource?

  fileprivate init(_ cell: CollectionCell) {
    self.cell = cell
    walk = cell.dictionaryWalk
    source = cell.readSource
  }

  /// The next entry; nil at the end, and where the map is damaged.
  @usableFromInline
  func next() -> (key: String, value: _Boxed)? {
    guard let walk else { return nil }
    do throws(Failure) {
      guard let (key, value) = try walk.next() else { return nil }
      return (key, _Boxed(value))
    } catch {
      cell.context?.store.markDamaged(error.message)
      return nil
    }
  }
}

extension Map {
  /// What a walk goes over that is not one of a version, see ``CollectionCell/copied(_:_:inWrite:)``.
  fileprivate var copiedEntries: [(key: String, value: Value)]? {
    cell.copied(unmanaged, { $0.entries }) { storedEntries }
  }
}

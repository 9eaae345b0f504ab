import VarveCore
import VarveEncoding

/// Walks a map in one version, in the order of its keys.
///
/// Thread safety: none; make one for each walk.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline var copied: IndexingIterator<[(key: String, value: Value)]>?
  private let walk: _MapWalk?
  /// The walk, without counting references: `walk` keeps it.
  @usableFromInline let walkReference: Unmanaged<_MapWalk>?

  init(_ map: Map<Key, Value>) {
    copied = map.copiedEntries?.makeIterator()
    walk = copied == nil ? _MapWalk(map.handle) : nil
    walkReference = walk.map { .passUnretained($0) }
  }

  // Inlinable, because the type of the entry would otherwise be looked up at each step.
  /// The next entry; nil at the end.
  @inlinable
  public mutating func next() -> (key: Key, value: Value)? {
    defer { withExtendedLifetime(self) {} }
    guard let walkReference else {
      guard let entry = copied?.next() else { return nil }
      return (Key(_$key: entry.key), entry.value)
    }
    var key = ""
    guard let value = walkReference._withUnsafeGuaranteedRef({ Value._$next(of: $0, key: &key) })
    else { return nil }
    return (Key(_$key: key), value)
  }
}

/// Walks the entries of a managed map, whatever its value type.
///
/// Thread safety: none; make one for each walk.
public final class _MapWalk {
  private let walk: DictionaryWalk?
  private let handle: CollectionHandle
  /// What values are read in that may be objects, all of them in one; nil where none may.
  fileprivate let source: _ReadSource?

  /// - Parameters:
  ///   - handle: the map's.
  ///   - wantsValues: false when only the keys are wanted.
  init(_ handle: CollectionHandle, wantsValues: Bool = true) {
    self.handle = handle
    walk = handle.dictionaryWalk(wantsValues: wantsValues)
    source = wantsValues && handle.traits.mayLink ? handle.readSource : nil
  }

  /// The key of the next entry; nil at the end.
  func nextKey() -> String? {
    var key = ""
    return next(key: &key) == nil ? nil : key
  }

  /// The value of the next entry, whose key takes the place of another; nil at the end, and where the map is damaged.
  @inline(__always)
  fileprivate func next(key: inout String) -> VarveEncoding.Value? {
    guard let walk else { return nil }
    do throws(Failure) {
      return try walk.next(key: &key)
    } catch {
      noteDamage(error)
      return nil
    }
  }

  @inline(never)
  private func noteDamage(_ failure: Failure) {
    handle.context?.store.markDamaged(failure.message)
  }
}

extension RealmCollectionValue {
  /// The value of the next entry of a walk over a managed map, whose key takes the place of another; nil at the end.
  public static func _$next(of walk: _MapWalk, key: inout String) -> Self? {
    guard let value = walk.next(key: &key) else { return nil }
    return _$unboxed(_Boxed(value), walk.source) ?? _$missing(walk.source)
  }
}

extension Map {
  /// What a walk goes over that is not one of a version, see ``CollectionHandle/copied(_:_:inWrite:)``.
  fileprivate var copiedEntries: [(key: String, value: Value)]? {
    handle.copied(unmanaged, { $0.entries }) { storedEntries }
  }
}

import VarveCore
import VarveEncoding

/// An iterator over one version of a map, in the order of its keys.
///
/// Thread safety: none. Create an iterator for each iteration.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline var copied: IndexingIterator<[(key: String, value: Value)]>?
  private let walk: _MapWalk?
  /// The walk, accessed without reference counting: `walk` retains it.
  @usableFromInline let walkReference: Unmanaged<_MapWalk>?

  init(_ map: Map<Key, Value>) {
    copied = map.copiedEntries?.makeIterator()
    walk = copied == nil ? _MapWalk(map.handle) : nil
    walkReference = walk.map { .passUnretained($0) }
  }

  // Inlinable, because the type of the entry would otherwise be looked up for each entry.
  /// Returns the next entry; nil at the end.
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

/// An iteration over the entries of a managed map of any value type.
///
/// Thread safety: none.
public final class _MapWalk {
  private let walk: DictionaryWalk?
  private let handle: CollectionHandle
  /// The source shared by all values that may be objects; nil when none may be.
  fileprivate let source: _ReadSource?

  /// - Parameters:
  ///   - handle: The handle of the map.
  ///   - includingValues: Whether values are read, and not only keys.
  init(_ handle: CollectionHandle, includingValues: Bool = true) {
    self.handle = handle
    walk = handle.dictionaryWalk(includingValues: includingValues)
    source = includingValues && handle.traits.mayLink ? handle.readSource : nil
  }

  /// Returns the key of the next entry; nil at the end.
  func nextKey() -> String? {
    var key = ""
    return next(key: &key) == nil ? nil : key
  }

  /// Returns the value of the next entry, and replaces `key` by its key; nil at the end, and when
  /// the map is damaged.
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

  /// Returns the value of the next entry, and replaces `key` by its key, if the value is an integer
  /// of eight bytes that the fast path reads; otherwise nil, with nothing read.
  @inline(__always)
  fileprivate func nextInteger(key: inout String) -> Int64? { walk?.nextInteger(key: &key) }

  @inline(never)
  private func noteDamage(_ failure: Failure) {
    handle.context?.store.markDamaged(failure.message)
  }
}

extension RealmCollectionValue {
  /// Returns the value of the next entry of an iteration over a managed map, and stores its key in
  /// `key`; nil at the end.
  public static func _$next(of walk: _MapWalk, key: inout String) -> Self? {
    guard let value = walk.next(key: &key) else { return nil }
    return _$unboxed(_Boxed(value), walk.source) ?? _$missing(walk.source)
  }
}

extension _Scalar where Self: FixedWidthInteger {
  /// Returns the value of the next entry of an iteration over a managed map, and stores its key in
  /// `key`; nil at the end.
  public static func _$next(of walk: _MapWalk, key: inout String) -> Self? {
    if let integer = walk.nextInteger(key: &key) { return Self(exactly: integer) ?? 0 }
    guard let value = walk.next(key: &key) else { return nil }
    return _$unboxed(_Boxed(value), nil) ?? 0
  }
}

extension Map {
  /// The entries to iterate when they are not those of a snapshot; see
  /// ``CollectionHandle/copied(_:_:inWrite:)``.
  fileprivate var copiedEntries: [(key: String, value: Value)]? {
    handle.copied(unmanaged, { $0.entries }) { storedEntries }
  }
}

import VarveCore
import VarveEncoding

/// Walks results in one version; gives live (or frozen) objects.
///
/// An object that nobody holds any more when the next one is asked for is used again for that one, so
/// that a loop makes one object instead of one for each row.
///
/// Thread safety: none; make one for each walk.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var walk: _ObjectWalk?
  private var values: IndexingIterator<[Value]>
  private let source: _ReadSource

  init(_ results: Results<Element>) {
    switch results.content {
    case .objects(let cell):
      source = _ReadSource(cell.context)
      walk = _ObjectWalk(cell, of: Element.self)
      values = [].makeIterator()
    case .values(let cell):
      source = cell.query.cell?.readSource ?? _ReadSource(cell.context)
      values = cell.values.makeIterator()
    }
  }

  /// The next element; nil at the end.
  public mutating func next() -> Element? {
    guard walk == nil else { return Element._$next(of: &walk) }
    guard let value = values.next() else { return nil }
    return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
  }
}

/// A walk over the objects of results, whatever their class.
///
/// Thread safety: none; each walk makes its own.
public struct _ObjectWalk {
  private let walk: ObjectWalk
  private let mayReuse: Bool
  private var last: ObjectBase?

  init(_ cell: ResultsCell, of type: any RealmCollectionValue.Type) {
    walk = ObjectWalk(cell)
    let info = (type as? ObjectBase.Type).map(ClassInfo.of)
    mayReuse = walk.mayReuseHandles && info?.hasOnlyPersistedState ?? false
  }

  /// The next object, which is of the class that is walked; nil at the end.
  mutating func next<O: ObjectBase>(_ type: O.Type) -> O? {
    if mayReuse, isKnownUniquelyReferenced(&last), let last, last.hasNoOtherReferences {
      // Safe because this walk made it, of this class.
      return walk.next(last.cell) ? unsafeDowncast(last, to: O.self) : nil
    }
    let object = O()
    guard walk.next(object.cell) else { return nil }
    if mayReuse { last = object }
    return object
  }
}

extension RealmCollectionValue {
  /// The next object of a walk over results: for values none.
  public static func _$next(of walk: inout _ObjectWalk?) -> Self? { nil }
}

extension ObjectBase {
  /// The next object of a walk over results; nil at the end.
  public static func _$next(of walk: inout _ObjectWalk?) -> Self? { walk?.next(self) }

  /// Whether no weak and no unowned reference to the object was made.
  var hasNoOtherReferences: Bool {
    // Each object counts itself once in both.
    _getWeakRetainCount(self) <= 1 && _getUnownedRetainCount(self) <= 1
  }
}

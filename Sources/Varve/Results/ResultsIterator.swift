import VarveCore
import VarveEncoding

/// Walks results in one version; gives live (or frozen) objects.
///
/// An object that nobody holds any more when the next one is asked for is used again for that one, so
/// that a loop makes one object instead of one for each row.
///
/// Thread safety: none; make one for each walk.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let walk: _ObjectWalk?
  /// The walk, without counting references: `walk` keeps it.
  @usableFromInline let walkReference: Unmanaged<_ObjectWalk>?
  private var values: IndexingIterator<[Value]>
  private let source: _ReadSource

  init(_ results: Results<Element>) {
    let handle = results.handle
    if handle.query.isOfValues {
      source = results.valueSource
      walk = nil
      values = handle.values.makeIterator()
    } else {
      source = _ReadSource(handle.context)
      // Of projections the class of their objects.
      walk = (Element.self as? ObjectBase.Type ?? Element._$elementType.target)
        .map { _ObjectWalk(handle, of: $0) }
      values = [].makeIterator()
    }
    walkReference = walk.map { .passUnretained($0) }
  }

  /// The next element; nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    // Inlined, so that a program which knows the class pays for no generic code.
    defer { withExtendedLifetime(self) {} }
    guard let walkReference else { return nextValue() }
    guard let object = walkReference._withUnsafeGuaranteedRef({ $0.next() }) else { return nil }
    return Element._$walked(object)
  }

  @usableFromInline
  mutating func nextValue() -> Element? {
    guard let value = values.next() else { return nil }
    return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
  }
}

/// A walk over the objects of results, whatever their class.
///
/// Thread safety: none; each walk makes its own.
public final class _ObjectWalk {
  private let walk: ObjectWalk
  private let type: ObjectBase.Type
  private let mayReuse: Bool
  private var last: ObjectBase?
  /// The last object, without counting references: `last` keeps it.
  private var lastReference: Unmanaged<ObjectBase>?

  init(_ handle: ResultsHandle, of type: ObjectBase.Type) {
    walk = ObjectWalk(handle)
    self.type = type
    mayReuse = walk.mayReuseHandles && ClassInfo.of(type).hasOnlyPersistedState
  }

  /// The next object, which is of the class that is walked; nil at the end.
  @usableFromInline
  func next() -> ObjectBase? {
    if mayReuse, isKnownUniquelyReferenced(&last), let lastReference,
      lastReference._withUnsafeGuaranteedRef({ $0.hasNoOtherReferences })
    {
      return lastReference._withUnsafeGuaranteedRef({ walk.next($0.handle) })
        ? anotherReference(lastReference) : nil
    }
    let object = type.init()
    guard walk.next(object.handle) else { return nil }
    if mayReuse {
      last = object
      lastReference = .passUnretained(object)
    }
    return object
  }

  /// One more reference to an object that only this walk can reach.
  @inline(__always)
  private func anotherReference(_ object: Unmanaged<ObjectBase>) -> ObjectBase {
    // Safe because nobody else counts meanwhile: nobody else knows the object. The reference that is counted here
    // is the one that is taken.
    ObjectWalk.retain(sole: object.toOpaque())
    return object.takeRetainedValue()
  }
}

extension RealmCollectionValue {
  /// An object that a walk over results of this class made; for values none.
  public static func _$walked(_ object: consuming ObjectBase) -> Self? { nil }
}

extension ObjectBase {
  /// An object that a walk over results of this class made.
  @inlinable
  public static func _$walked(_ object: consuming ObjectBase) -> Self? {
    // Safe because the walk makes objects of the class of its results alone.
    unsafeDowncast(object, to: Self.self)
  }

  /// Whether no weak and no unowned reference to the object was made.
  var hasNoOtherReferences: Bool {
    // Each object counts itself once in both.
    _getWeakRetainCount(self) <= 1 && _getUnownedRetainCount(self) <= 1
  }
}

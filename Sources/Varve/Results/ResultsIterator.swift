import VarveCore
import VarveEncoding

/// An iterator over one version of results. The objects are live, or frozen if the results are.
///
/// The iterator reuses an object that has no other references when the next object is requested. A
/// loop therefore allocates one object instead of one for each row.
///
/// Thread safety: none. Create an iterator for each iteration.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let walk: _ObjectWalk?
  /// The walk, accessed without reference counting: `walk` retains it.
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
      // For projections, the class of their objects.
      walk = (Element.self as? ObjectBase.Type ?? Element._$elementType.target)
        .map { _ObjectWalk(handle, of: $0) }
      values = [].makeIterator()
    }
    walkReference = walk.map { .passUnretained($0) }
  }

  /// Returns the next element; nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    // Inlined so that a program with a known class executes no generic code.
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

/// An iteration over the objects of results of any class.
///
/// Thread safety: none.
public final class _ObjectWalk {
  private let walk: ObjectWalk
  private let type: ObjectBase.Type
  private let mayReuse: Bool
  private var last: ObjectBase?
  /// The last object, accessed without reference counting: `last` retains it.
  private var lastReference: Unmanaged<ObjectBase>?

  init(_ handle: ResultsHandle, of type: ObjectBase.Type) {
    walk = ObjectWalk(handle)
    self.type = type
    mayReuse = walk.mayReuseHandles && ClassInfo.of(type).hasOnlyPersistedState
  }

  /// Returns the next object, an instance of the class of the results; nil at the end.
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

  /// Returns an additional reference to an object that only this walk can reach.
  @inline(__always)
  private func anotherReference(_ object: Unmanaged<ObjectBase>) -> ObjectBase {
    // Safe because no other code can change the reference count in the meantime: only this walk
    // refers to the object. The reference that is retained here is the returned one.
    ObjectWalk.retain(sole: object.toOpaque())
    return object.takeRetainedValue()
  }
}

extension RealmCollectionValue {
  /// Returns an object that an iteration over results created; nil for values.
  public static func _$walked(_ object: consuming ObjectBase) -> Self? { nil }
}

extension ObjectBase {
  /// Returns an object that an iteration over results created.
  @inlinable
  public static func _$walked(_ object: consuming ObjectBase) -> Self? {
    // Safe because a walk makes only objects of the class of its results.
    unsafeDowncast(object, to: Self.self)
  }

  /// Whether the object has neither weak nor unowned references.
  var hasNoOtherReferences: Bool {
    // Each object counts itself once in both.
    _getWeakRetainCount(self) <= 1 && _getUnownedRetainCount(self) <= 1
  }
}

package import VarveCore
import VarveEncoding

/// A managed list or map of any element type.
public struct _CollectionSource: Sendable {
  package let handle: CollectionHandle
}

/// The bits of an element that a list stores in at most eight bytes.
public struct _PackedBits: Sendable {
  let bits: UInt64
  let type: VarveEncoding.PropertyType
}

/// An iteration over one version of a managed list of any element type.
///
/// Thread safety: none.
public struct _ListWalk {
  fileprivate let elements: ElementWalk
  /// Set only when elements may be objects.
  fileprivate let source: _ReadSource?

  /// - Returns: Nil when the owner of the list does not exist.
  init?(_ handle: CollectionHandle) {
    guard let elements = ElementWalk(handle) else { return nil }
    self.elements = elements
    source = elements.mayLink ? handle.readSource : nil
  }
}

// These are requirements of the element's protocol, and not functions of the collections, because a
// witness is compiled for each element type: a collection of any type then calls code specialized
// for integers, for strings, and so on.
extension RealmCollectionValue {
  /// The value of packed bits; nil for types without a direct conversion.
  @inline(__always)
  public static func _$unpacked(_ bits: _PackedBits) -> Self? { nil }

  /// Returns the element of a managed list; out of bounds, its substitute: an invalidated object or
  /// the zero value.
  public static func _$presentElement(of list: _CollectionSource, at index: Int) -> Self {
    if let element = _$element(of: list, at: index) { return element }
    let handle = list.handle
    handle.noteMissing(at: index)
    return _$missing(handle.context.map { _ReadSource($0) })
  }

  /// Returns the element of a managed list; nil out of bounds.
  @inline(__always)
  static func _$element(of list: _CollectionSource, at index: Int) -> Self? {
    let handle = list.handle
    let traits = handle.traits
    if traits.storesBits {
      switch handle.bits(at: index) {
      case .bits(let bits):
        return _$unpacked(_PackedBits(bits: bits, type: traits.type))
          ?? typed(traits.value(bits: bits), in: handle)
      case .null: return typed(.null, in: handle)
      case .outOfBounds: return nil
      }
    }
    switch handle.element(at: index) {
    case .value(let value): return typed(value, in: handle)
    case .outOfBounds: return nil
    }
  }

  /// Returns the next element of an iteration over a managed list; nil at the end.
  public static func _$next(of walk: _ListWalk) -> Self? {
    let elements = walk.elements
    guard let value = elements.next() else { return nil }
    return _$unboxed(_Boxed(value), walk.source) ?? _$missing(_ReadSource(elements.context))
  }

  /// Returns the value of a managed map; nil when the key is absent.
  public static func _$value(of map: _CollectionSource, forKey key: String) -> Self? {
    guard let value = map.handle.dictionaryValue(key) else { return nil }
    return typed(value, in: map.handle)
  }

  /// Returns the typed element of a managed collection, or the substitute for a missing element
  /// when the stored value has another type.
  @inline(__always)
  static func typed(_ value: Value, in handle: CollectionHandle) -> Self {
    let source = handle.traits.mayLink ? handle.readSource : nil
    return _$unboxed(_Boxed(value), source) ?? _$missing(handle.context.map { _ReadSource($0) })
  }
}

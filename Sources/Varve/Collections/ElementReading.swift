package import VarveCore
import VarveEncoding

/// A managed list or map, whatever its element type.
public struct _CollectionSource: Sendable {
  package let cell: CollectionCell
}

/// A walk over a managed list in one version, whatever its element type.
///
/// Thread safety: none; each walk makes its own.
public struct _ListWalk {
  fileprivate let elements: ElementWalk
  /// Set where elements may be objects.
  fileprivate let source: _ReadSource?

  /// - Returns: nil when the owner of the list does not exist.
  init?(_ cell: CollectionCell) {
    guard let elements = ElementWalk(cell) else { return nil }
    self.elements = elements
    source = elements.mayLink ? cell.readSource : nil
  }
}

// Requirements of the element's protocol, and not functions of the collections, because a witness is
// made for each element type: what a collection of any type calls is code for integers, for strings, ….
extension RealmCollectionValue {
  /// The element of a managed list, or what stands for one out of bounds.
  public static func _$presentElement(of list: _CollectionSource, at index: Int) -> Self {
    if let element = _$element(of: list, at: index) { return element }
    let cell = list.cell
    cell.noteMissing(at: index)
    return _$missing(cell.context.map { _ReadSource($0) })
  }

  /// The element of a managed list; nil out of bounds.
  @inline(__always)
  static func _$element(of list: _CollectionSource, at index: Int) -> Self? {
    let cell = list.cell
    let traits = cell.traits
    if traits.holdsBits {
      switch cell.bits(at: index) {
      case .bits(let bits): return typed(traits.value(bits: bits), in: cell)
      case .null: return typed(.null, in: cell)
      case .outOfBounds: return nil
      }
    }
    switch cell.element(at: index) {
    case .value(let value): return typed(value, in: cell)
    case .outOfBounds: return nil
    }
  }

  /// The next element of a walk over a managed list; nil at the end.
  public static func _$next(of walk: _ListWalk) -> Self? {
    let elements = walk.elements
    guard let value = elements.next() else { return nil }
    return _$unboxed(_Boxed(value), walk.source) ?? _$missing(_ReadSource(elements.context))
  }

  /// The value of a managed map; nil when the key is absent.
  public static func _$value(of map: _CollectionSource, forKey key: String) -> Self? {
    guard let value = map.cell.dictionaryValue(key) else { return nil }
    return typed(value, in: map.cell)
  }

  /// The typed element of a managed collection; what stands for a missing one when it is of another type.
  @inline(__always)
  static func typed(_ value: Value, in cell: CollectionCell) -> Self {
    let source = cell.traits.mayLink ? cell.readSource : nil
    return _$unboxed(_Boxed(value), source) ?? _$missing(cell.context.map { _ReadSource($0) })
  }
}

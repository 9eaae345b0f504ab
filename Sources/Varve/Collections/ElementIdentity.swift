import VarveCore
import VarveEncoding

/// The identity of an element of a collection.
///
/// Values have the same identity when the database treats them as equal; see `SetElementKey`.
/// Objects have the same identity when they refer to the same stored object, in any version, or are
/// the same instance.
enum ElementIdentity: Hashable, Sendable {
  case value(SetElementKey)
  case row(store: ObjectIdentifier, className: String, id: UInt64)
  case object(ObjectIdentifier)

  init(_ element: some RealmCollectionValue) {
    switch element._$boxed.content {
    case .value(let value):
      self = .value(SetElementKey(value, type(of: element)._$elementType.kind.type))
    case .object(let object): self.init(object: object)
    case .collection(let collection): self = .object(ObjectIdentifier(collection))
    case .unset: self = .value(SetElementKey(.null, type(of: element)._$elementType.kind.type))
    }
  }

  init(object: ObjectBase) {
    guard let context = object.handle.context, !object.handle.isRolledBack else {
      self = .object(ObjectIdentifier(object))
      return
    }
    self = .row(
      store: ObjectIdentifier(context.store), className: object.info.name, id: object.handle.id)
  }

  /// Returns whether the element precedes another; nil for objects.
  func precedes(_ other: ElementIdentity) -> Bool? {
    guard case .value(let mine) = self, case .value(let theirs) = other else { return nil }
    return mine < theirs
  }
}

extension RealmCollection {
  /// Returns the index of the first element that is the same object as the given one or, for
  /// values, is equal to it by `==`. See ``index(of:)``.
  ///
  /// - Complexity: O(n).
  func firstPosition(of element: Element) -> Int? {
    guard let object = element._$boxed.object else { return firstIndex { $0 == element } }
    let identity = ElementIdentity(object: object)
    return firstIndex { candidate in
      candidate._$boxed.object.map { ElementIdentity(object: $0) == identity } ?? false
    }
  }
}

package import VarveCore

/// A collection whose elements are encoded in their stored form.
package protocol BoxedElements: Sendable {
  /// Whether the collection is a map, which is encoded as a dictionary.
  var isDictionary: Bool { get }
  /// Calls `body` with each element and its key, in the order of the collection. Elements that were
  /// passed are not retained.
  func forEachBox(_ body: (_ key: String, _ box: _Boxed) throws -> Void) rethrows
}

extension BoxedElements {
  package var isDictionary: Bool { false }
}

extension BoxedElements where Self: Sequence, Self.Element: RealmCollectionValue {
  package func forEachBox(_ body: (_ key: String, _ box: _Boxed) throws -> Void) rethrows {
    for element in self { try body("", element._$boxed) }
  }
}

/// A type-erased list, set or map. An unmanaged one becomes managed with its owner.
package protocol _AnyCollection: AnyObject, BoxedElements {
  init()
  init(handle: CollectionHandle)
  var handle: CollectionHandle { get }
  var count: Int { get }
  var isInvalidated: Bool { get }
  /// The elements of an unmanaged list or set.
  var unmanagedElements: [_Boxed] { get }
  /// The entries of an unmanaged map.
  var unmanagedEntries: [(key: String, value: _Boxed)] { get }
  /// Replaces the contents of an unmanaged collection, or of a managed one inside a write.
  func replaceContent(_ elements: [_Boxed], _ entries: [(key: String, value: _Boxed)])
  /// Records the reads of an unmanaged collection on which a key path is evaluated.
  func record(_ recorder: _KeyPathRecorder)
  /// The number of changes made to the unmanaged contents.
  var unmanagedChanges: Int { get }
  /// Makes an unmanaged collection managed, atomically.
  ///
  /// - Parameter changes: The value of ``unmanagedChanges`` from before the contents were copied
  ///   for storing.
  /// - Returns: A closure that stores the contents again, inside the write, because another thread
  ///   has changed them since. Nil when the contents are unchanged, or when the collection was
  ///   already managed.
  func publish(
    _ context: ReadContext, _ binding: ClassBinding, ownerID: UInt64, slot: Int, changes: Int
  ) -> (() -> Void)?
}

// Inlined because the types are generic: code that is not inlined looks up their metadata.
extension _AnyCollection {
  package var unmanagedElements: [_Boxed] { [] }
  package var unmanagedEntries: [(key: String, value: _Boxed)] { [] }

  @inline(__always) var context: ReadContext? { handle.context }
  @inline(__always) var source: _ReadSource? { handle.readSource }

  /// Returns the collection of a property.
  @inline(__always)
  static func stored(in object: ObjectBase, _ slot: Int) -> Self {
    guard object.handle.isManaged, let context = object.handle.context else {
      guard case .collection(let collection) = object.unmanagedBox(slot).content,
        let collection = collection as? Self
      else { return Self() }
      if let recorder = object.recorder { collection.record(recorder) }
      return collection
    }
    return Self(
      handle: CollectionHandle(
        context: context, binding: object.handle.binding, ownerID: object.handle.id, slot: slot))
  }

  /// Returns the collection of a property, which keeps its identity and receives the contents of
  /// another collection; nil when both are the same collection.
  @inline(__always)
  static func target(in object: ObjectBase, _ slot: Int, of source: Self) -> Self? {
    let target = stored(in: object, slot)
    return target === source || target.handle.isSame(as: source.handle) ? nil : target
  }

  static func recording(_ recorder: _KeyPathRecorder) -> Self {
    let collection = Self()
    collection.record(recorder)
    return collection
  }

  /// Hashes the identity of a managed collection, or the number of elements of an unmanaged one.
  func hashIdentity(into hasher: inout Hasher) {
    if handle.isManaged {
      handle.hash(into: &hasher)
    } else {
      hasher.combine(count)
    }
  }

  /// Returns the collection pinned to the version that it reads now.
  ///
  /// - Parameter refusal: The error message for an unmanaged collection.
  func frozen(_ callSite: CallSite, _ refusal: String, _ name: @autoclosure () -> String) -> Self {
    guard let context else {
      UnmanagedUse.markFailed(refusal, name())
      return self
    }
    return context.isFrozen
      ? self : Self(handle: handle.moved(to: context.frozenContext(at: callSite)))
  }

  /// Returns the live collection; nil when the object that owns it no longer exists.
  func thawed() -> Self? {
    guard let context else { return nil }
    if !context.isFrozen { return self }
    return (try? context.thawedContext()).flatMap(existing)
  }

  /// Returns the collection in a realm; nil for an unmanaged collection, for one of another
  /// store, and when it does not exist in the realm.
  func resolved(in realm: Realm) -> Self? {
    guard handle.isManaged, let context, context.store === realm.store, !context.isInvalidated
    else {
      return nil
    }
    let attachment = realm.context.attachment(
      forObject: handle.owner.id, handle.owner.binding.model)
    return existing(in: attachment.context)
  }

  private func existing(in context: ReadContext) -> Self? {
    let collection = Self(handle: handle.moved(to: context))
    return collection.isInvalidated ? nil : collection
  }
}

package import VarveCore

/// A collection whose elements are coded as what is stored.
package protocol BoxedElements: Sendable {
  /// Whether it is a map, and written as a dictionary.
  var isDictionary: Bool { get }
  /// Calls `body` with each element, and its key, in the order of the collection; elements that were passed are not held.
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

/// A list, a set or a map behind its element type; unmanaged ones become managed with their owner.
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
  /// Replaces the content of an unmanaged collection, or of a managed one inside a write.
  func replaceContent(_ elements: [_Boxed], _ entries: [(key: String, value: _Boxed)])
  /// Records the reads of an unmanaged collection that a key path is evaluated on.
  func record(_ recorder: _KeyPathRecorder)
  /// Counts the changes of the unmanaged content.
  var unmanagedChanges: Int { get }
  /// Makes an unmanaged collection managed: one atomic publication.
  ///
  /// `changes`: ``unmanagedChanges`` from before the content was taken to be stored.
  /// - Returns: what stores the content once more, inside the write: somebody has changed it since. Nil
  ///   when nobody has, or when the collection was managed already.
  func publish(
    _ context: ReadContext, _ binding: ClassBinding, ownerID: UInt64, slot: Int, changes: Int
  ) -> (() -> Void)?
}

// Inlined, because the types are generic: what is not inlined looks up their metadata.
extension _AnyCollection {
  package var unmanagedElements: [_Boxed] { [] }
  package var unmanagedEntries: [(key: String, value: _Boxed)] { [] }

  @inline(__always) var context: ReadContext? { handle.context }
  @inline(__always) var source: _ReadSource? { handle.readSource }

  /// The collection of a property.
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

  /// The collection of a property, which stays the same one and is to take over the content of another; nil when it is
  /// that itself.
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

  /// Hashes the identity; of an unmanaged collection, the number of its elements.
  func hashIdentity(into hasher: inout Hasher) {
    if handle.isManaged {
      handle.hash(into: &hasher)
    } else {
      hasher.combine(count)
    }
  }

  /// The collection pinned to the version that it reads now.
  ///
  /// `refusal`: what an unmanaged one says.
  func frozen(_ place: CallSite, _ refusal: String, _ name: @autoclosure () -> String) -> Self {
    guard let context else {
      UnmanagedUse.markFailed(refusal, name())
      return self
    }
    return context.isFrozen
      ? self : Self(handle: handle.moved(to: context.frozenContext(at: place)))
  }

  /// The live collection; nil when its object does not exist any more.
  func thawed() -> Self? {
    guard let context else { return nil }
    if !context.isFrozen { return self }
    return (try? context.thawedContext()).flatMap(existing)
  }

  /// The collection in a realm; nil for an unmanaged one, one of another store and one that does not exist there.
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

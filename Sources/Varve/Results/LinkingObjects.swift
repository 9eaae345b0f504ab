import VarveCore
import VarveEncoding

/// The objects that link to an object through one of their properties.
///
/// ```swift
/// @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// ```
///
/// An object whose list contains several links to the object occurs once for each of them. The
/// linking objects of an unmanaged object are empty.
///
/// Thread safety: see ``Results``.
public struct LinkingObjects<Element: ObjectBase>: Sendable {
  /// The objects as results; nil for an unmanaged object.
  let results: Results<Element>?

  /// Creates the empty linking objects of an unmanaged object.
  public init() { results = nil }

  init(_ results: Results<Element>) { self.results = results }

  /// The realm; nil for an unmanaged object.
  public var realm: Realm? { results?.realm }
  /// Whether the linking objects are frozen: pinned to one version.
  public var isFrozen: Bool { results?.isFrozen ?? false }
  /// The number of links.
  public var count: Int { results?.count ?? 0 }
  /// The first object; nil when there is none.
  public var first: Element? { results?.first }
  /// The last object; nil when there is none.
  public var last: Element? { results?.last }

  /// Returns the index of an object; nil when it does not link here. See
  /// ``RealmCollection/index(of:)``.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? { results?.index(of: object) }
}

extension LinkingObjects {
  /// Returns the linking objects, frozen at the version that they read now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The linking objects belong to a managed object. Freezing those of an unmanaged
  ///   object traps. Inside a write, it instead marks the transaction as failed with `.unmanaged`
  ///   and returns the linking objects themselves.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> LinkingObjects {
    guard let results else {
      UnmanagedUse.markFailed(
        "The linking objects of an unmanaged object cannot be frozen.", Element.className())
      return self
    }
    return LinkingObjects(results.freeze(file: file, line: line))
  }

  /// Returns the live linking objects; nil when the object that they link to no longer exists or
  /// is unmanaged.
  public func thaw() -> LinkingObjects? {
    results?.thaw().map(LinkingObjects.init)
  }

  /// Whether the object that they link to was deleted. False for an unmanaged object.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
}

extension LinkingObjects: RealmCollection {
  /// The objects as results; nil for an unmanaged object.
  public var _$results: Results<Element>? { results }

  /// Returns the observation of the objects.
  public func _$observation(
    _ keyPaths: [String]?
  ) throws -> _CollectionObservation<LinkingObjects> {
    guard let results else {
      throw Realm.Error(.unmanaged, "Linking objects of an unmanaged object cannot be observed.")
    }
    return try results._$observation(keyPaths).map { LinkingObjects($0) }
  }

  /// Whether another task may change the linking objects.
  public var _$mayChange: Bool { results?._$mayChange ?? false }

  /// Accesses the object at an index; see ``Results``.
  public subscript(index: Int) -> Element { queried[index] }

  /// Returns an iterator over the objects of the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    guard let results else { return AnyIterator { nil } }
    var iterator = results.makeIterator()
    return AnyIterator { iterator.next() }
  }
}

extension LinkingObjects: CustomStringConvertible {
  /// The class of the objects and their number.
  public var description: String { "LinkingObjects<\(Element.self)> (\(count))" }
}

extension ObjectBase {
  /// Returns the objects that link to this one through the property in a slot; nil for an unmanaged
  /// object.
  func linkingObjects(_ slot: Int) -> ResultsHandle? {
    let property = info.properties[slot]
    guard let context = handle.context, let origin = property.originProperty,
      let target = property.type.target
    else { return nil }
    let source = LinkingSource(to: handle, originPropertyName: origin)
    return ResultsHandle(
      context: context,
      query: ElementQuery(.object(ClassInfo.of(target).description), source: .linking(source)))
  }
}

extension LinkingObjects: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> LinkingObjects {
    guard let results = object.linkingObjects(slot) else {
      _ = object.recorder?.note(object.info.properties[slot])
      return LinkingObjects()
    }
    return LinkingObjects(Results(results))
  }

  /// Traps: linking objects cannot be set.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: LinkingObjects) {
    Misuse.trap("Linking objects cannot be set.")
  }

  /// The value of a property without a declared default.
  public static func _$default() -> LinkingObjects { LinkingObjects() }
  /// The schema's description of the type.
  public static var _$type: _PropertyType {
    _PropertyType(PropertyKind(type: .link, collection: .list), target: Element.self)
  }
  /// No value: linking objects are not stored.
  public var _$boxed: _Boxed { .unset }
  /// Returns empty linking objects, which record no reads.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> LinkingObjects {
    LinkingObjects()
  }
}

extension LinkingObjects: Equatable {
  /// Returns whether two linking objects belong to the same object and the same property, in the
  /// same state: live, or frozen at the same version. The linking objects of unmanaged objects are
  /// empty, and equal.
  ///
  /// - Complexity: O(1).
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    guard let left = left.results, let right = right.results else {
      return left.results == nil && right.results == nil
    }
    let (mine, other) = (left.handle, right.handle)
    if mine === other { return true }
    guard case .linking(let source) = mine.query.source,
      case .linking(let otherSource) = other.query.source
    else { return false }
    return source.originPropertyName == otherSource.originPropertyName
      && mine.query.model === other.query.model && source.id == otherSource.id
      && mine.context.store === other.context.store
      && mine.context.isFrozen == other.context.isFrozen
      && (!mine.context.isFrozen || mine.context.version == other.context.version)
  }
}

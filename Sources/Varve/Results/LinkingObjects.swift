import VarveCore
import VarveEncoding

/// The objects that link to an object through one of their properties.
///
/// ```swift
/// @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// ```
///
/// An object that links several times, from a list, is there several times. Empty for an unmanaged
/// object.
///
/// Thread safety: as ``Results``.
public struct LinkingObjects<Element: ObjectBase>: Sendable {
  /// Nil for an unmanaged object.
  let results: Results<Element>?

  /// Makes the empty linking objects of an unmanaged object.
  public init() { results = nil }

  init(_ results: Results<Element>) { self.results = results }

  /// The realm; nil for an unmanaged object.
  public var realm: Realm? { results?.realm }
  /// Whether they are pinned to one version.
  public var isFrozen: Bool { results?.isFrozen ?? false }
  /// The number of links.
  public var count: Int { results?.count ?? 0 }
  /// The first object; nil when there is none.
  public var first: Element? { results?.first }
  /// The last object; nil when there is none.
  public var last: Element? { results?.last }

  /// The place of an object; nil when it does not link here. See ``RealmCollection/index(of:)``.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? { results?.index(of: object) }
}

extension LinkingObjects {
  /// The same linking objects pinned to the version that they read now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Precondition: they belong to a managed object. Those of an unmanaged one trap; inside a write they
  ///   doom it with `.unmanaged` and are given back as they are.
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

  /// The live linking objects.
  ///
  /// - Returns: nil when the object that they link to does not exist any more, or is unmanaged.
  public func thaw() -> LinkingObjects? {
    results?.thaw().map(LinkingObjects.init)
  }

  /// Whether the object that they link to was deleted. False for an unmanaged object.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
}

extension LinkingObjects: RealmCollection {
  /// The objects as results; nil for those of an unmanaged object.
  public var _$results: Results<Element>? { results }

  /// How the objects are observed.
  public func _$observation(
    _ keyPaths: [String]?
  ) throws -> _CollectionObservation<LinkingObjects> {
    guard let results else {
      throw Realm.Error(.unmanaged, "Linking objects of an unmanaged object cannot be observed.")
    }
    return try results._$observation(keyPaths).map { LinkingObjects($0) }
  }

  /// Whether another task may change what is read.
  public var _$mayChange: Bool { results?._$mayChange ?? false }

  /// The object at a place; see ``Results``.
  public subscript(index: Int) -> Element { queried[index] }

  /// Walks the objects in the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    guard let results else { return AnyIterator { nil } }
    var iterator = results.makeIterator()
    return AnyIterator { iterator.next() }
  }
}

extension LinkingObjects: CustomStringConvertible {
  /// The class of the objects, and their number.
  public var description: String { "LinkingObjects<\(Element.self)> (\(count))" }
}

extension ObjectBase {
  /// The objects that link to this one, through the property that a slot names; nil for an unmanaged
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

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: LinkingObjects) {
    preconditionFailure("Linking objects cannot be set.")
  }

  /// The value of a property that declares no default.
  public static func _$default() -> LinkingObjects { LinkingObjects() }
  /// What the schema says of the type.
  public static var _$type: _PropertyType {
    _PropertyType(PropertyKind(type: .link, collection: .list), target: Element.self)
  }
  /// The value without its type.
  public var _$boxed: _Boxed { .unset }
  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> LinkingObjects {
    LinkingObjects()
  }
}

extension LinkingObjects: Equatable {
  /// Whether two handles stand for the links to the same object through the same property, in the same state; those of
  /// unmanaged objects are equal, as all are empty.
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

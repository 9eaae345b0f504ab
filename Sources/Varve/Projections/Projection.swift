import VarveCore
/// A class whose objects show some of the properties of a model's object; use ``Projection``.
public protocol ProjectionObservable: AnyObject, _KeyPathNamed, ThreadConfined {
  /// The model.
  associatedtype Root: ObjectBase

  /// The object whose properties are shown.
  var rootObject: Root { get }

  /// Shows properties of an object.
  ///
  /// - Parameter object: the object.
  init(projecting object: Root)
}

/// The superclass of projections: classes that show some of the properties of a model's object, its links and its
/// lists, each as one property.
///
/// ```swift
/// final class PersonView: Projection<Person>, @unchecked Sendable {
///   @Projected(\Person.name) var name
///   @Projected(\Person.address?.city) var city
///   @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
/// }
///
/// let adults = realm.objects(PersonView.self).where { $0.age >= 18 }
/// ```
///
/// A projection is live or frozen as its ``rootObject`` is, reads from it, and writes to it where the key path can be
/// written. Results of projections are queried and sorted by the properties of the model. Observers of a projection, and
/// of a collection of projections, are told of what is projected and nothing else.
///
/// Without `@unchecked Sendable` the compiler warns that a subclass must restate it. Properties without `@Projected`
/// are ordinary ones, and not guarded against races.
///
/// Thread safety: any thread or task may use a projection, as its object.
open class Projection<Root: ObjectBase>: ProjectionObservable, CustomStringConvertible,
  @unchecked Sendable
{
  // Safe because the object is Sendable, and key paths do not change.

  /// The object whose properties are shown.
  public final let rootObject: Root

  /// Shows properties of an object.
  ///
  /// - Parameter object: the object; live, frozen or unmanaged.
  public required init(projecting object: Root) { rootObject = object }

  // MARK: As the object

  /// The realm; nil for an unmanaged object.
  public final var realm: Realm? { rootObject.realm }
  /// Whether the object was deleted.
  public final var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the object is pinned to one version.
  public final var isFrozen: Bool { rootObject.isFrozen }

  /// The projection of the object pinned to the version that it reads now; see ``ObjectBase/freeze(file:line:)``.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Returns: the frozen projection.
  /// - Precondition: the object is managed.
  public final func freeze(file: StaticString = #fileID, line: UInt = #line) -> Self {
    Self(projecting: rootObject.freeze(file: file, line: line))
  }

  /// The projection of the live object.
  ///
  /// - Returns: nil when the object does not exist any more, or is unmanaged.
  public final func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  /// The projection of the same object in another realm of the same store; nil when it does not exist there.
  public final func _$resolved(in realm: Realm) -> Self? {
    rootObject._$resolved(in: realm).map { Self(projecting: $0) }
  }

  /// Whether two projections are of one class and show the same object; see ``ObjectBase/==(_:_:)`` and
  /// ``ObjectBase/isSameObject(as:)``.
  public static func == (left: Projection, right: Projection) -> Bool {
    type(of: left) == type(of: right)
      && (left.rootObject == right.rootObject || left.rootObject.isSameObject(as: right.rootObject))
  }

  /// Hashes the object.
  public final func hash(into hasher: inout Hasher) {
    let object = rootObject
    guard object.handle.isManaged, object.primaryKeyValue == nil else {
      return hasher.combine(object)
    }
    hasher.combine(object.handle.id)
  }

  /// The class, the object's class and the properties that are projected.
  public final var description: String {
    let values = ProjectedValue.all(of: self).map { "\t\($0.name) = \($0.read(rootObject));\n" }
    return "\(type(of: self))<\(Root.self)> {\n\(values.joined())}"
  }
}

/// What makes a projection an element of results: it is stored as its object.
extension ProjectionObservable {
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { Root._$elementType }

  /// The object.
  public var _$boxed: _Boxed { rootObject._$boxed }

  /// The projection of an object; nil when the box holds something else.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    Root._$unboxed(boxed, source).map { Self(projecting: $0) }
  }

  /// The projection of what stands for an object that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self {
    Self(projecting: Root._$missing(source))
  }

  /// The projection of an object that a walk over results made.
  public static func _$walked(_ object: consuming ObjectBase) -> Self? {
    Root._$walked(object).map { Self(projecting: $0) }
  }

  /// A projection that records which properties are read from its object.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    Self(projecting: Root._$recordingElement(recorder))
  }
}

extension Realm {
  /// All objects of a class, as projections; see ``objects(_:)-(T.Type)``.
  ///
  /// - Parameter type: the class of the projections.
  /// - Complexity: O(1); nothing is read yet.
  /// - Returns: the results, which follow the realm.
  public func objects<P: ProjectionObservable>(_ type: P.Type) -> Results<P>
  where P.Root: Object {
    Results<P>(objects(P.Root.self).handle)
  }
}

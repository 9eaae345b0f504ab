import VarveCore

/// A class whose instances project properties of a model object. Subclass ``Projection`` instead of
/// conforming to it.
public protocol ProjectionObservable: AnyObject, _KeyPathNamed, ThreadConfined {
  /// The model class.
  associatedtype Root: ObjectBase

  /// The object whose properties are projected.
  var rootObject: Root { get }

  /// Creates a projection of an object.
  init(projecting object: Root)
}

/// The base class of projections: classes that present selected properties of a model object, its
/// links and its lists.
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
/// A projection is live or frozen like its ``rootObject``. It reads from that object, and writes to
/// it when the key path is writable. Results of projections are queried and sorted by the
/// properties of the model. Observers of a projection, and of a collection of projections, are
/// notified of changes of the projected properties only.
///
/// Without `@unchecked Sendable`, the compiler warns that a subclass must restate it. Properties
/// without `@Projected` are ordinary properties, and access to them is not synchronized.
///
/// Thread safety: any thread or task may use a projection, as it may use the object.
open class Projection<Root: ObjectBase>: ProjectionObservable, CustomStringConvertible,
  @unchecked Sendable
{
  // Safe because the object is Sendable, and key paths do not change.

  /// The object whose properties are projected.
  public final let rootObject: Root

  /// Creates a projection of an object, which can be live, frozen or unmanaged.
  public required init(projecting object: Root) { rootObject = object }

  // MARK: State of the object

  /// The realm; nil for an unmanaged object.
  public final var realm: Realm? { rootObject.realm }
  /// Whether the object was deleted.
  public final var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the object is frozen: pinned to one version.
  public final var isFrozen: Bool { rootObject.isFrozen }

  /// Returns the projection of the frozen object. See ``ObjectBase/freeze(file:line:)``.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The object is managed.
  public final func freeze(file: StaticString = #fileID, line: UInt = #line) -> Self {
    Self(projecting: rootObject.freeze(file: file, line: line))
  }

  /// Returns the projection of the live object, or nil when the object no longer exists or is
  /// unmanaged.
  public final func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  /// Returns the projection of the same object in another realm of the same store, or nil when the
  /// object does not exist there.
  public final func _$resolved(in realm: Realm) -> Self? {
    rootObject._$resolved(in: realm).map { Self(projecting: $0) }
  }

  /// Returns whether two projections have the same class and project the same object. See
  /// ``ObjectBase/==(_:_:)`` and ``ObjectBase/isSameObject(as:)``.
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

  /// The class, the class of the object and the projected properties.
  public final var description: String {
    let values = ProjectedValue.all(of: self).map { "\t\($0.name) = \($0.read(rootObject));\n" }
    return "\(type(of: self))<\(Root.self)> {\n\(values.joined())}"
  }
}

/// Conformance to the requirements of elements. A projection is stored as its object.
extension ProjectionObservable {
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { Root._$elementType }

  /// The object.
  public var _$boxed: _Boxed { rootObject._$boxed }

  /// The projection of an object; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    Root._$unboxed(boxed, source).map { Self(projecting: $0) }
  }

  /// The projection of a placeholder for an object that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> Self {
    Self(projecting: Root._$missing(source))
  }

  /// The projection of an object that an iteration over results created.
  public static func _$walked(_ object: consuming ObjectBase) -> Self? {
    Root._$walked(object).map { Self(projecting: $0) }
  }

  /// A projection that records the properties read from its object.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    Self(projecting: Root._$recordingElement(recorder))
  }
}

extension Realm {
  /// Returns all objects of a class, as live results of projections. See `objects(_:)`.
  ///
  /// - Parameter type: The class of the projections.
  /// - Complexity: O(1); nothing is read yet.
  public func objects<P: ProjectionObservable>(_ type: P.Type) -> Results<P>
  where P.Root: Object {
    Results<P>(objects(P.Root.self).handle)
  }
}

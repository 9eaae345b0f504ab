import Foundation
import VarveCore
import VarveEncoding

/// An object of a class that the program need not declare. Its properties are those that the file
/// stores, and are accessed by name.
///
/// ```swift
/// for dog in try realm.dynamicObjects("Dog") { print(dog["name"] ?? "-") }
/// ```
///
/// Integers have their stored width, where 64-bit integers are `Int`. Enumerations read as their
/// raw values, links as `DynamicObject`, lists as ``List``, sets as ``MutableSet``, maps as
/// ``Map``, and null as nil. Linking objects are not stored; see
/// ``dynamicLinkingObjects(ofType:property:)``.
///
/// For a name that the class does not have, ``ObjectBase/value(forKey:)`` and
/// ``ObjectBase/setValue(_:forKey:)`` throw an error. The subscripts cannot throw: inside a write,
/// they mark the transaction as failed; outside of one, they return nil.
///
/// Thread safety: see ``Object``.
@dynamicMemberLookup
public final class DynamicObject: Object, @unchecked Sendable {
  // Safe because the only state that it adds is constant.

  /// The class of an unmanaged object; nil for an object that was created without a class.
  private let declaredClass: ClassInfo?

  /// Creates an object without a class, which has no properties and cannot be stored.
  public required init() {
    declaredClass = nil
    super.init()
  }

  init(_ info: ClassInfo) {
    declaredClass = info
    super.init()
  }

  var classInfo: ClassInfo {
    if handle.isManaged { return ClassInfo.of(handle.binding.model) }
    return declaredClass ?? ClassInfo.of(DynamicObject.self)
  }

  /// The value of a property, accessed as a member: `dog.name`.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }
}

extension DynamicObject {
  /// Returns the object as an instance of a class that the program declares; nil for another class,
  /// and for a class whose types differ.
  func reattached<T: Object>() -> T? {
    let description = ClassInfo.of(T.self).description
    guard description.name == info.name, let context = handle.context, !handle.isRolledBack else {
      return nil
    }
    let attachment = context.attachment(forObject: handle.id, description)
    let object = T.handle(handle.id, attachment.binding, in: attachment.context)
    return object.isInvalidated ? nil : object
  }
}

/// Access to collections by property name, whether or not the program declares the class.
extension ObjectBase {
  /// Returns a list property of objects.
  ///
  /// - Parameter name: The name of the property.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.typeMismatch` for a property of another type.
  public final func dynamicList(_ name: String) throws -> List<DynamicObject> {
    try dynamicList(name, of: DynamicObject.self)
  }

  /// Returns a list property of values.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - element: The type of the elements, as the file stores them.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicList<Element>(
    _ name: String, of element: Element.Type
  ) throws -> List<Element> {
    try collection(name)
  }

  /// Returns a map property of objects.
  ///
  /// - Parameter name: The name of the property.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicMap(_ name: String) throws -> Map<String, DynamicObject?> {
    try dynamicMap(name, of: DynamicObject?.self)
  }

  /// Returns a map property of values.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - value: The type of the values, as the file stores them.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicMap<Value>(
    _ name: String, of value: Value.Type
  ) throws -> Map<String, Value> {
    try collection(name)
  }

  /// Returns a set property of objects.
  ///
  /// - Parameter name: The name of the property.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicSet(_ name: String) throws -> MutableSet<DynamicObject> {
    try collection(name)
  }

  /// Returns a set property of objects. The same as ``dynamicSet(_:)``.
  ///
  /// - Parameter name: The name of the property.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicMutableSet(_ name: String) throws -> MutableSet<DynamicObject> {
    try collection(name)
  }

  /// Returns a set property of values.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - element: The type of the elements, as the file stores them.
  /// - Throws: The errors of ``dynamicList(_:)``.
  public final func dynamicSet<Element>(
    _ name: String, of element: Element.Type
  ) throws -> MutableSet<Element> {
    try collection(name)
  }

  private func collection<C>(_ name: String) throws -> C {
    try Realm.Error.translating {
      guard let slot = info.slot(named: name) else {
        throw Failure.unknownProperty(name, info.name)
      }
      let property = info.properties[slot]
      if case .collection(let collection) = property.read(self, slot).content {
        if let collection = collection as? C { return collection }
        // A collection of a declared class is also available as one of dynamic objects.
        if !(self is DynamicObject), property.type.target != nil,
          let collection = try dynamicObject().collection(storedAs: property.columnName) as? C
        {
          return collection
        }
      }
      throw Failure(
        .typeMismatch, "The property has another type.", className: info.name, propertyName: name,
        value: property.type.kind.typeName(target: property.type.targetName))
    }
  }

  /// Returns the object as a dynamic object.
  ///
  /// - Throws: `.unmanaged`; `.unknownClass` when the file does not contain the class.
  final func dynamicObject() throws(Failure) -> DynamicObject {
    if let object = self as? DynamicObject { return object }
    guard let context = handle.context, handle.isManaged else {
      throw Failure(
        .unmanaged, "An unmanaged object has no dynamic collections of objects.",
        className: info.name)
    }
    let attachment = context.attachment(
      forObject: handle.id, try context.dynamicClass(named: info.name).description)
    return DynamicObject.handle(handle.id, attachment.binding, in: attachment.context)
  }

  private func collection(storedAs name: String) -> (any _AnyCollection)? {
    guard let slot = info.slot(storedAs: name),
      case .collection(let collection) = info.properties[slot].read(self, slot).content
    else { return nil }
    return collection
  }
}

extension AnyRealmValue {
  /// The value as a dynamic object; nil for a value that is not an object, and for an unmanaged
  /// object of a declared class.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    return try? object.dynamicObject()
  }
}

extension DynamicObject {
  /// Returns the objects of a class that link to this one through a property.
  ///
  /// - Parameters:
  ///   - className: The name of the linking class.
  ///   - property: The name of a link, list, set or map property of that class.
  /// - Returns: The objects, each as often as it links to this one.
  /// - Throws: `Realm.Error`: `.unknownClass`, `.unknownProperty`, `.typeMismatch` for a property
  ///   that does not link to this class, `.unmanaged` for an unmanaged object.
  public func dynamicLinkingObjects(
    ofType className: String, property: String
  ) throws -> Results<DynamicObject> {
    try Realm.Error.translating {
      guard let context = handle.context else {
        throw Failure(
          .unmanaged, "An unmanaged object has no linking objects.", className: info.name)
      }
      let origin = try context.dynamicClass(named: className)
      let description = origin.description.properties[try origin.description.slot(named: property)]
      guard description.targetClassName == info.name else {
        throw Failure(
          .typeMismatch, "The property does not link to the class.", className: className,
          propertyName: property, value: info.name)
      }
      let source = LinkingSource(to: handle, originPropertyName: property)
      return Results(
        ElementQuery(.object(origin.description), source: .linking(source)), in: context)
    }
  }
}

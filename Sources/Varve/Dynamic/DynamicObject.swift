import Foundation
import VarveCore
import VarveEncoding

/// An object whose class the program does not declare: its properties are those that the file stores, and are
/// asked for by name.
///
/// ```swift
/// for dog in try realm.dynamicObjects("Dog") { print(dog["name"] ?? "-") }
/// ```
///
/// Integers read in the width that is stored, those of 64 bits as `Int`, enumerations as their raw values, links as
/// `DynamicObject`, lists as ``List``, sets as ``MutableSet`` and maps as ``Map`` of their elements' types, null as nil. Linking objects are not
/// stored; see ``dynamicLinkingObjects(ofType:property:)``.
///
/// A name that the class does not have is an error: ``ObjectBase/value(forKey:)`` and ``ObjectBase/setValue(_:forKey:)``
/// throw it. The subscripts cannot: inside a write it dooms the write, outside it reads as nil.
///
/// Thread safety: as ``Object``.
@dynamicMemberLookup
public final class DynamicObject: Object, @unchecked Sendable {
  // Safe because the only state that it adds is constant.

  /// The class of an unmanaged object; nil for one that was made without a class.
  private let declaredClass: ClassInfo?

  /// Makes an object without a class, which has no properties and cannot be stored.
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

  /// A property, written as a member: `dog.name`.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }
}

extension DynamicObject {
  /// The same object as one of a class that the program declares; nil for another class, and for one with other types.
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

/// Collections by the names of their properties, whether the program declares the class or not.
extension ObjectBase {
  /// A list of objects.
  ///
  /// - Parameter name: the name of the property.
  /// - Returns: the list.
  /// - Throws: `Realm.Error`: `.unknownProperty`, `.typeMismatch` for a property that is none.
  public final func dynamicList(_ name: String) throws -> List<DynamicObject> {
    try dynamicList(name, of: DynamicObject.self)
  }

  /// A list of values.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - element: the type of the elements, as the file stores them.
  /// - Returns: the list.
  /// - Throws: as ``dynamicList(_:)``.
  public final func dynamicList<Element>(
    _ name: String, of element: Element.Type
  ) throws -> List<Element> {
    try collection(name)
  }

  /// A map of objects.
  ///
  /// - Parameter name: the name of the property.
  /// - Returns: the map.
  /// - Throws: as ``dynamicList(_:)``.
  public final func dynamicMap(_ name: String) throws -> Map<String, DynamicObject?> {
    try dynamicMap(name, of: DynamicObject?.self)
  }

  /// A map of values.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - value: the type of the values, as the file stores them.
  /// - Returns: the map.
  /// - Throws: as ``dynamicList(_:)``.
  public final func dynamicMap<Value>(
    _ name: String, of value: Value.Type
  ) throws -> Map<String, Value> {
    try collection(name)
  }

  /// A set of objects.
  ///
  /// - Parameter name: the name of the property.
  /// - Returns: the set.
  /// - Throws: as ``dynamicList(_:)``.
  public final func dynamicSet(_ name: String) throws -> MutableSet<DynamicObject> {
    try collection(name)
  }

  /// As ``dynamicSet(_:)``.
  public final func dynamicMutableSet(_ name: String) throws -> MutableSet<DynamicObject> {
    try collection(name)
  }

  /// A set of values.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - element: the type of the elements, as the file stores them.
  /// - Returns: the set.
  /// - Throws: as ``dynamicList(_:)``.
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
        // Objects of a class that the program declares, as those of one that it does not.
        if !(self is DynamicObject), property.type.target != nil,
          let collection = try dynamicObject().collectionHandle(property.columnName) as? C
        {
          return collection
        }
      }
      throw Failure(
        .typeMismatch, "The property is of another type.", className: info.name, propertyName: name,
        value: property.type.kind.typeName(target: property.type.targetName))
    }
  }

  /// The same object as one of a class that the program does not declare.
  ///
  /// - Throws: `.unmanaged`; `.unknownClass` when the file does not have the class.
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

  private func collectionHandle(_ name: String) -> (any _AnyCollection)? {
    guard let slot = info.slot(named: name),
      case .collection(let collection) = info.properties[slot].read(self, slot).content
    else { return nil }
    return collection
  }
}

extension AnyRealmValue {
  /// The object that the value is, as one of a class that the program need not declare; nil for anything else, and for
  /// an unmanaged object of a class that it declares.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    return try? object.dynamicObject()
  }
}

extension DynamicObject {
  /// The objects of a class that link to this one through one of their properties.
  ///
  /// - Parameters:
  ///   - className: the class.
  ///   - property: a link, a list or a map of objects of that class.
  /// - Returns: the objects, each as often as it links; none for an unmanaged object.
  /// - Throws: `Realm.Error`: `.unknownClass`, `.unknownProperty`, `.typeMismatch` for a property that does not link to
  ///   this class, `.unmanaged`.
  public func dynamicLinkingObjects(
    ofType className: String, property: String
  ) throws -> Results<DynamicObject> {
    try Realm.Error.translating {
      guard let context = handle.context else {
        throw Failure(.unmanaged, "Nothing links to an unmanaged object.", className: info.name)
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

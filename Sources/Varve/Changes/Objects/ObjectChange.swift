import VarveCore
import VarveEncoding

/// What the observer of an object, or of a projection of one, is called with.
public enum ObjectChange<T: Sendable>: Sendable {
  /// Is never used: what goes wrong is thrown by the next `refresh`, write or opening of the file.
  case error(any Error)
  /// Properties were set. The object is frozen at the version that the change leads to.
  case change(T, [PropertyChange])
  /// The object was deleted; nothing more will come.
  case deleted
}

/// A property of an object that was set.
///
/// Thread safety: a value.
public struct PropertyChange: @unchecked Sendable, CustomStringConvertible {
  // Safe because the values are those of properties, all of which are Sendable.

  /// The property's name.
  public let name: String
  /// The value before: integers in their declared width, enumerations as their raw values, an object frozen; nil for null
  /// and for collections. Of a projection, the value as that has it.
  public let oldValue: Any?
  /// The value now.
  public let newValue: Any?

  /// The name and both values.
  public var description: String {
    "\(name): \(oldValue.map { "\($0)" } ?? "nil") -> \(newValue.map { "\($0)" } ?? "nil")"
  }
}

extension ObjectBase {
  /// The changes of properties between two handles of one object; this is the later one.
  func propertyChanges(_ names: [String], since old: ObjectBase) -> [PropertyChange] {
    names.compactMap { name in
      guard let property = info.properties.first(where: { $0.columnName == name }) else {
        return nil
      }
      return PropertyChange(
        name: property.name, oldValue: old.observedValue(of: property),
        newValue: observedValue(of: property)
      )
    }
  }

  /// Every stored property, with its value now.
  var propertiesOfUnknownChange: [PropertyChange] {
    info.properties.filter { info.description.properties[$0.slot].isStored }.map {
      PropertyChange(name: $0.name, oldValue: nil, newValue: observedValue(of: $0))
    }
  }

  private func observedValue(of property: PropertyDescriptor) -> Any? {
    property.read(self, property.slot).observed(as: property.type)
  }
}

extension _Boxed {
  /// The value as changes tell it; nil for null and for collections.
  func observed(as type: _PropertyType) -> Any? {
    if case .collection = content { nil } else { keyedValue(as: type) }
  }
}

extension ObjectChange where T: ObjectBase {
  /// The same, of objects as those of a superclass, which the caller has checked.
  func upcast<S: ObjectBase>() -> ObjectChange<S> {
    switch self {
    case .error(let error): .error(error)
    case .deleted: .deleted
    case .change(let object, let properties):
      if let object = object as? S { .change(object, properties) } else { .deleted }
    }
  }
}

import VarveCore
import VarveEncoding

/// The notification that the observer of an object, or of a projection of an object, receives.
public enum ObjectChange<T: Sendable>: Sendable {
  /// Never used. Errors are thrown by the next `refresh`, write or opening of the file.
  case error(any Error)
  /// Properties were set. The object is frozen at the version after the change.
  case change(T, [PropertyChange])
  /// The object was deleted. This is the last notification.
  case deleted
}

/// A property of an object that was set.
public struct PropertyChange: @unchecked Sendable, CustomStringConvertible {
  // Safe because the values are those of properties, all of which are Sendable.

  /// The property's name.
  public let name: String
  /// The previous value. Integers have their declared width, enumerations are raw values, and
  /// objects are frozen. Nil for null and for collections. For a projection, the value as
  /// projected.
  public let oldValue: Any?
  /// The new value.
  public let newValue: Any?

  /// The name of the property and both values.
  public var description: String {
    "\(name): \(oldValue.map { "\($0)" } ?? "nil") -> \(newValue.map { "\($0)" } ?? "nil")"
  }
}

extension ObjectBase {
  /// Returns the changes of properties, given by their declared names, from an older handle of the
  /// same object to this one.
  func propertyChanges(_ names: [String], since old: ObjectBase) -> [PropertyChange] {
    names.compactMap { name in
      guard let property = info.slot(named: name).map({ info.properties[$0] }) else {
        return nil
      }
      return PropertyChange(
        name: property.name, oldValue: old.observedValue(of: property),
        newValue: observedValue(of: property)
      )
    }
  }

  /// All stored properties with their current values.
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
  /// Returns the value as reported in changes; nil for null and for collections.
  func observed(as type: _PropertyType) -> Any? {
    if case .collection = content { nil } else { keyedValue(as: type) }
  }
}

extension ObjectChange where T: ObjectBase {
  /// Returns the change with the object as an instance of a superclass, which the caller has
  /// checked.
  func upcast<S: ObjectBase>() -> ObjectChange<S> {
    switch self {
    case .error(let error): .error(error)
    case .deleted: .deleted
    case .change(let object, let properties):
      if let object = object as? S { .change(object, properties) } else { .deleted }
    }
  }
}

import Foundation
import VarveCore
import VarveEncoding

extension List: KeyedCollection {}
extension Results: KeyedCollection {}
extension LinkingObjects: KeyedCollection {}

extension MutableSet: KeyedCollection {
  var keyed: KeyedElements {
    var keyed = KeyedElements(self)
    keyed.isSet = true
    return keyed
  }

  /// Returns a property of each element as a Swift set; see ``ObjectBase/value(forKey:)``.
  ///
  /// ```swift
  /// let names = try bag.coins.value(forKey: "name") as? Set<String>
  /// ```
  ///
  /// Equal values are one element. A context that requires an array selects the method that all
  /// collections have: `let all: [Any?] = try bag.coins.value(forKey: "name")`.
  ///
  /// - Parameter key: The name of a persisted property; `self` stands for the element.
  /// - Returns: A set that can be cast to a set of the property's type, as in
  ///   ``ObjectBase/value(forKey:)``, or of its optional type if there may be a null; an array for
  ///   linking objects.
  /// - Throws: The errors of the method of all collections.
  /// - Complexity: O(n).
  public func value(forKey key: String) throws -> Any? {
    try Realm.Error.translating { KeyedElements.set(of: try keyed.values(forKey: key)) as Any? }
  }
}

extension AnyRealmCollection: KeyedCollection {
  var keyed: KeyedElements { (base as? any KeyedCollection)?.keyed ?? KeyedElements(self) }
}

/// Access to properties of the elements by names that are known only at run time.
extension _LiveCollection where Element: RealmCollectionValue {
  /// Returns a property of each element; see ``ObjectBase/value(forKey:)``.
  ///
  /// - Parameter key: The name of a persisted property; `self` stands for the element.
  /// - Returns: The values in the order of the elements, nil for null.
  /// - Throws: `Realm.Error`: `.unknownProperty`; `.invalidatedObject` when the owner of the
  ///   collection is deleted; `.invalidInput` for an operator.
  /// - Complexity: O(n).
  public func value(forKey key: String) throws -> [Any?] {
    try Realm.Error.translating { try KeyedElements(self).values(forKey: key) }
  }

  /// Evaluates a key path on the elements; see ``ObjectBase/value(forKeyPath:)``.
  ///
  /// - Parameter keyPath: A key path such as `name`, `owner.name`, `@count` or `@avg.age`.
  /// - Returns: The result of the operator; without an operator, an array with a value for each
  ///   element, or a Swift set of the values for a ``MutableSet``.
  /// - Throws: The errors of ``ObjectBase/value(forKeyPath:)``.
  /// - Complexity: O(n).
  public func value(forKeyPath keyPath: String) throws -> Any? {
    try Realm.Error.translating {
      let keyed = (self as? any KeyedCollection)?.keyed ?? KeyedElements(self)
      return try keyed.value(try KeyPathWalk.names(keyPath, keyed.name))
    }
  }

  /// Sets a property of each element; see ``ObjectBase/setValue(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: The new value; nil for null.
  ///   - key: The name of a persisted property.
  /// - Throws: The errors of ``ObjectBase/setValue(_:forKey:)``; also `.invalidatedObject` when the
  ///   owner of the collection is deleted. If the value does not fit, no element is changed.
  /// - Complexity: O(n).
  public func setValue(_ value: Any?, forKey key: String) throws {
    try KeyedElements(self).set(value, forKey: key)
  }
}

extension List {
  /// Sets a property of each element, or with the key `self` each element; see
  /// ``ObjectBase/setValue(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: The new value; nil for null.
  ///   - key: The name of a persisted property of the elements, or `self`.
  /// - Throws: The errors of ``ObjectBase/setValue(_:forKey:)``; also `.invalidatedObject` when the
  ///   owner of the list is deleted. If the value does not fit, no element is changed.
  /// - Complexity: O(n).
  public func setValue(_ value: Any?, forKey key: String) throws {
    guard key == "self" else { return try keyed.set(value, forKey: key) }
    try Realm.Error.translating {
      let keyed = keyed
      try keyed.checkValid()
      let destination = ValueReader.Destination(
        handle.isManaged ? handle.className : "List",
        handle.isManaged ? handle.propertyDescription.alias : key,
        keyed.type.collection(.list))
      let box = try ValueReader.element(value ?? NSNull(), destination, for: context?.store)
      guard let element = Element._$unboxed(box, source) else { return }
      let elements = Array(repeating: element, count: count)
      guard let context else { return replaceAll(with: elements) }
      try context.change(
        className: handle.className, propertyName: handle.propertyDescription.alias
      ) { replaceAll(with: elements) }
    }
  }
}

extension Map: KeyedCollection {
  var keyed: KeyedElements {
    KeyedElements(
      type: Value._$elementType, isInvalidated: isInvalidated, of: self,
      entry: { self[Key(_$key: $0)]?._$boxed }, elements: { self.values.map(\._$boxed) })
  }

  /// Returns the value for a key, or a property of the map; see ``ObjectBase/value(forKey:)``.
  ///
  /// - Parameter key: A key of the map, or `@count`, `@allKeys`, `@allValues` or `@invalidated`.
  /// - Returns: The value; nil for null, for an absent key, and when the owner of the map is
  ///   deleted.
  /// - Throws: `Realm.Error` with `.invalidInput` for any other name that starts with `@`.
  public func value(forKey key: String) throws -> Any? {
    switch key {
    case "@invalidated": return isInvalidated
    case "@count": return count
    case "@allKeys": return keys.map(\._$key)
    case "@allValues": return values.map { $0._$boxed.keyedValue(as: Value._$elementType) }
    case _ where key.hasPrefix("@"):
      throw Realm.Error(keyed.failure(.invalidInput, "A map has no such property.", key))
    default:
      let box = isInvalidated ? nil : self[Key(_$key: key)]?._$boxed
      return box?.keyedValue(as: Value._$elementType)
    }
  }

  /// Evaluates a key path that starts with a key of the map or with an operator on the values; see
  /// ``ObjectBase/value(forKeyPath:)``.
  ///
  /// - Parameter keyPath: A key path such as `phone`, `home.city`, `@count` or `@sum.self`.
  /// - Returns: The value; nil for null and for an absent key.
  /// - Throws: The errors of ``ObjectBase/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) throws -> Any? {
    try Realm.Error.translating {
      let keyed = keyed
      return try keyed.value(try KeyPathWalk.names(keyPath, keyed.name))
    }
  }

  /// Sets the value for a key.
  ///
  /// - Parameters:
  ///   - value: A value that ``ObjectBase/setValue(_:forKey:)`` accepts. Nil removes the key;
  ///     `NSNull` means null.
  ///   - key: The key of the entry.
  /// - Throws: `Realm.Error`: `.typeMismatch`, `.missingValue`, `.notInWriteTransaction`, `.frozen`
  ///   or `.invalidatedObject`; nothing is changed then. A key that is not allowed marks the
  ///   transaction as failed, and its error is thrown as well.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try Realm.Error.translating {
      let keyed = keyed
      try keyed.checkValid()
      var element: Value?
      if let value {
        let destination = ValueReader.Destination(
          handle.isManaged ? handle.className : "Map",
          handle.isManaged ? handle.propertyDescription.alias : key,
          Value._$elementType.collection(.dictionary))
        element = Value._$unboxed(
          try ValueReader.element(value, destination, for: context?.store), source)
      }
      guard let context else { return self[Key(_$key: key)] = element }
      try context.change(
        className: handle.className, propertyName: handle.propertyDescription.alias
      ) { self[Key(_$key: key)] = element }
    }
  }
}
